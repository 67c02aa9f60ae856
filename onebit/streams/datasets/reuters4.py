"""REUTERS4: news stories with exactly one of four top topics, from files that users can get."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.errors import BadFile, BadInput
from onebit.kernel.block import Block, noiseless_block
from onebit.kernel.rng import key
from onebit.kernel.rows import SparseRows
from onebit.naming.params import OneOf
from onebit.streams import Order, Stream, blocks_in_order, stream
from onebit.streams.download import (
    Progress,
    Remote,
    data_directory,
    fetch,
    known_checksum,
    record_checksum,
    size_of,
    terminal_progress,
)

LABELS = ("CCAT", "ECAT", "GCAT", "MCAT")
VARIANTS = ("vectors", "tokens")
#: Documents of the training file, and of the four test files together.
DOCUMENTS = (23_149, 781_265)
#: Features of the vector files.
FEATURES = 47_236
#: Documents that are read at once.
CHUNK = 2_000
#: The version of the arrays in the cache.
CACHE_VERSION = 1

_SHARE = "https://ndownloader.figshare.com/files/"
_JMLR = "https://jmlr.csail.mit.edu/papers/volume5/lewis04a/a12-token-files/"
TOPICS = Remote(
    "rcv1v2.topics.qrels.gz", f"{_SHARE}5976048",
    "2a98e5e5d8b770bded93afc8930d88299474317fe14181aee1466cc754d0d1c1",
)  # fmt: skip
#: The training file first; the sums are those that scikit-learn publishes.
VECTORS = (
    Remote("lyrl2004_vectors_train.dat.gz", f"{_SHARE}5976057",
           "5468f656d0ba7a83afc7ad44841cf9a53048a5c083eedc005dcdb5cc768924ae"),
    Remote("lyrl2004_vectors_test_pt0.dat.gz", f"{_SHARE}5976069",
           "ed40f7e418d10484091b059703eeb95ae3199fe042891dcec4be6696b9968374"),
    Remote("lyrl2004_vectors_test_pt1.dat.gz", f"{_SHARE}5976066",
           "87700668ae45d45d5ca1ef6ae9bd81ab0f5ec88cc95dcef9ae7838f727a13aa6"),
    Remote("lyrl2004_vectors_test_pt2.dat.gz", f"{_SHARE}5976063",
           "48143ac703cbe33299f7ae9f4995db49a258690f60e5debbff8995c34841c7f5"),
    Remote("lyrl2004_vectors_test_pt3.dat.gz", f"{_SHARE}5976060",
           "dfcb0d658311481523c6e6ca0c3f5a3e1d3d12cde5d7a8ce629a9006ec7dbb39"),
)  # fmt: skip
#: No sums are published; that of the first download is recorded and checked from then on.
TOKENS = tuple(
    Remote(f"lyrl2004_tokens_{part}.dat.gz", f"{_JMLR}lyrl2004_tokens_{part}.dat.gz")
    for part in ("train", "test_pt0", "test_pt1", "test_pt2", "test_pt3")
)

SOURCE = "RCV1-v2, D. Lewis, Y. Yang, T. Rose and F. Li, JMLR 5 (2004); downloaded at the first use"
LICENCE = "free for research, please cite the paper"

#: A document: its number, its features in ascending order, and their values.
Document = tuple[int, Any, Any]
_load_lock = threading.Lock()


@stream(rows=673_768, labels=4, features=FEATURES, source=SOURCE, licence=LICENCE)
class Reuters4(NamedTuple):
    """Reuters news stories (RCV1-v2) with exactly one of the topics CCAT, ECAT, GCAT, MCAT.

    Two variants, which are not the same data and whose errors must not be compared:

    - `variant=vectors`: the published tf-idf vectors of norm 1, 47,236 features
      (the files of scikit-learn's fetch_rcv1).
    - `variant=tokens`: counts of all the stems in the published token files, one
      feature for each, numbered as they occur; closest to the papers' bags of
      words, whose 346,810 features are from files that are not public.

    The files are downloaded at the first use into the user's cache, with progress on a
    terminal; a broken download is resumed. Their sha256 sums are checked (none are
    published for the token files: that of the first download is recorded), and the
    23,149 + 781,265 documents are counted. Stories are shuffled by the seed;
    `order=file` plays them by date. The papers count 673,768 stories; the number here
    is counted from the files.

    Reference: D. Lewis, Y. Yang, T. Rose and F. Li, JMLR 5 (2004), 361-397; as a
    stream for bandits: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Section 5.
    """

    variant: Annotated[str, OneOf(VARIANTS), "tf-idf vectors, or bags of all stems"] = "vectors"
    order: Order = "shuffled"

    def absent(self) -> str:
        """Return how to get the files if they are not in the cache, else an empty text."""
        if _metadata(data_directory("rcv1") / self.variant) is not None:
            return ""
        return (
            "the files of RCV1 are not here; `onebit reproduce --download` fetches them, and"
            " `onebit play reuters4:variant=tokens perceptron` those closest to the paper."
        )

    def download(self, say: Progress) -> None:
        """Download and convert the files unless they are here; first say how much is missing."""
        if not self.absent():
            return
        folder = data_directory("rcv1")
        remotes = [r for r in _remotes(self.variant) if not (folder / r.name).exists()]
        megabytes = sum(size_of(remote) for remote in remotes) / 1e6
        say(
            f"fetching {len(remotes)} files of RCV1-v2, {megabytes:,.1f} MB, into {folder}; what"
            " came before a break is kept"
        )
        load(self.variant, folder, terminal_progress())

    def digest(self) -> str:
        """Return the metadata of the converted files."""
        return json.dumps(_metadata(data_directory("rcv1") / self.variant), sort_keys=True)

    def open(self, seed: int) -> Stream:
        """Return the stream of stories; download and convert the files at the first use."""
        with _load_lock:
            features, stories = load(self.variant, data_directory("rcv1"), terminal_progress())
        blocks = blocks_in_order(lambda: stories, self.order, key(seed, "reuters4 order"))
        return Stream(LABELS, features, stories.rounds, blocks)


def load(variant: str, folder: Path, progress: Progress) -> tuple[int, Block]:
    """Return the number of features, and all stories as memory-mapped arrays."""
    ready = folder / variant
    metadata = _metadata(ready)
    remotes = _remotes(variant)
    if metadata is None or not _is_complete(ready, metadata, remotes):
        sums = {remote.name: fetch(remote, folder, progress) for remote in remotes}
        try:
            convert(variant, folder, sums, progress)
        except (OSError, EOFError, ValueError) as error:
            if isinstance(error, BadInput):
                raise
            raise BadFile(f"Reuters4: the {variant} files cannot be read: {error}.") from None
        for remote in remotes:
            record_checksum(remote, folder, sums[remote.name])
        metadata = _metadata(ready)
        assert metadata is not None

    def array(name: str, dtype: str, n: int) -> Any:
        return np.asarray(np.memmap(ready / name, dtype, "r", shape=(n,))) if n else np.empty(0)

    rows, entries = metadata["rows"], metadata["entries"]
    stories = SparseRows(
        array("starts", "<i8", rows + 1),
        array("indices", "<i4", entries),
        array("values", "<f8", entries),
    )
    return metadata["features"], noiseless_block(stories, array("labels", "<i4", rows))


def _remotes(variant: str) -> tuple[Remote, ...]:
    """Return the published files of a variant."""
    return (TOPICS, *(VECTORS if variant == "vectors" else TOKENS))


def convert(variant: str, folder: Path, sums: dict[str, str], progress: Progress) -> None:
    """Convert the published files to arrays in a folder that is renamed when it is complete."""
    labels, stems = single_topics(folder / TOPICS.name), Stems()
    read, remotes = (vectors, VECTORS) if variant == "vectors" else (stems.read, TOKENS)
    part, ready = folder / f"{variant}.part", folder / variant
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    counts, rows, entries = [0] * len(remotes), 0, 0
    with (
        (part / "starts").open("wb") as starts,
        (part / "indices").open("wb") as indices,
        (part / "values").open("wb") as values,
        (part / "labels").open("wb") as truths,
    ):
        starts.write(np.zeros(1, "<i8").tobytes())
        for n, remote in enumerate(remotes):
            with gzip.open(folder / remote.name, "rt", encoding="ascii") as lines:
                for number, columns, numbers in read(lines, labels):
                    counts[n] += 1
                    if number in labels:
                        rows, entries = rows + 1, entries + len(columns)
                        starts.write(np.array([entries], "<i8").tobytes())
                        indices.write(np.asarray(columns, "<i4").tobytes())
                        values.write(np.asarray(numbers, "<f8").tobytes())
                        truths.write(np.array([labels[number]], "<i4").tobytes())
                    progress(f"reading {remote.name}: {sum(counts):,} documents")
    found = counts[0], sum(counts[1:])
    if found != DOCUMENTS:
        want, got = (f"{train:,} + {test:,}" for train, test in (DOCUMENTS, found))
        raise BadFile(f"Reuters4: the {variant} files must hold {want} documents, got {got}.")
    features = FEATURES if variant == "vectors" else len(stems.numbers)
    metadata = {
        "form": CACHE_VERSION,
        "rows": rows,
        "entries": entries,
        "features": features,
        "sums": sums,
    }
    (part / "facts.json").write_text(json.dumps(metadata))
    shutil.rmtree(ready, ignore_errors=True)
    os.replace(part, ready)


def single_topics(path: Path) -> dict[int, int]:
    """Return the label number of each document that has exactly one of the four topics."""
    found: dict[int, set[int]] = {}
    numbers = {name: k for k, name in enumerate(LABELS)}
    with gzip.open(path, "rt", encoding="ascii") as lines:
        for line in lines:
            topic, document, _ = line.split()
            if topic in numbers:
                found.setdefault(int(document), set()).add(numbers[topic])
    return {document: topics.pop() for document, topics in found.items() if len(topics) == 1}


def vectors(lines: Iterable[str], wanted: dict[int, int]) -> Iterator[Document]:
    """Read lines `document index:value ...`, indices from 1 on; yield all documents."""
    chunk: list[str] = []
    for line in lines:
        chunk.append(line)
        if len(chunk) == CHUNK:
            yield from _vectors(chunk)
            chunk = []
    yield from _vectors(chunk)


def _vectors(lines: list[str]) -> Iterator[Document]:
    """Parse all numbers of some lines at once, then split them by line."""
    numbers = np.fromstring(" ".join(lines).replace(":", " "), sep=" ")
    end = 0
    for line in lines:
        first, end = end, end + 1 + 2 * line.count(":")
        yield int(numbers[first]), numbers[first + 1 : end : 2] - 1, numbers[first + 2 : end : 2]


class Stems:
    """A reader of documents, lines `.I number`, `.W` and stems; numbers stems as they occur."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def read(self, lines: Iterable[str], wanted: dict[int, int]) -> Iterator[Document]:
        """Yield all documents; only those of `wanted` with their stems."""
        document, stems = None, Counter[str]()
        for line in lines:
            if line.startswith(".I"):
                if document is not None:
                    yield self._bag(document, stems)
                document, stems = int(line[2:]), Counter()
            elif document in wanted and not line.startswith(".W"):
                stems.update(line.split())
        if document is not None:
            yield self._bag(document, stems)

    def _bag(self, document: int, stems: Counter[str]) -> Document:
        counts = {self.numbers.setdefault(stem, len(self.numbers)): n for stem, n in stems.items()}
        columns = sorted(counts)
        return document, columns, [counts[column] for column in columns]


def _metadata(ready: Path) -> dict[str, Any] | None:
    """Return the metadata of the arrays in the cache, None if they are missing or outdated."""
    try:
        metadata: dict[str, Any] = json.loads((ready / "facts.json").read_text())
    except (OSError, ValueError):
        return None
    return metadata if metadata.get("form") == CACHE_VERSION else None


def _is_complete(ready: Path, metadata: dict[str, Any], remotes: Iterable[Remote]) -> bool:
    """Return whether the arrays have the right sizes, and come from files with the right sums."""
    rows, entries = metadata["rows"], metadata["entries"]
    sizes = {
        "starts": 8 * (rows + 1),
        "labels": 4 * rows,
        "indices": 4 * entries,
        "values": 8 * entries,
    }
    right_sizes = all(
        (ready / name).exists() and (ready / name).stat().st_size == size
        for name, size in sizes.items()
    )
    sums = {remote.name: known_checksum(remote, ready.parent) for remote in remotes}
    return right_sizes and metadata["sums"] == sums
