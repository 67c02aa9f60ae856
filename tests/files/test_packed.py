"""A packed file is the same stream, and is refused when anything is wrong with it."""

import json
import struct
import zlib

import numpy as np
import pytest
from files import write

from onebit import BadInput
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial
from onebit.streams.formats import packed
from onebit.streams.formats.packed import pack
from onebit.streams.opening import open_stream


@pytest.fixture
def whole(put, tmp_path):
    """A packed file of a few rows, and its source."""
    source = put("a.csv", "x,c,y\n1,u,a\n2,v,b\n3,u,a\n")
    target = tmp_path / "a.onebit"
    pack(open_stream(source, 0), target, "a.csv")
    return source, target


def refusal(path):
    with pytest.raises(BadInput) as error:
        write.dense(open_stream(str(path), 0))
    text = str(error.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text


def test_it_is_the_same_stream(whole):
    source, target = (open_stream(str(path), 0) for path in whole)
    assert source[:3] == target[:3]
    assert source.columns == target.columns
    for one, two in zip(source.blocks(), target.blocks(), strict=True):
        for a, b in zip((*one.rows, *one.truths), (*two.rows, *two.truths), strict=True):
            assert (a.dtype, a.tolist()) == (b.dtype, b.tolist())


def test_no_parameter_that_it_lacks_is_named(whole, capsys, monkeypatch):
    for path, names_it in zip(whole, (True, False), strict=True):
        monkeypatch.setattr("onebit.streams.reading.bad_lines._notified", set())
        play_trials([Trial.parse(str(path), "banditron")])
        told = capsys.readouterr().err
        assert "numbers are scaled for learners that do not scale rows themselves" in told
        assert ("scale=no" in told) == names_it


def test_it_says_of_which_file_it_was_made(put, tmp_path, capsys):
    pack(open_stream(put("a.svm", "1 1:1\n2 2:1\n"), 0), tmp_path / "b.onebit", "a.svm:base=auto")
    open_stream(str(tmp_path / "b.onebit"), 0)
    assert capsys.readouterr().err.endswith("2 labels, packed from a.svm\n")


def test_a_trial_gives_the_same_mistakes(put, tmp_path):
    lines = [f"{n * 7 % 3} {n % 11 + 1}:1 {n % 3 + 12}:0.5\n" for n in range(3000)]
    source, target = put("a.svm", "".join(lines)), tmp_path / "b.onebit"
    pack(open_stream(source, 0), target, source)
    results = [play_trials([Trial.parse(str(p), "banditron")])[0] for p in (source, target)]
    assert results[0].curve == results[1].curve
    assert results[0].mistakes == results[1].mistakes < 1500


def test_any_flipped_byte_that_matters_is_noticed(whole):
    _, target = whole
    good = target.read_bytes()
    rows, labels = write.dense(open_stream(str(target), 0))
    for at in range(len(good)):
        target.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        packed._verified.clear()
        try:
            found, found_labels = write.dense(open_stream(str(target), 0))
        except BadInput:
            continue
        # the gaps between arrays hold nothing
        assert good[at] == 0
        assert np.array_equal(found, rows)
        assert found_labels == labels


def test_a_file_cut_off_anywhere_is_refused(whole):
    _, target = whole
    good = target.read_bytes()
    for length in (0, 5, 20, 40, len(good) // 2, len(good) - 1):
        target.write_bytes(good[:length])
        assert "damaged" in refusal(target) or "not a packed file" in refusal(target)
    target.write_bytes(good + b"x")
    assert "damaged" in refusal(target)


def test_foreign_and_newer_files_are_refused(whole, put):
    _, target = whole
    assert "is not a packed file of onebit" in refusal(put("x.onebit", b"PK\x03\x04" + bytes(99)))
    good = target.read_bytes()
    target.write_bytes(good[:8] + struct.pack("<I", 9) + good[12:])
    assert "is packed in version 9; this onebit reads versions up to 2" in refusal(target)


@pytest.mark.parametrize("name", ["indices", "labels", "starts"])
def test_a_file_that_would_hurt_a_kernel_is_refused_though_its_checksum_is_right(whole, name):
    _, target = whole
    raw = bytearray(target.read_bytes())
    head = list(packed._HEADER.unpack(raw[: packed._HEADER.size]))
    contents = json.loads(raw[head[3] :])
    places = packed._array_ranges(*contents["blocks"][0][:3])
    at = {"starts": places[0][0] + 8, "indices": places[1][0], "labels": places[3][0]}[name]
    raw[at : at + 4] = struct.pack("<i", 10**6)
    contents["blocks"][0][3] = zlib.crc32(b"".join(bytes(raw[a:b]) for a, b in places))
    rewrite(target, raw, head, contents)
    assert "damaged" in refusal(target)


def rewrite(target, raw, head, contents):
    """Write other metadata, with their checksum."""
    text = contents if isinstance(contents, bytes) else json.dumps(contents).encode()
    head[2], head[4] = zlib.crc32(text), len(text)
    target.write_bytes(packed._HEADER.pack(*head) + raw[packed._HEADER.size : head[3]] + text)


@pytest.mark.parametrize("damage", [0, 1])
def test_a_file_of_version_1_is_read_and_its_checksum_verified_first(whole, damage):
    source, target = whole
    raw = bytearray(target.read_bytes())
    head = list(packed._HEADER.unpack(raw[: packed._HEADER.size]))
    contents = json.loads(raw[head[3] :])
    contents["blocks"] = [block[:3] for block in contents["blocks"]]
    places = [place for block in contents["blocks"] for place in packed._array_ranges(*block)]
    contents["checksum"] = zlib.crc32(b"".join(bytes(raw[a:b]) for a, b in places)) ^ damage
    head[1] = 1
    rewrite(target, raw, head, contents)
    if damage:
        assert "damaged" in refusal(target)
    else:
        rows, labels = write.dense(open_stream(source, 0))
        found, found_labels = write.dense(open_stream(str(target), 0))
        assert np.array_equal(found, rows)
        assert found_labels == labels


def test_metadata_that_name_places_outside_of_the_file_are_refused(whole):
    _, target = whole
    raw = bytearray(target.read_bytes())
    head = list(packed._HEADER.unpack(raw[: packed._HEADER.size]))
    contents = json.loads(raw[head[3] :])
    for place, number in ((0, -64), (1, 10**12), (2, -1), (1, 1.5), (1, None)):
        changed = json.loads(json.dumps(contents))
        changed["blocks"][0][place] = number
        rewrite(target, raw, head, changed)
        assert "damaged" in refusal(target)


@pytest.mark.parametrize(
    "change",
    [{"labels": 5}, {"features": "3"}, {"features": 0}, {"features": 2**31}, {"rows": -1},
     {"rows": None}, {"columns": [[0, 1]]}, {"columns": 3}, {"blocks": [[-64, 3, 6]]},
     {"blocks": [[2**70, 3, 6]]}, {"blocks": [[32, 3.5, 6]]}, {"blocks": {}}, {"source": 1},
     {"columns": [["a", 1, 2]]}, [], b"[" * 100_000],
    ids=lambda change: repr(change)[:30],
)  # fmt: skip
def test_metadata_that_pack_does_not_write_are_refused(whole, change):
    raw = whole[1].read_bytes()
    head = list(packed._HEADER.unpack(raw[: packed._HEADER.size]))
    contents = json.loads(raw[head[3] :]) | change if isinstance(change, dict) else change
    rewrite(whole[1], raw, head, contents)
    assert "is damaged; pack it again" in refusal(whole[1])


def test_endless_streams_are_not_packed(tmp_path):
    with pytest.raises(BadInput, match="endless"):
        pack(open_stream("synsep", 0), tmp_path / "a.onebit", "synsep")
    assert not list(tmp_path.iterdir())


def test_a_failed_pack_leaves_nothing_behind(put, tmp_path):
    source = put("a.svm", "1 1:1\n2 1:1\n3 x\n")
    with pytest.raises(BadInput):
        pack(open_stream(f"{source}:labels=1|2|3,features=1,base=1", 0), tmp_path / "b.onebit", "")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svm"]


def test_what_is_packed_takes_no_parameters(whole):
    assert "no parameter is called 'labels'; it takes format" in refusal(f"{whole[1]}:labels=a|b")
