import gzip
import json

import pytest

from pipeline.collection.argsme import Place, read
from pipeline.collection.middle import middle


def dumped(arguments, **how):
    return json.dumps({"arguments": arguments}, **how).encode()


ARGUMENTS = [
    {
        "id": f"a{number}",
        "premises": [{"text": 'she said },{"id":"x"', "stance": "PRO"}] * (number % 4),
        "context": {"sourceText": '},{ "id" : ' * number, "topic": "{"},
    }
    for number in range(30)
]
LAYOUTS = {
    "compact": {"separators": (",", ":")},
    "plain": {},
    "indented": {"indent": 2},
    "odd": {"separators": (" \t, \r\n", " : ")},
    "sorted": {"sort_keys": True},
}


@pytest.fixture(params=LAYOUTS)
def files(request, tmp_path):
    """Three files of one layout."""
    paths = []
    for name, part in (("a", slice(0, 20)), ("b", slice(20, 22)), ("c", slice(22, 30))):
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_bytes(dumped(ARGUMENTS[part], **LAYOUTS[request.param]))
    return paths


def test_an_argument_begins_there(files):
    begins = [Place(one.file, one.start) for one in read(files)]
    firsts = {Place(number, 0): number for number in (1, 2)}
    found = [middle(files, share / 200) for share in range(200)]
    places = [begins.index(next(b for b in begins if b.file == p.file)) if p in firsts else begins.index(p)
              for p in found if p is not None]  # fmt: skip
    assert places == sorted(places)
    assert set(range(1, 30)) - set(places) <= {20, 22}, "it can be cut before every argument"
    assert found[-1] is None, "behind the last there is none"


def test_a_packed_file_cannot_be_cut(files):
    packed = files[0].with_suffix(".json.gz")
    packed.write_bytes(gzip.compress(files[0].read_bytes()))
    assert middle([*files, packed]) is None


def test_without_an_argument_there_is_no_middle(tmp_path):
    file = tmp_path / "a.json"
    for content in (b'{"arguments":[]}', b'{"arguments":[1]}', b"{", b'{"arguments":[{}]}'):
        file.write_bytes(content)
        assert middle([file]) is None


def test_what_looks_like_an_argument_may_be_none(tmp_path):
    """An object in an object, with the same first key: whoever reads finds out."""
    file = tmp_path / "a.json"
    inner = [{"id": "x"}, {"id": "y"}]
    file.write_bytes(dumped([{"id": "a", "premises": [], "more": inner}], separators=(",", ":")))
    assert middle([file]) == Place(0, file.read_bytes().index(b'{"id":"y"'))
