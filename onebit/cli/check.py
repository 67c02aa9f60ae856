"""`onebit check`: the contract, for a learner of your own."""

from __future__ import annotations

import click

from onebit.errors import BadInput


@click.command("check")
@click.argument("learner")
def check_command(learner: str) -> None:
    """Hold a LEARNER to the contract that every learner must pass, such as your own."""
    from onebit import checks, learners

    kind = learners.find(learner)
    broken = 0
    for law in checks.laws_for(kind):
        try:
            law(kind)
        except checks.Broken as why:
            broken += 1
            click.echo(f"BROKEN  {law.__name__}: {why}")
        else:
            click.echo(f"holds   {law.__name__}")
    if broken:
        raise BadInput(f"{kind.__name__}: {broken} laws of the contract are broken.")
