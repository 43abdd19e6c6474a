"""`tacit init`: a directory becomes a workspace."""

from __future__ import annotations

import click

from tacit.cli import output, owner
from tacit.cli.reading import expanded, json_option, opened_app
from tacit.guard.normalise import one_line


@click.command("init")
@click.argument("directory", metavar="DIR")
@click.option(
    "--template", is_flag=True, help="Put a line into each folder that says what it is for."
)
@click.option("--adopt", is_flag=True, help="Take the memory that lies there already for your own.")
@json_option
def command(*, directory: str, template: bool, adopt: bool, as_json: bool) -> None:
    """Make DIR a workspace: a memory of its own in `.os`, and folders for what you work on.

    What is there already stays as it is; run it again to make what is missing. The workspace is
    written into config.toml of the home: without that line, an `.os` is ignored.
    """
    made = opened_app().init(
        expanded(directory), owner.caller(), with_template=template, adopting=adopt
    )
    if as_json:
        output.as_json(made)
        return
    what = "is a workspace now" if made.is_new else "was a workspace already"
    click.echo(one_line(f"{made.directory} {what}: the group {made.name}."))
    for path in made.made:
        click.echo(f"  made {one_line(path)}")
    if made.is_new:
        click.echo("Sessions in it are remembered there from now on.")
