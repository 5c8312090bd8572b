"""The best move for a roll, or the value of a scorecard: for points, or against opponents."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from annotated_types import Ge
from cyclopts import Parameter
from pydantic_core import from_json, to_json
from rich.text import Text

from rollwise.errors import InputError, MalformedError, counted, quoted
from rollwise.files import read_input
from rollwise.game.actions import Action
from rollwise.game.dice_notation import format_dice
from rollwise.game.notation import format_action
from rollwise.game.position import (
    CardLike,
    Position,
    PositionLike,
    as_card,
    as_position,
    format_position,
)
from rollwise.game.scorecard import Scorecard, describe_card, format_card
from rollwise.questions import checks_arguments, completion
from rollwise.questions.answer import Answer, Block, Data, Extra, Hidden, Ranking, Raw, table, title
from rollwise.questions.exactness import Errors, GridSteps, exactness, percent, value_of
from rollwise.questions.opponents import DUEL, Opponent, against, check_opponents
from rollwise.questions.parameters import Card, Game, Objective, RollsLeft
from rollwise.questions.progress import working
from rollwise.questions.solving import breakdown, objective_of, solved_with_moments
from rollwise.rules import Rules, game_of, preset_names
from rollwise.solving.objective_parser import BEAT
from rollwise.solving.objectives import EXPECTED
from rollwise.solving.objectives import Objective as Goal
from rollwise.solving.option import Option as SolverOption
from rollwise.solving.option import format_value
from rollwise.solving.solution import Solution

if TYPE_CHECKING:
    from rollwise.questions.opponents import AnySolution
    from rollwise.reviews.reasons import Reasons

TIES = 6
"""The maximum number of equally good options that the first line names."""

REASONS = 3
"""The maximum number of options that are compared with the best option in words."""

REASON = 130
"""The usual length of a reason in characters; on a terminal, the table leaves room for one."""

MAX_BYTES = 100_000_000
"""The largest file of positions in bytes."""

BATCH = 100
"""The number of positions of a file that are written together."""

OPTION_JSON = '%s, "value": %s, "loss": %s, "best": %s, "expected": %s, "sd": %s}'
"""The JSON template of an option; the first placeholder is for the action and its kind."""


class Option(Data):
    """A legal action, and the value of the game after it."""

    action: str
    kind: Literal["keep", "score"]
    value: float
    """The value of the whole game after this action, in the units of the objective."""
    loss: float
    best: bool
    expected: float | None
    """The expected final score."""
    sd: float | None
    """The SD of the final score; null if it is not known."""
    reasons: dict[str, float] | None = None
    """With --explain: how many more points the best option scores, by category and bonus."""


class DuelOption(Data):
    """A legal action against an opponent who responds, and the probabilities after it."""

    action: str
    kind: Literal["keep", "score"]
    value: float
    win: float | None
    tie: float | None
    lose: float | None
    best: bool


class Advice(Answer):
    """The options of a roll, best first."""

    rules: str
    objective: str
    position: str
    options: list[Option] | list[DuelOption]
    opponents: list[Opponent] | None = None
    exact: bool | None = None
    """Whether the probabilities are exact; null unless the opponent responds."""
    errors: Errors | None = None
    grid: GridSteps | None = None
    situation: Hidden[Position]
    solution: Hidden[Any]
    """The solved game, or the win probabilities if the opponent responds."""
    ranked: Hidden[Any]
    """All options of the solution, whatever the number of ``options``."""
    top: Hidden[int | None]
    explain: Hidden[bool | None]
    reasons: Hidden[Any]
    command: Hidden[str]
    """How to get an exact answer, if it is possible."""

    def __repr__(self) -> str:
        best = self.options[0]
        if self.exact is None:
            value = format_value(best.value, self.solution.objective.unit)
        else:
            value = value_of(best.value, self.exact)
        return f"<Advice in {self.rules}: {best.action} ({value})>"

    def show(self) -> Iterator[Block]:
        """Yield the best option, all options, and the reasons if they are wanted."""
        return self._show(explain=self.explain is True)

    def show_on_terminal(self) -> Iterator[Block]:
        """Yield also the reasons, unless they are not wanted."""
        return self._show(explain=self.explain is not False and self.objective == EXPECTED.name)

    def show_quietly(self) -> Iterator[Block]:
        """Yield the options."""
        return self._options(explain=self.explain is True, quiet=True)

    def _show(self, *, explain: bool) -> Iterator[Block]:
        yield title(self.situation.rules.title, f": {self.position}")
        yield from map(str, self.opponents or ())
        rules = self.situation.rules
        ties = [format_action(rules, option.action) for option in self.ranked if option.best]
        if (rest := len(ties) - TIES) > 0:
            ties[TIES:] = [counted(rest, "equally good option")]
        value = self.ranked[0].value
        if self.exact is None:
            goal = self.solution.objective
            words = f"{goal.meaning} {format_value(value, goal.unit)}"
        else:
            words = f"value {percent(value, self.solution)}"
        yield Text.assemble("Best: ", (" or ".join(ties), "bold green"), f", {words}")
        yield ""
        yield from self._options(explain=explain, quiet=False)

    def table(self, digits: int = 6) -> list[tuple[str, ...]]:
        """Return headings, and a row for each option; ``digits`` are those of exact percentages."""
        if self.exact is None:
            rows: list[tuple[str, ...]] = self.ranked.table()
            return rows
        has_chances = self.ranked[0].chances is not None
        rows = [("option", "value", *(("win", "tie", "lose") if has_chances else ()))]
        for option in self.ranked:
            each = (option.value, *(option.chances or ()))
            percents = (percent(share, self.solution, digits) for share in each)
            rows.append((format_action(self.situation.rules, option.action), *percents))
        return rows

    def _options(self, *, explain: bool, quiet: bool) -> Iterator[Block]:
        """Yield a table of the options, and the reasons or the error of the values."""
        (first, *numbers), *rows = self.table()
        options = table(first, *(f">{heading}" for heading in numbers))
        for row, option in list(zip(rows, self.ranked, strict=True))[: self.top]:
            options.add_row(*row, style="green" if option.best else None)
        is_estimate = self.exact is False and not quiet
        notes = ["", str(self.solution), *filter(None, [self.command])] if is_estimate else []
        if self.top is None:
            below = ["", "x" * REASON] if explain else notes
            yield Ranking(options, tuple(below), counts_rest=not quiet)
        else:
            yield options
            if len(rows) > self.top and not quiet:
                yield f"… and {len(rows) - self.top} more: --top {len(rows)}"
        if explain:
            reasons = self.reasons or _reasons(self.solution)
            yield ""
            sentences = reasons.sentences(self.situation, self.ranked)
            for number, sentence in enumerate(islice(sentences, REASONS)):
                yield Extra(sentence) if number else sentence
        for note in notes:
            # A terminal wraps a long command itself, so that it can be pasted.
            yield Text(note, no_wrap=True, overflow="ignore") if note == self.command else note


class Value(Answer):
    """The value of a scorecard before a roll."""

    rules: str
    card: str
    value: float
    sd: float | None
    objective: str
    opponents: list[Opponent] | None = None
    scorecard: Hidden[Scorecard]
    goal: Hidden[Goal]

    def __float__(self) -> float:
        return self.value

    def rows(self) -> list[dict[str, Any]]:
        """Return the value as one row, without the opponents."""
        return [self.model_dump(exclude={"opponents"})]

    def __repr__(self) -> str:
        return f"<Value of {self.card} in {self.rules}: {self.value:.7g}>"

    def show(self) -> Iterator[Block]:
        """Yield the scorecard, the opponents, and the value."""
        yield title(self.scorecard.rules.title, f": {describe_card(self.scorecard)}")
        yield from map(str, self.opponents or ())
        yield from self.show_quietly()

    def show_quietly(self) -> Iterator[Block]:
        """Yield the value, and the SD of the score if it is known."""
        unit = self.goal.unit
        value = f"{self.value:.6f}" if unit == "points" else format_value(self.value, unit)
        has_sd = self.sd is not None and self.objective == EXPECTED.name
        sd = f" (SD {self.sd:.4f})" if has_sd else ""
        yield f"{self.goal.meaning.capitalize()}: {value}{sd}"


class Lines(Answer):
    """The options of many positions, as one line of JSON for each."""

    json_type: ClassVar[Any] = list[dict[str, Any]]
    shows_json: ClassVar[bool] = True

    positions: Hidden[list[Position]]
    solution: Hidden[Solution]
    top: Hidden[int | None]

    def __repr__(self) -> str:
        return f"<Lines of {counted(len(self.positions), 'position')}>"

    def data(self) -> list[dict[str, Any]]:
        """Return the position and its options for each position."""
        return [from_json(line) for line in self._lines()]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each option of each position."""
        return [
            {"position": each["position"], **option}
            for each in self.data()
            for option in each["options"]
        ]

    def show(self) -> Iterator[Block]:
        """Yield the lines, as they are computed."""
        number, total = 0, len(self.positions)
        lines = self._lines()
        with working("advising") as advance:
            while batch := list(islice(lines, BATCH)):
                yield Raw("\n".join(batch))
                number += len(batch)
                advance(number / total)

    def _lines(self) -> Iterator[str]:
        rules = self.solution.rules

        @cache
        def words(action: Action) -> str:
            return f'{{"action": "{format_action(rules, action)}", "kind": "{action.kind}"'

        each = self.solution.options_each(self.positions)
        for position, options in zip(self.positions, each, strict=True):
            written = _to_json(options[: self.top], words)
            yield f'{{"position": "{format_position(position)}", "options": [{written}]}}'


