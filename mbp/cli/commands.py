"""The commands: what each is called, where it is, and the page that lists them all.

A command's module is loaded when the command is called for, and only then: nobody should wait for
the audit in order to see a board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mbp import __version__
from mbp.cli.terminal import wrapped

NAMES = {"help_option_names": ["-h", "--help"]}


@dataclass(frozen=True)
class Command:
    """A line of the list; `module` of mbp.cli has the function, or for a group the typer app."""

    name: str
    module: str
    function: str
    section: str
    does: str


PLAY, LOOK, KEYS, MORE = "Play", "Look", "Keys and people", "More"

COMMANDS = {
    command.name: command
    for command in (
        Command("new", "opening", "new", PLAY, "invite somebody to a game"),
        Command("join", "opening", "join", PLAY, "accept an invitation"),
        Command("receive", "receive", "receive", PLAY, "take in a file that came"),
        Command("move", "play", "move", PLAY, "play a move"),
        Command("send", "mailing", "send", PLAY, "mail a match out"),
        Command("resend", "mailing", "resend", PLAY, "send the newest mail again"),
        Command("remind", "mailing", "remind", PLAY, "ask for the next entry"),
        Command("resign", "play", "resign", PLAY, "give a game up"),
        Command("agree", "play", "agree", PLAY, "accept an offer to stop"),
        Command("claim", "play", "claim", PLAY, "claim when time is over"),
        Command("vacation", "play", "vacation", PLAY, "take days off"),
        Command("bot", "play", "bot", PLAY, "let a computer play for you"),
        Command("disclose", "play", "disclose", PLAY, "open your cards at the end"),
        Command("status", "overview", "status", LOOK, "your games"),
        Command("show", "show", "show", LOOK, "the board and the next step"),
        Command("moves", "look", "moves", LOOK, "the moves you can play"),
        Command("log", "look", "log", LOOK, "what has happened so far"),
        Command("audit", "verdict", "audit_files", LOOK, "verify files, no key needed"),
        Command("replay", "replaying", "replay", LOOK, "step through a match"),
        Command("export", "export", "export", LOOK, "a page or picture of a match"),
        Command("standings", "ranking", "rank", LOOK, "who has won how often"),
        Command("stats", "ranking", "tell_stats", LOOK, "how matches went"),
        Command("watch", "watch", "watch", LOOK, "say when it is your turn"),
        Command("key", "keys", "key", KEYS, "your key, and its backup"),
        Command("trust", "people", "trust", KEYS, "remember whose key it is"),
        Command("contacts", "people", "contacts", KEYS, "the people you know"),
        Command("fork", "forks", "fork", MORE, "two histories of one game"),
        Command("settle", "forks", "settle", MORE, "stand by one history"),
        Command("commit", "commit", "commit", MORE, "commit a game file to git"),
        Command("git", "repository", "git", MORE, "set up a git repository"),
        Command("demo", "demo", "demo", MORE, "watch a whole game by post"),
    )
}


class Commands(TyperGroup):
    """The list of commands, each loaded on demand; the two options for all go with each."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the page."""
        return [name for name in COMMANDS if _is_there(COMMANDS[name])]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, None if there is none."""
        command = COMMANDS.get(cmd_name)
        if command is None or not _is_there(command):
            return None
        loaded = _load(command)
        shared = [one for one in self.params if one.name in ("home", "games")]
        for inner in getattr(loaded, "commands", {"": loaded}).values():
            keep_texts(inner)
            inner.params.extend(shared)  # they may stand behind the command too
        return loaded

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The page of `mbp --help`: the commands by what they are for."""

        def write(text: str) -> None:
            for line in wrapped(text, formatter.width, rest=" " * 12 if text[:1] == " " else ""):
                formatter.write(f"{line}\n")

        write("mbp plays games for two by post: one signed file goes back and forth.")
        write("")
        write("usage: mbp COMMAND ...")
        write("mbp COMMAND --help tells more")
        for section in (PLAY, LOOK, KEYS, MORE):
            write("")
            write(section)
            for name in self.list_commands(ctx):
                if COMMANDS[name].section == section:
                    write(f"  {name:<9} {COMMANDS[name].does}")
        write("")
        write("For all commands")
        write("  --home PATH   your folder (MBP_HOME)")
        write("  --games PATH  where games lie (MBP_GAMES)")
        write("")
        write("First: mbp key new --name NAME, then mbp new, and send the file it makes.")


def _is_there(command: Command) -> bool:
    return command.name != "demo" or find_spec(f"mbp.cli.{command.module}") is not None


def _load(command: Command) -> Any:
    """Makes typer's command of the function, its docstring the help."""
    found = getattr(import_module(f"mbp.cli.{command.module}"), command.function)
    if isinstance(found, typer.Typer):
        return typer.main.get_command(found)
    one = typer.Typer(add_completion=False, rich_markup_mode=None)
    one.command(command.name, context_settings=NAMES)(found)
    return typer.main.get_command(one)


def keep_texts(command: Any) -> None:
    """Lets texts pass as they are: typer may load a whole library to make a text of a text.

    Every parameter of mbp is a text, several texts, or a flag; numbers are read by `number`.
    What is missing or of another kind goes typer's way.
    """
    listed = command.get_params

    def get_params(ctx: Any) -> Any:
        parameters = listed(ctx)
        for parameter in parameters:
            if not isinstance(parameter.process_value, partial):
                parameter.process_value = partial(_keep_text, parameter, parameter.process_value)
        return parameters

    command.get_params = get_params


def _keep_text(parameter: Any, otherwise: Callable[[Any, Any], Any], ctx: Any, value: Any) -> Any:
    several = parameter.multiple or parameter.nargs == -1
    texts = tuple(value or ()) if several and not isinstance(value, str) else (value,)
    missing = value is None or (several and not texts)
    if (missing and parameter.required) or not all(isinstance(t, str | None) for t in texts):
        return otherwise(ctx, value)
    kept = list(texts) if several else value
    return kept if parameter.callback is None else parameter.callback(ctx, parameter, kept)


def number(text: str, name: str, least: int, most: int) -> int:
    """A number that was typed for the parameter `name`. Raises typer.BadParameter."""
    if text.isascii() and text.isdecimal() and len(text) <= 9 and least <= int(text) <= most:
        return int(text)
    raise typer.BadParameter(f"{text!r} is no number from {least} to {most}", param_hint=name)


def _keep(ctx: typer.Context, param: typer.CallbackParam, value: str | None) -> None:
    if value is not None:
        ctx.obj.options[param.name or ""] = value


def _tell_version(ctx: typer.Context, value: bool) -> None:
    if value:
        ctx.obj.terminal.put(f"mbp {__version__}")
        raise typer.Exit


HOME_HELP = "Your folder: key, contacts, memory (MBP_HOME)."
GAMES_HELP = "The folder of game files (MBP_GAMES)."


def _root(
    ctx: typer.Context,
    home: Annotated[
        str | None,
        typer.Option(callback=_keep, expose_value=False, metavar="PATH", help=HOME_HELP),
    ] = None,
    games: Annotated[
        str | None,
        typer.Option(callback=_keep, expose_value=False, metavar="PATH", help=GAMES_HELP),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True)
    ] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
        raise typer.Exit(2)


def make_root() -> Any:
    """Typer's command for the whole program."""
    app = typer.Typer(
        cls=Commands,
        add_completion=False,
        rich_markup_mode=None,
        invoke_without_command=True,
        context_settings=NAMES,
    )
    app.callback()(_root)
    root = typer.main.get_command(app)
    keep_texts(root)
    return root
