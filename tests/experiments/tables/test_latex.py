import dataclasses
import math
import re

from pipeline.experiments.tables import latex

SHOWN = r"""% Runs of the year.
% needs \usepackage{booktabs}
% touche-2021/relevance: mean nDCG@5, P@10 over 5 topics
% bold: the highest mean of a column
% arrows: significantly better, worse than base (paired t test, Holm over 4 comparisons, alpha 0.05)
\begin{tabular}{lrrrr}
\toprule
 & \multicolumn{4}{c}{touche-2021/relevance} \\
\cmidrule(lr){2-5}
run & nDCG@5 & P@10 & Judged@5 & Judged@10 \\
\midrule
base & 0.3000 & 0.3000 & 0.960 & 0.960 \\
up\_100\% & \textbf{0.8060}$^{\uparrow}$ & \textbf{0.8060}$^{\uparrow}$ & 0.960 & 0.960 \\
down & 0.2600 & 0.2600 & 0.960 & 0.960 \\
\bottomrule
\end{tabular}"""


def test_a_table_for_a_paper(entries, comparisons):
    assert latex.table(entries, comparisons, caption="Runs of the year.") == SHOWN


def test_worse_is_marked_downwards(entries, comparisons):
    assert r"0.2600$^{\downarrow}$" in latex.table(entries, comparisons, alpha=0.4)


def test_judgements_stand_beside_each_other(entries):
    others = [dataclasses.replace(e, judgements="quality", judged=math.nan) for e in entries[:2]]
    rows = latex.table([*entries, *others], []).splitlines()
    assert r" & \multicolumn{4}{c}{touche-2021/relevance} & \multicolumn{2}{c}{quality} \\" in rows
    assert r"\cmidrule(lr){2-5} \cmidrule(lr){6-7}" in rows
    assert rows[-3].endswith(r" & -- & -- \\")  # the last run has none of these
    body = rows[rows.index(r"\toprule") + 3 : rows.index(r"\bottomrule")]
    assert {row.count("&") for row in body if row != r"\midrule"} == {6}


def test_one_run_is_not_the_best(entries):
    assert "textbf" not in latex.table(entries[:2], [])


def test_names_are_escaped():
    assert latex.escaped("a_b & 50% {x} #1 $ ~^ \\") == (
        r"a\_b \& 50\% \{x\} \#1 \$ \textasciitilde{}\textasciicircum{} \textbackslash{}"
    )
    assert not re.search(r"(?<!\\)[&%$#_]", latex.escaped("&%$#_"))
