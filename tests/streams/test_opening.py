"""Which specs name files, classes and built-in streams."""

import pytest

from onebit.errors import BadInput
from onebit.naming.spec import Spec
from onebit.streams.opening import is_file, open_stream, resolve, resolve_transform


@pytest.mark.parametrize(
    "name",
    ["-", "a/b", "./car", "a.csv", "a.svm.gz", "a.b.vw:labels=1|2", "2024-01.log", "a.onebit"],
)
def test_names_of_files(name):
    assert is_file(name)


@pytest.mark.parametrize(
    "name", ["car", "synsep:noise=0.1", "a.b.C", "a.dat", "a.dat.gz", "nosuch"]
)
def test_names_of_other_things(name):
    assert not is_file(name)


def test_a_file_that_exists_is_a_file_unless_it_has_the_name_of_a_stream(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.dat", "clicks", "car", "a:b=c.dat"):
        (tmp_path / name).write_text("1,a\n2,b\n")
    (tmp_path / "b.dat").mkdir()
    assert [is_file(name) for name in ("a.dat", "clicks", "car", "b.dat")] == [1, 1, 0, 1]
    assert open_stream("clicks:format=csv,header=no", 0).length == 2
    assert open_stream(Spec("a:b=c.dat", {"format": "csv", "header": "no"}), 0).length == 2


def test_what_is_resolved_opens_as_its_spec_does():
    resolved, change = resolve(Spec("car", {"order": "file"})), resolve_transform("take:n=3")
    spec, source = resolved
    assert (spec, source) == (resolved.spec, resolved.source)
    for stream, transform in (
        (str(spec), str(change.spec)),
        (spec, change.spec),
        (resolved, change),
    ):
        block = next(open_stream(stream, 5, [transform]).blocks())
        assert block.rounds == 3
        assert block.rows.indices[:2].tolist() == [0, 4]


def test_a_dotted_name_that_is_nothing_says_so():
    with pytest.raises(BadInput, match=r"^onebit: there is no file clicks\.dat, and stream clicks"):
        open_stream("clicks.dat:format=csv", 0)
    with pytest.raises(
        BadInput, match=r"^onebit: no stream is called 'cra' \(did you mean car\?\)"
    ):
        open_stream("cra", 0)