def _to_json(options: list[SolverOption], words: Callable[[Action], str]) -> str:
    """Return options as JSON; converting all numbers in one call is three times as fast."""
    parts = list(chain.from_iterable(options))
    width, actions = len(SolverOption._fields), [words(option.action) for option in options]
    parts[::width] = [None] * len(options)
    values = to_json(parts).decode()[1:-1].split(",")
    values[::width] = actions
    return ", ".join([OPTION_JSON] * len(options)) % tuple(values)


def _joined(_: object, words: Sequence[Any]) -> str:
    return " ".join(word.value for word in words)


@checks_arguments
def advise(
    dice: Annotated[
        PositionLike | None,
        Parameter(metavar="DICE|POSITION", n_tokens=-1, converter=_joined),
    ] = None,
    *,
    rolls_left: RollsLeft = None,
    card: Card = None,
    rules: Game = None,
    objective: Objective = EXPECTED.name,
    opponent: Annotated[
        Sequence[CardLike] | None,
        Parameter(metavar="CARD", allow_leading_hyphen=True, completer=completion.card),
    ] = None,
    opponent_strategy: Annotated[
        str | None, Parameter(metavar="STRATEGY", completer=completion.strategies)
    ] = None,
    top: Annotated[int | None, Ge(1), Parameter(metavar="N")] = None,
    file: Annotated[Path | None, Parameter(metavar="FILE")] = None,
    explain: Annotated[bool | None, Parameter(negative="--no-explain")] = None,
) -> Advice | Value | Lines:
    """Find the best move, or the value of a scorecard.

    EV is the expected final score if you take the option and play optimally afterwards. EV loss is
    the difference from the best option. SD is the standard deviation of the final score. Without
    dice, the command prints the value of the scorecard before the roll.

    With --objective beat, opponents ignore your scorecard. With --opponent-strategy duel, one
    opponent responds to your scorecard.

    Parameters
    ----------
    dice
        The roll, or a position as one line of text.
    rolls_left
        Rerolls left.
    card
        The scorecard.
    rules
        The game.
    objective
        The objective.
    opponent
        Scorecard of an opponent, for --objective beat; repeatable.
    opponent_strategy
        Opponents' strategy, or duel if they respond to you (default: optimal).
    top
        Show only the N best options (default: 10 on a terminal).
    file
        Read positions from a file, one per line; print JSON lines.
    explain
        Compare the best options category by category (default: on a terminal).

    Examples
    --------
    >>> advise(4, rules="micro-yahtzee")
    <Advice in micro-yahtzee: score double (23.17)>
    >>> advise(card={"double": 4}, rules="micro-yahtzee")
    <Value of double=4 in micro-yahtzee: 19.16667>

    rollwise advise 11366
    rollwise advise 11366 --rolls-left 1 --card "ones=3,full-house=25" --explain
    rollwise advise 336 --rules crag --objective beat --opponent crag=50
    """
    game = game_of(rules, dice, card)
    opponents = [opponent] if isinstance(opponent, str) else list(opponent or ())
    options: dict[str, Any] = {"--rolls-left": rolls_left, "--top": top, "--explain": explain}
    others = {"--card": card, "--opponent": opponents, "--opponent-strategy": opponent_strategy}
    if file is not None:
        del options["--top"]
        if names := _given(options | {"the dice": dice} | others):
            raise InputError(f"--file reads whole positions. Leave out {names}.")
        positions = _read(file, game)  # reports errors before the game is solved
        solved = solved_with_moments(game, objective_of(objective, game))
        return Lines(positions=positions, solution=solved, top=top)
    if explain and objective != EXPECTED.name:
        raise InputError(
            f"--explain compares expected scores. Leave out --explain or --objective {objective}."
        )
    some_roll = next(game.every_roll())
    if dice is None and (names := _given(options)):
        raise InputError(
            f"Only a roll can be combined with {names}. Add the dice, such as "
            f"{format_dice(game, some_roll)}."
        )
    if isinstance(dice, str):
        _check_words(dice)
    if dice is None:
        position = Position.of(as_card(game, card or "-"), some_roll, game.rolls - 1)
    else:
        position = as_position(game, dice, rolls_left, card)
    for each in opponents:
        if isinstance(each, str) and each.strip().isdecimal():
            raise InputError(
                f"--opponent takes a scorecard. Against a final score, use --objective beat:{each} "
                f"instead of --opponent {each}."
            )
    check_opponents(objective, len(opponents), opponent_strategy)
    rivals, command = list[Opponent](), ""
    if opponents:
        cards = [as_card(game, each) for each in opponents]
        if opponent_strategy == DUEL:
            source = rules if isinstance(rules, str) else game.name
            sides = ("--card", format_card(position.card), "--opponent", format_card(cards[0]))
            command = shlex.join(["rollwise", "duel", "--rules", source, *sides])
            if dice is None:
                raise InputError(
                    f"--opponent-strategy {DUEL} needs a roll. "
                    f"For the probabilities before it, run: {command}"
                )
        rivals, solution, size = against(position, cards, opponent_strategy or "optimal")
        command = f"For the exact answer, first run: {command} ({size})" if size else ""
    else:
        solution = solved_with_moments(game, objective_of(objective, game), position)
    if dice is None and isinstance(solution, Solution):
        return _value(solution, position.card, rivals)
    return advice(solution, position, rivals, top, explain, command)


