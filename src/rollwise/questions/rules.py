"""The games that come with rollwise, and the rules of a game in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from cyclopts import Parameter
from rich.text import Text

from rollwise.errors import InputError
from rollwise.questions import checks_arguments, completion
from rollwise.questions.answer import Answer, Block, Data, Hidden, table, title
from rollwise.rules import Category, Rules, load_rules, preset_names
from rollwise.rules.describe import describe, describe_category
from rollwise.rules.loader import load_rule_file
from rollwise.rules.schema import RuleFile
from rollwise.rules.writer import differences, written_out

ONE_FORM = "Choose one of --json, --toml, and --full."


class Preset(Data):
    """A game that comes with rollwise."""

    name: str
    title: str
    rules: Hidden[Rules]


class Presets(Answer):
    """The games that come with rollwise."""

    json_type: ClassVar[Any] = list[Preset]

    presets: list[Preset]

    def __repr__(self) -> str:
        return f"<Presets: {len(self.presets)} games>"

    def data(self) -> list[dict[str, str]]:
        """Return the names and the titles."""
        return [preset.model_dump() for preset in self.presets]

    def show(self) -> Iterator[Block]:
        """Yield a row for each game."""
        rows = table("name", "game", ">dice", ">rolls", ">categories")
        for preset in self.presets:
            rules = preset.rules
            kinds = " + ".join(f"{dice}×{faces}" for dice, faces in rules.kinds)
            counts = (kinds, str(rules.rolls), str(len(rules.categories)))
            rows.add_row(preset.name, preset.title, *counts)
        yield rows


@checks_arguments
def list_rules() -> Presets:
    """List the games that come with rollwise.

    Examples
    --------
    >>> [preset.name for preset in list_rules().presets][:3]
    ['balut', 'crag', 'generala']

    rollwise rules list
    rollwise rules list --json
    """
    rules = map(load_rules, preset_names())
    return Presets(presets=[Preset(name=r.name, title=r.title, rules=r) for r in rules])


class RuleSheet(Answer):
    """The rules of a game."""

    json_type: ClassVar[Any] = Rules

    file: Hidden[RuleFile]
    text: Hidden[str | None]
    """The rule file to show instead of the rules in words."""

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.file.rules

    def __repr__(self) -> str:
        return f"<RuleSheet of {self.rules.name}>"

    def data(self) -> dict[str, Any]:
        """Return the rules as JSON data."""
        if self.text is not None:
            raise InputError(ONE_FORM)
        return self.rules.model_dump(mode="json")

    def show(self) -> Iterator[Block]:
        """Yield remarks, differences from the base, and the categories; or a rule file."""
        rules = self.rules
        if self.text is not None:
            yield Text(self.text.removesuffix("\n"), no_wrap=True)
            return
        yield title(rules.title, f" ({rules.name})")
        yield from describe(rules)
        yield from (f"Source: {source}" for source in rules.sources)
        yield from (f"Rule variant: {dispute.says}" for dispute in rules.disputed)
        if changes := list(differences(self.file)):
            yield from ("", *changes)
        yield ""
        alike: dict[tuple[str, str, str], list[Category]] = {}
        for name, category in zip(rules.row_titles, rules.categories, strict=True):
            alike.setdefault((name, *describe_category(category)), []).append(category)
        rows = table("category", "key", "code", "needs", "points")
        for (name, asks, points), slots in alike.items():
            codes = " ".join(slot.code or "" for slot in slots)
            rows.add_row(name, "\n".join(slot.key for slot in slots), codes, asks, points)
        yield rows


@checks_arguments
def show_rules(
    rules: Annotated[str | Rules, Parameter(metavar="NAME|FILE.toml", completer=completion.games)],
    *,
    toml: bool = False,
    full: bool = False,
) -> RuleSheet:
    """Show the rules of a game.

    If a rule file has a base, the command shows the differences and the complete rules.

    Parameters
    ----------
    rules
        A game from rollwise rules list, or a rule file.
    toml
        Print the rule file itself.
    full
        Print the complete rule file, without a base.

    Examples
    --------
    >>> show_rules("crag").rules.title
    'Crag'

    rollwise rules show yatzy
    rollwise rules show yahtzee-forced-joker --toml
    rollwise rules show yahtzee-forced-joker --full
    rollwise rules show my-game.toml --json
    """
    if toml and full:
        raise InputError(ONE_FORM)
    named = rules.named if isinstance(rules, Rules) else rules
    if isinstance(named, Rules):
        if toml or full:
            raise InputError("toml and full need the name of a game, or the path of a rule file.")
        file = RuleFile("", {}, None, {}, named)
    else:
        file = load_rule_file(named)
    text = written_out(file.data) if full else file.text if toml else None
    return RuleSheet(file=file, text=text)
