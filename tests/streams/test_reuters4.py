"""REUTERS4 from small files of the published forms, served on 127.0.0.1."""

import gzip
import hashlib
import shutil

import pytest
from click.testing import CliRunner
from streams.reading import rounds_of
from streams.web import serving

from onebit.cli.commands import cli
from onebit.errors import BadInput
from onebit.experiment.papers import Cell, Experiment, Paper, percent
from onebit.experiment.reproduce import selection
from onebit.kernel.rng import key, uniform
from onebit.streams.datasets import reuters4
from onebit.streams.download import Remote
from onebit.streams.opening import open_stream, resolve

TOPICS = """\
C15 101 1
CCAT 101 1
ECAT 102 1
CCAT 102 1
GCAT 103 1
MCAT 104 1
M11 104 1
E11 105 1
ECAT 105 1
G15 106 1
CCAT 107 1
"""
VECTORS = [
    "101  1:0.25 3:5e-1\n102  2:1\n",
    "103 47236:.125\n",
    "104 2:0.1 5:0.2 9:0.3\n",
    "105  7:1 \n",
    "106 1:1\n107 4:0.5\n",
]
TOKENS = [
    ".I 101\n.W\nbank rate bank\nbank profit\n\n.I 102\n.W\nnever read\n\n",
    ".I 103\n.W\nvote rate\n\n",
    ".I 104\n.W\n\n",
    ".I 105\n.W\nprofit bank\n",
    ".I 106\n.W\nnever read\n\n.I 107\n.W\nvote vote new\n",
]
READ = {
    "vectors": [
        ({0: 0.25, 2: 0.5}, "CCAT"),
        ({47235: 0.125}, "GCAT"),
        ({1: 0.1, 4: 0.2, 8: 0.3}, "MCAT"),
        ({6: 1.0}, "ECAT"),
        ({3: 0.5}, "CCAT"),
    ],
    "tokens": [
        ({0: 3.0, 1: 1.0, 2: 1.0}, "CCAT"),
        ({1: 1.0, 3: 1.0}, "GCAT"),
        ({}, "MCAT"),
        ({0: 1.0, 2: 1.0}, "ECAT"),
        ({3: 2.0, 4: 1.0}, "CCAT"),
    ],
}
FEATURES = {"vectors": 47_236, "tokens": 5}


@pytest.fixture
def web(tmp_path, monkeypatch):
    with serving() as web:

        def remotes(names, texts, sums):
            for name, text in zip(names, texts, strict=True):
                web.files[name] = gzip.compress(text.encode(), mtime=0)
                sum = hashlib.sha256(web.files[name]).hexdigest() if sums else None
                yield Remote(name, web.url + name, sum)

        for word, texts in (("VECTORS", VECTORS), ("TOKENS", TOKENS)):
            names = [remote.name for remote in getattr(reuters4, word)]
            monkeypatch.setattr(
                reuters4, word, tuple(remotes(names, texts, sums=word == "VECTORS"))
            )
        monkeypatch.setattr(
            reuters4, "TOPICS", *remotes([reuters4.TOPICS.name], [TOPICS], sums=True)
        )
        monkeypatch.setattr(reuters4, "DOCUMENTS", (2, 5))
        monkeypatch.setattr(reuters4, "CHUNK", 1)
        monkeypatch.setattr(reuters4, "data_directory", lambda name: tmp_path)
        yield web


def stories(variant, order="file", seed=0):
    stream = open_stream(f"reuters4:variant={variant},order={order}", seed)
    rounds = [r for block in stream.blocks() for r in rounds_of(block)]
    assert stream.length == len(rounds)
    assert stream.features == FEATURES[variant]
    return [(row, stream.labels[label]) for row, label, _ in rounds]


@pytest.mark.parametrize("variant", READ)
def test_stories_with_exactly_one_topic(web, variant):
    assert stories(variant) == READ[variant]


@pytest.mark.parametrize("variant", READ)
def test_they_are_downloaded_and_converted_once(web, variant, tmp_path, monkeypatch):
    stories(variant)
    asked = len(web.asked)
    assert asked == 6
    monkeypatch.setattr(reuters4, "convert", None)
    assert stories(variant) == READ[variant]
    assert len(web.asked) == asked


