"""`onebit log`: a store's log, while it is served or not."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onebit.cli.options import SEED, new_file, number
from onebit.cli.output import echo, echo_json
from onebit.errors import BadFile, BadInput, file_error

if TYPE_CHECKING:
    from onebit.store.sqlite import SqliteStore

STORE = click.argument("store", type=click.Path(path_type=Path), metavar="STORE")
AGENT = click.option("--agent", metavar="NAME", help="Which agent, if there are several.")


@click.group("log")
def log_group() -> None:
    """Check, export, replay and back up the log of `onebit serve`.

    STORE is its directory, or a file that `onebit log backup` wrote. A server may be using it.
    """


@contextmanager
def _opened(path: Path) -> Iterator[SqliteStore]:
    try:
        from onebit.store.directory import open_for_reading
    except ImportError as error:
        raise BadInput(f"onebit log: it needs {error.name}: pip install 'onebit[serve]'.") from None
    store = open_for_reading(path)
    try:
        yield store
    finally:
        store.close()


def _only_agent(store: SqliteStore, given: str | None) -> str:
    """Return the agent that was named, or the only one."""
    names = sorted({event.agent for event in store.created()} | set(store.snapshot_seqs()))
    if given in names or (given is None and len(names) == 1):
        return given or names[0]
    known = ", ".join(names) or "none"
    raise BadInput(f"onebit log: --agent must be one of {known}, got {given or 'nothing'}.")


def _show_progress(seq: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{seq:,} events")


@log_group.command("verify")
@STORE
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
def verify_command(store: Path, as_json: bool) -> None:
    """Learn the whole log again, and compare all decisions."""
    with _opened(store) as opened:
        from onebit.store.verifying import verify

        done = verify(opened, _show_progress)
    if as_json:
        echo(json.dumps(done._asdict()))
        return
    echo(
        f"{done.events:,} events, {done.decisions:,} decisions made again,"
        f" {done.learned:,} bits learned, {done.compared:,} digests compared: all equal"
    )
    for agent, digest in done.digests.items():
        echo(f"{digest}  {agent}")


@log_group.command("export")
@STORE
@AGENT
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="FILE",
              help="A .jsonl or .parquet file; by default JSON lines on stdout.")  # fmt: skip
@click.option("--all", "everything", is_flag=True,
              help="Every event, not only rounds with their bit.")  # fmt: skip
def export_command(store: Path, agent: str | None, out: Path | None, everything: bool) -> None:
    """Write the learned rounds as `onebit learn` reads them."""
    with _opened(store) as opened:
        import msgspec

        from onebit.kernel.atomic import write_atomically
        from onebit.store.exporting import Exporter
        from onebit.store.tables import row_of_event, write_parquet

        exporter = Exporter(opened, None if agent is None else _only_agent(opened, agent))
        lines: Iterator[Any] = exporter.every_event() if everything else exporter.rounds()
        if out is None:
            for line in lines:
                echo_json(msgspec.json.encode(line))
            return
        if out.suffix not in (".jsonl", ".parquet"):
            raise BadFile(f"onebit log: {out} must end in .jsonl or .parquet.")
        try:
            if out.suffix == ".parquet":
                as_row = row_of_event if everything else _as_row
                count = write_parquet(out, map(as_row, lines))
            else:
                count = 0
                with write_atomically(out) as file:
                    for line in lines:
                        file.write(msgspec.json.encode(line) + b"\n")
                        count += 1
        except OSError as error:
            raise file_error(f"onebit log: {out} cannot be written", error) from None
    echo(f"wrote {out}: {count:,} lines", err=True)


def _as_row(line: Any) -> dict[str, Any]:
    """Return a line as a row of a table: what is neither a number nor a bit, as JSON text."""
    import msgspec

    found = line if isinstance(line, dict) else msgspec.structs.asdict(line)
    plain = (str, bool, int, float)
    kept = ("agent", "id", "kind")
    row: dict[str, Any] = {}
    for name, value in found.items():
        is_plain = isinstance(value, plain) and (name in kept or not isinstance(value, str))
        is_plain = is_plain and name not in ("label", "greedy")
        row[name] = value if is_plain else msgspec.json.encode(value).decode()
    return row


@log_group.command("replay")
@STORE
@AGENT
@click.option("--learner", metavar="SPEC", required=True, help="A learner, as in `onebit play`.")
@click.option("--save", type=click.Path(path_type=Path), metavar="AGENT.npz", required=True,
              callback=new_file, help="Write the agent that learned, for Agent.load.")  # fmt: skip
@click.option("--seed", metavar="S", default="0", show_default=True, callback=number(SEED),
              help="Seed of the learner's random draws.")  # fmt: skip
def replay_command(store: Path, agent: str | None, learner: str, save: Path, seed: int) -> None:
    """Save what another learner would have become from the same log."""
    with _opened(store) as opened:
        from onebit.store.replaying import replay

        done = replay(opened, _only_agent(opened, agent), learner, seed, _show_progress)
        done.agent.save(save)
    echo(f"{done.learned:,} bits learned, {done.right:,} of them right; wrote {save}")


@log_group.command("show")
@STORE
@click.argument("id")
@AGENT
def show_command(store: Path, id: str, agent: str | None) -> None:
    """Show one decision and what became of it, as JSON."""
    with _opened(store) as opened:
        import msgspec

        from onebit.service.hosted import story_of
        from onebit.service.types import read_id
        from onebit.store.exporting import labels_and_pause

        name, key = _only_agent(opened, agent), read_id(id)
        found = opened.decision(name, key)
        if not found:
            why = "was archived" if opened.is_archived(name, key) else "is not in the log"
            raise BadInput(f"onebit log: decision {key.hex()} of agent {name} {why}.")
        story = story_of(found, *labels_and_pause(opened, name))
        echo_json(msgspec.json.format(msgspec.json.encode(story), indent=2))


@log_group.command("backup")
@STORE
@click.argument("target", type=click.Path(path_type=Path))
def backup_command(store: Path, target: Path) -> None:
    """Write a consistent copy of the store to the file TARGET.

    The store may be served meanwhile. To restore the copy, put it into an empty directory as
    onebit.sqlite.
    """
    if target.exists():
        raise BadFile(f"onebit log: {target} is there already.")
    with _opened(store) as opened:
        opened.backup(target)
        echo(f"wrote {target}: {opened.head().seq:,} events")