def _given(values: dict[str, Any]) -> str:
    """Return the names of the values that were given, in words; empty if none was given."""
    return " and ".join(name for name, value in values.items() if value not in (None, "", []))


def _check_words(roll: str) -> None:
    """Raise an error that names the option if a scorecard or a game follows the dice."""
    for word in roll.split()[1:] if "|" not in roll else ():
        option = "--card" if "=" in word else "--rules" if word in preset_names() else ""
        if option:
            raise MalformedError(f"{quoted(word)} is not a roll. Perhaps you mean: {option} {word}")


def advice(
    solution: AnySolution,
    position: Position,
    opponents: list[Opponent],
    top: int | None = None,
    explain: bool | None = None,
    command: str = "",
) -> Advice:
    """Return the options at a position of a solved game."""
    rules = position.rules
    fields: dict[str, Any]
    if isinstance(solution, Solution):
        ranked = solution.options(position)
        reasons = _reasons(solution) if explain else None
        gains = reasons.of(position, ranked) if reasons else [None] * len(ranked)
        options = [
            Option(**option.as_dict(rules), reasons=None if gain is None else dict(gain))
            for option, gain in zip(ranked[:top], gains, strict=False)
        ]
        goal = solution.objective.name
        fields = {"objective": goal, "options": options, "ranked": ranked, "reasons": reasons}
    else:
        replies: list[Any] = solution.options(position)
        duel_options = [_duel_option(rules, option) for option in replies[:top]]
        fields = {"objective": BEAT, "options": duel_options, "ranked": replies, "reasons": None}
        fields |= exactness(solution)
    return Advice(
        rules=rules.name,
        position=format_position(position),
        opponents=opponents or None,
        situation=position,
        solution=solution,
        top=top,
        explain=explain,
        command=command,
        **fields,
    )