def test_they_are_shuffled_by_the_seed(web):
    order = sorted(range(5), key=lambda i: uniform(key(2, "reuters4 order"), i))
    assert stories("vectors", "shuffled", 2) == [READ["vectors"][i] for i in order]


def test_the_spec_says_which_variant_it_is():
    assert str(resolve("reuters4")[0]) == "reuters4:variant=vectors,order=shuffled"


def test_a_broken_download_of_one_file_goes_on(web, tmp_path):
    web.breaks[reuters4.TOKENS[3].name] = 10
    with pytest.raises(BadInput, match="what came is kept"):
        stories("tokens")
    assert stories("tokens") == READ["tokens"]
    assert (reuters4.TOKENS[3].name, "bytes=10-") in web.asked
    assert sum(name == reuters4.TOKENS[0].name for name, _ in web.asked) == 1


@pytest.mark.parametrize("name", ["starts", "values", "facts.json"])
def test_damaged_arrays_are_made_again(web, tmp_path, name):
    stories("vectors")
    (tmp_path / "vectors" / name).write_bytes(b"short")
    asked = len(web.asked)
    assert stories("vectors") == READ["vectors"]
    assert len(web.asked) == asked


@pytest.mark.parametrize(("variant", "word"), [("vectors", "VECTORS"), ("tokens", "TOKENS")])
def test_documents_are_counted(web, variant, word, monkeypatch):
    monkeypatch.setattr(reuters4, "DOCUMENTS", (23_149, 781_265))
    with pytest.raises(
        BadInput, match=rf"the {variant} files must hold 23,149 \+ 781,265 documents, got 2 \+ 5\."
    ):
        stories(variant)


def test_a_bad_first_download_is_not_held_to(web, tmp_path):
    name = reuters4.TOKENS[0].name
    right, web.files[name] = web.files[name], b"<html>moved</html>"
    with pytest.raises(BadInput, match="the tokens files cannot be read"):
        stories("tokens")
    (tmp_path / name).unlink()
    web.files[name] = right
    assert stories("tokens") == READ["tokens"]


def test_token_files_are_held_to_their_first_sums(web, tmp_path):
    stories("tokens")
    shutil.rmtree(tmp_path / "tokens")
    (tmp_path / reuters4.TOKENS[0].name).write_bytes(gzip.compress(b".I 101\n.W\nforged\n"))
    with pytest.raises(BadInput, match="it was changed since it came"):
        stories("tokens")


def test_a_file_that_is_no_gzip_is_one_sentence(web):
    web.files[reuters4.TOKENS[0].name] = b"<html>moved</html>"
    with pytest.raises(BadInput, match=r"^Reuters4: the tokens files cannot be read: .*\.$"):
        stories("tokens")


def test_reproduce_downloads_it_and_says_how_much(web, tmp_path, monkeypatch):
    cell = Cell("Perceptron", "reuters4", "perceptron", "", percent("5.3"))
    experiment = Experiment("r", "R", "", (cell,), seeds=2)
    monkeypatch.setattr(selection, "papers", lambda: {"p": Paper("P", "", (experiment,))})
    size = sum(len(web.files[remote.name]) for remote in reuters4._remotes("vectors"))
    arguments = ["reproduce", "--download", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    assert f"fetching 6 files of RCV1-v2, {size / 1e6:,.1f} MB" in done.stderr
    assert "not run" not in done.stdout
    asked = len(web.asked)
    again = CliRunner().invoke(cli, arguments)
    assert (again.exit_code, len(web.asked)) == (0, asked)
    assert "fetching" not in again.stderr


def test_a_download_that_cannot_begin_is_one_sentence(web, tmp_path):
    web.files.clear()
    done = CliRunner().invoke(cli, ["reproduce", "reuters4", "--download", "--out", str(tmp_path)])
    assert done.exit_code != 0
    assert "cannot be downloaded" in str(done.exception or done.output)
