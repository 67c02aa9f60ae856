"""The tables of a SQLite store, and what a file must be to be one."""

from __future__ import annotations

from pathlib import Path

import apsw

from onebit.errors import BadFile

#: Marks a SQLite file as a store of onebit: "1bit" in ASCII.
APPLICATION = 0x31626974
#: The format of a store; a version of onebit reads all formats up to its own.
FORMAT = 1

_TABLES = """
CREATE TABLE event (
  seq INTEGER PRIMARY KEY, agent TEXT NOT NULL, kind INTEGER NOT NULL, decision BLOB,
  time INTEGER NOT NULL, body BLOB NOT NULL, row BLOB, chain BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX one_creation ON event (agent) WHERE kind = 0;
CREATE UNIQUE INDEX one_decision ON event (decision, agent) WHERE kind = 1;
CREATE UNIQUE INDEX one_outcome ON event (decision, agent) WHERE kind IN (2, 3);
CREATE INDEX setup ON event (agent) WHERE kind NOT IN (1, 2, 3);
CREATE TABLE base (
  seq INTEGER NOT NULL, chain BLOB NOT NULL, probes INTEGER NOT NULL
) STRICT;
INSERT INTO base VALUES (0, zeroblob(16), 0);
CREATE TABLE archived (
  decision BLOB NOT NULL, agent TEXT NOT NULL, PRIMARY KEY (decision, agent)
) STRICT, WITHOUT ROWID;
CREATE TABLE snapshot (
  agent TEXT NOT NULL, seq INTEGER NOT NULL, content BLOB NOT NULL, checksum BLOB NOT NULL,
  kept INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (agent, seq)
) STRICT;
CREATE TABLE content (
  sha256 BLOB NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (sha256, part)
) STRICT;
"""


def prepare(db: apsw.Connection, path: Path, create: bool) -> None:
    """Check that a file is a store that this version can read; make the tables of an empty one.

    Raises
    ------
    BadFile
        If it is another kind of file, or of a newer version.
    """
    try:
        application = db.pragma("application_id")
        format = db.pragma("user_version")
        tables = db.execute("SELECT count(*) FROM sqlite_schema").get
    except (apsw.NotADBError, apsw.CorruptError):
        raise BadFile(f"onebit: {path} is damaged, or not a store of onebit.") from None
    if create and application == 0 and tables == 0:
        with db:
            db.execute(_TABLES)
            db.pragma("application_id", APPLICATION)
            db.pragma("user_version", FORMAT)
        return
    if application != APPLICATION:
        raise BadFile(f"onebit: {path} is a SQLite file, but not a store of onebit.")
    if format > FORMAT:
        raise BadFile(
            f"onebit: {path} is of format {format}, written by a newer onebit; this version reads"
            f" formats up to {FORMAT}."
        )
