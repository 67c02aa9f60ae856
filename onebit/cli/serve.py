"""`onebit serve`: decisions over HTTP."""

from __future__ import annotations

from pathlib import Path

import click

from onebit.cli import interrupts
from onebit.cli.output import echo
from onebit.errors import BadInput

EXAMPLE = """serving {directory} at {url}

  {shop} -X PUT --json '{{"learner": "banditron", "labels": ["tea", "coffee"]}}'
  {shop}/decisions --json '{{"x": {{"hour": 8, "day": "Monday"}}}}'
  {shop}/feedback --json '{{"id": "ID OF THE DECISION", "correct": true}}'
"""


@click.command("serve")
@click.argument("directory", type=click.Path(path_type=Path), default=".", metavar="[DIR]")
@click.option("--host", metavar="H", help="Address to bind.  [default: 127.0.0.1]")
@click.option("--port", metavar="P", type=int, help="Port, 0 for any.  [default: 8000]")
@click.option("--token-file", type=click.Path(path_type=Path), metavar="FILE",
              help="Lines of a token's SHA-256 and its roles.")  # fmt: skip
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE.toml",
              help="All settings; options override them.")  # fmt: skip
@click.option("--keep", metavar="90d", help="How long events stay in the store; then archived.")
@click.option("--accept-loss", is_flag=True,
              help="Start with a log that has less than it had.")  # fmt: skip
def serve_command(
    directory: Path, host: str | None, port: int | None, token_file: Path | None,
    config: Path | None, keep: str | None, accept_loss: bool,
) -> None:  # fmt: skip
    """Serve agents over HTTP; DIR has or gets the store.

    Decisions and feedback are on the disk before they are answered.
    """
    try:
        from onebit.service.server import run
        from onebit.service.settings import read_settings
    except ImportError as error:
        raise BadInput(
            f"onebit serve: it needs {error.name}: pip install 'onebit[serve]'."
        ) from None
    settings = read_settings(config, token_file, host=host, port=port, keep=keep)
    curl = "curl -H 'Authorization: Bearer TOKEN'" if settings.tokens else "curl"

    def greet(url: str) -> None:
        shop = f"{curl} {url}/v1/agents/shop"
        echo(EXAMPLE.format(directory=directory.resolve(), url=url, shop=shop))

    interrupts.hand_over()  # to the loop of the service
    run(directory, settings, accept_loss, greet)
