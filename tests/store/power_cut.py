"""A disk in memory whose power fails: an SQLite VFS that loses, reorders and tears what was not
synced. `python tests/store/power_cut.py 1000` cuts the power so often, with FULL and without.
"""

import hashlib
import random
import sys
from pathlib import Path
from typing import NamedTuple

import apsw

from onebit.errors import BadInput
from onebit.store import checkpoints, sqlite
from onebit.store.base import Indeterminate, StoreFull
from onebit.store.event import Draft, Head, Kind
from onebit.store.recovery import read_chained

SECTOR = 512


class File:
    """What is on the disk for sure, and what was written since the last sync."""

    def __init__(self, durable=b"", named=False):
        self.durable, self.named = bytearray(durable), named
        self.now, self.pending = bytearray(durable), []

    def write(self, at, data):
        if at > len(self.now):
            self.now.extend(bytes(at - len(self.now)))
        self.now[at : at + len(data)] = data
        self.pending.append((at, bytes(data)))

    def truncate(self, size):
        del self.now[size:]
        self.pending.append((size, None))

    def sync(self):
        self.durable, self.pending, self.named = bytearray(self.now), [], True

    def after_cut(self, chance):
        """Return what a power cut leaves: any sectors of what was not synced, in any order."""
        left = bytearray(self.durable)
        pieces = []
        for at, data in self.pending:
            if data is None:
                pieces.append((at, None))
                continue
            starts = range(0, len(data), SECTOR)
            pieces += [(at + start, data[start : start + SECTOR]) for start in starts]
        keep = chance.random() ** 0.5
        kept = [piece for piece in pieces if chance.random() < keep]
        if chance.random() < 0.5:
            chance.shuffle(kept)
        for at, data in kept:
            if data is None:
                del left[at:]
                continue
            if chance.random() < 0.1:
                data = data[: chance.randrange(len(data)) + 1]  # a torn sector
            if at > len(left):
                left.extend(bytes(at - len(left)))
            left[at : at + len(data)] = data
        return bytes(left)


class Disk(apsw.VFS):
    """All files, and how many writes and syncs are left before the cut."""

    count = 0

    def __init__(self):
        Disk.count += 1
        self.name, self.files, self.left = f"power-cut-{Disk.count}", {}, None
        super().__init__(self.name, "")

    def step(self):
        if self.left is not None:
            if self.left <= 0:
                raise apsw.IOError("the power is off")
            self.left -= 1

    def cut(self, chance):
        """Switch the power off and on again."""
        self.left = None
        found = self.files.items()
        survivors = {n: f for n, f in found if f.named or chance.random() < 0.5}
        self.files = {n: File(f.after_cut(chance), f.named) for n, f in survivors.items()}

    def xOpen(self, name, flags):  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else name or "temporary"
        flags[1] = flags[0]
        return OpenFile(self, self.files.setdefault(path, File()))

    def xAccess(self, path, flags):  # noqa: N802
        return path in self.files

    def xDelete(self, path, sync):  # noqa: N802
        self.step()
        self.files.pop(path, None)

    def xFullPathname(self, path):  # noqa: N802
        return path


class OpenFile:
    """A file of the disk, as SQLite uses it."""

    def __init__(self, disk, file):
        self.disk, self.file = disk, file

    def xRead(self, amount, offset):  # noqa: N802
        return bytes(self.file.now[offset : offset + amount])

    def xWrite(self, data, offset):  # noqa: N802
        self.disk.step()
        self.file.write(offset, data)

    def xTruncate(self, size):  # noqa: N802
        self.disk.step()
        self.file.truncate(size)

    def xSync(self, flags):  # noqa: N802
        self.disk.step()
        self.file.sync()

    def xFileSize(self):  # noqa: N802
        return len(self.file.now)

    def xSectorSize(self):  # noqa: N802
        return SECTOR

    def xDeviceCharacteristics(self):  # noqa: N802
        return 0

    def xFileControl(self, op, pointer):  # noqa: N802
        return False

    def xCheckReservedLock(self):  # noqa: N802
        return False

    def xLock(self, level):  # noqa: N802
        pass

    def xUnlock(self, level):  # noqa: N802
        pass

    def xClose(self):  # noqa: N802
        pass


class Report(NamedTuple):
    """What happened in all cuts together."""

    cuts: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    damaged: int = 0

    def __add__(self, other):
        return Report(*(a + b for a, b in zip(self, other, strict=True)))


def cut_once(seed, synchronous):
    """Write batches until the power fails at a random moment; return what was lost."""
    chance, disk = random.Random(seed), Disk()
    path = Path("/onebit.sqlite")
    checkpoints.PAGES, usual = 25, checkpoints.PAGES  # checkpoints happen in every run
    try:
        store = sqlite.SqliteStore(path, vfs=disk.name, synchronous=synchronous)
        disk.left = chance.randrange(400)
        head, told = store.head(), []
        try:
            while True:
                count = chance.randrange(1, 20)
                ids = [chance.randbytes(16) for _ in range(count)]
                size = chance.randrange(3000)
                drafts = [Draft("a", Kind.DECISION, id, 1, chance.randbytes(size)) for id in ids]
                events = store.append(drafts, head)
                head = Head(events[-1].seq, events[-1].chain)
                told += ids
        except (Indeterminate, StoreFull, apsw.Error):
            pass
        disk.cut(chance)
        again = sqlite.SqliteStore(path, vfs=disk.name, synchronous=synchronous)
        try:
            found = [e.decision for e in read_chained(again, again.base, again.head())]
            lost = len(set(told) - set(found))
            return Report(1, len(told), lost, len(found) - len(set(found)))
        except BadInput:
            return Report(1, len(told), 0, 0, 1)
        finally:
            again.close()
    except (BadInput, apsw.Error):
        return Report(1, 0, 0, 0, 1)
    finally:
        checkpoints.PAGES = usual


def cut(times, synchronous, seed=0):
    """Return what was lost in so many power cuts."""
    total = Report()
    for n in range(times):
        name = hashlib.md5(f"{seed} {n}".encode()).digest()
        total += cut_once(int.from_bytes(name[:8], "little"), synchronous)
    return total


if __name__ == "__main__":
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    found = {synchronous: cut(times, synchronous) for synchronous in ("FULL", "NORMAL")}
    print(*found.items(), sep="\n")
    sound = found["FULL"][2:] == (0, 0, 0)
    sys.exit(not (sound and found["NORMAL"].lost))  # the control must lose some