def _duel_option(rules: Rules, option: Any) -> DuelOption:
    win, tie, lose = option.chances or (None, None, None)
    return DuelOption(
        action=format_action(rules, option.action),
        kind=option.action.kind,
        value=option.value,
        win=win,
        tie=tie,
        lose=lose,
        best=option.best,
    )


def _reasons(solution: Solution) -> Reasons:
    from rollwise.reviews.reasons import Reasons  # slow to import

    return Reasons(solution, breakdown(solution))


def _value(solution: Solution, card: Scorecard, opponents: list[Opponent]) -> Value:
    return Value(
        rules=card.rules.name,
        card=format_card(card),
        value=solution.value(card),
        sd=solution.sd(card),
        objective=solution.objective.name,
        opponents=opponents or None,
        scorecard=card,
        goal=solution.objective,
    )


def _read(path: Path, rules: Rules) -> list[Position]:
    """Read the positions from a file or from standard input; ``#`` begins a comment."""
    try:
        text = read_input(path, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise MalformedError(f"{path} is not a UTF-8 text file. Save it as UTF-8.") from None
    stripped = (line.partition("#")[0].strip() for line in text.splitlines())
    lines = {number: line for number, line in enumerate(stripped, start=1) if line}
    positions: list[Position] = []
    try:
        positions.extend(Position.each(rules, lines.values()))
    except InputError as error:
        number = list(lines)[len(positions)]
        raise MalformedError(f"{path}, line {number}: {error}") from None
    return positions
