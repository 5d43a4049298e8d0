import subprocess
import sys

from pipeline.experiments.progress import Progress


def test_a_step_is_said_and_timed(capsys):
    shown = Progress()
    for _ in range(2):
        with shown.step("inverting"), shown.part("within"):
            pass
    assert capsys.readouterr().err == "inverting\ninverting\n"
    assert list(shown.seconds) == ["within", "inverting"]


def test_other_processes_count_when_they_have_ended():
    shown = Progress(quiet=True)
    burn = "import time\nwhile time.process_time() < 0.2: pass"
    with shown.part("other"):
        subprocess.run([sys.executable, "-c", burn], check=True)
    assert shown.seconds["other"].cpu >= 0.1  # the system counts in hundredths
    assert shown.seconds["other"].main_thread < 0.2
