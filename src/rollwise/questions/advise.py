"""The best move for a roll, or the value of a scorecard: for points, or against opponents.

Modules that import the compiler are imported in functions: advice from a saved solution needs none.
"""

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

from rollwise.distribution import Distribution
from rollwise.errors import InputError, MalformedError, TooLargeError, counted, quoted
from rollwise.files import read_input
from rollwise.game.actions import Action
from rollwise.game.dice_notation import format_dice
from rollwise.game.notation import format_action
from rollwise.game.position import CardLike, Position, PositionLike, as_card, format_position
from rollwise.game.scorecard import Scorecard, describe_card, format_card
from rollwise.questions import completion
from rollwise.questions.answer import Answer, Block, Data, Extra, Hidden, Ranking, Raw, table, title
from rollwise.questions.exactness import Steps, exactness, percent
from rollwise.questions.parameters import Card, Game, Objective, RollsLeft, game_of
from rollwise.questions.progress import is_remote, working
from rollwise.questions.solving import (
    objective_of,
    player,
    position_of,
    solved,
    solved_with_moments,
)
from rollwise.rules import Rules, preset_names
from rollwise.settings import default_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objective_parser import BEAT
from rollwise.solving.objectives import EXPECTED, beating
from rollwise.solving.objectives import Objective as Goal
from rollwise.solving.option import Option as SolverOption
from rollwise.solving.option import Options, format_value
from rollwise.solving.solution import Solution

if TYPE_CHECKING:
    from rollwise.reviews.reasons import Reasons
    from rollwise.two_player.near_optimal import NearOptimal
    from rollwise.two_player.solution import DuelSolution
    from rollwise.two_player.win_probability import WinQuery

DUEL: Literal["duel"] = "duel"
"""The name of the strategy of an opponent who responds."""

TIES = 6
"""The maximum number of equally good options that the first line names."""

REASONS = 3
"""The maximum number of options that are compared with the best option in words."""

MOST = 5
"""The maximum number of opponents in a question from the network."""

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
    """Of the whole game if this is done, in the units of the objective."""
    loss: float
    best: bool
    expected: float | None
    """The expected final score."""
    sd: float | None
    """Of the final score; null where it is not known."""
    reasons: dict[str, float] | None = None
    """With --explain: points that the best option has more, by box and bonus."""


class Opponent(Data):
    """An opponent who ignores the scorecard of the player to move."""

    card: str
    plays: str
    mean: float
    sd: float
    scorecard: Hidden[Scorecard]
    distribution: Hidden[Distribution]
    """The final score."""

    def __str__(self) -> str:
        return (
            f"Opponent: {describe_card(self.scorecard)}, strategy {self.plays}, "
            f"expected score {self.mean:.2f} (SD {self.sd:.2f})"
        )


class Advice(Answer):
    """The options of a roll, best first."""

    rules: str
    objective: str
    position: str
    options: list[Option]
    opponents: list[Opponent] | None = None
    solution: Hidden[Solution]
    ranked: Hidden[Options]
    """All options, whatever the number of ``options``."""
    top: Hidden[int | None]
    explain: Hidden[bool | None]
    reasons: Hidden[Any]

    def __repr__(self) -> str:
        best = self.options[0]
        value = format_value(best.value, self.solution.objective.unit)
        return f"<Advice in {self.rules}: {best.action} ({value})>"

    def show(self) -> Iterator[Block]:
        """Yield the best option, all options, and the reasons if they are wanted."""
        return self._show(explain=self.explain is True)

    def show_on_terminal(self) -> Iterator[Block]:
        """Yield also the reasons, unless they are not wanted."""
        wanted = self.explain is None and self.objective == EXPECTED.name
        return self._show(explain=wanted or self.explain is True)

    def show_quietly(self) -> Iterator[Block]:
        """Yield the options."""
        return self._options(explain=self.explain is True, quiet=True)

    def _show(self, *, explain: bool) -> Iterator[Block]:
        yield title(self.solution.rules.title, f": {self.position}")
        yield from map(str, self.opponents or ())
        yield self._best
        yield ""
        yield from self._options(explain=explain, quiet=False)

    @property
    def _best(self) -> Text:
        """The line that names the best option and the options tied with it."""
        goal = self.solution.objective
        ties = [
            format_action(self.solution.rules, option.action)
            for option in self.ranked
            if option.best
        ]
        more = f" or {counted(len(ties) - TIES, 'equally good option')}" if len(ties) > TIES else ""
        value = format_value(self.ranked[0].value, goal.unit)
        best = " or ".join(ties[:TIES]) + more
        return Text.assemble("Best: ", (best, "bold green"), f", {goal.meaning} {value}")

    def _options(self, *, explain: bool, quiet: bool) -> Iterator[Block]:
        headings, *rows = self.ranked.table()
        best = [option.best for option in self.ranked]
        below = ["", "x" * REASON] if explain else []
        yield from ranking(headings, rows, best, self.top, below, quiet=quiet)
        if explain:
            reasons = self.reasons or _reasons(self.solution)
            sentences = reasons.sentences(self.ranked.position, self.ranked)
            yield ""
            for number, sentence in enumerate(islice(sentences, REASONS)):
                yield Extra(sentence) if number else sentence


class DuelOption(Data):
    """A legal action against an opponent who responds."""

    action: str
    kind: Literal["keep", "score"]
    value: float
    win: float
    tie: float
    lose: float
    best: bool


class DuelOpponent(Data):
    """An opponent who responds to the player to move."""

    card: str
    plays: Literal["duel"]


class DuelAdvice(Answer):
    """The options of a roll against one opponent who responds, best first."""

    rules: str
    objective: Literal["beat"]
    position: str
    opponents: list[DuelOpponent]
    exact: bool
    error: float | None = None
    """Only with a grid."""
    grid: Steps | None = None
    options: list[DuelOption]
    situation: Hidden[Position]
    opponent: Hidden[Scorecard]
    solution: Hidden[Any]
    """The win probabilities, exact or near-optimal."""
    ranked: Hidden[list[DuelOption]]
    """All options, whatever the number of ``options``."""
    top: Hidden[int | None]
    command: Hidden[str | None]
    """How to get an exact answer, if it is possible."""

    def __repr__(self) -> str:
        best = self.options[0]
        return f"<Advice in {self.rules}: {best.action} ({best.value:.4f})>"

    def show(self) -> Iterator[Block]:
        """Yield the options, and the error of their values."""
        yield title(self.situation.rules.title, f": {self.position}")
        yield f"Opponent: {describe_card(self.opponent)}, responds to your play"
        yield ""
        notes = [] if self.exact else ["", str(self.solution), *filter(None, [self.command])]
        yield from self._options(notes, quiet=False)
        for note in notes:
            # A terminal wraps a long command itself, so that it can be pasted.
            yield Text(note, no_wrap=True, overflow="ignore") if note == self.command else note

    def show_quietly(self) -> Iterator[Block]:
        """Yield the options."""
        return self._options([], quiet=True)

    def _options(self, below: list[str], *, quiet: bool) -> Iterator[Block]:
        rows = []
        for option in self.ranked:
            each = (option.value, option.win, option.tie, option.lose)
            rows.append([option.action, *(percent(share, self.solution) for share in each)])
        best = [option.best for option in self.ranked]
        headings = ("option", "value", "win", "tie", "lose")
        return ranking(headings, rows, best, self.top, below, quiet=quiet)


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

    def data(self) -> list[dict[str, Any]]:
        """Return the position and its options for each position."""
        return [from_json(line) for line in self._lines()]

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
) -> Advice | DuelAdvice | Value | Lines:
    """Find the best move, or the value of a scorecard.

    EV is the expected final score if you take the option and play optimally afterwards. EV loss is
    the difference from the best option. SD is the standard deviation of the final score. Without
    dice, the command prints the value of the scorecard before the roll.

    With --objective beat, opponents ignore your scorecard. With --opponent-strategy duel, one
    opponent responds to it.

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
        What to play for.
    opponent
        Scorecard of an opponent, for --objective beat; repeatable.
    opponent_strategy
        Opponents' strategy, or duel if they respond to you (default: optimal).
    top
        Show only the N best options (default: 10 on a terminal).
    file
        Positions, one per line; prints JSON lines.
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
    if isinstance(dice, Position) and rules is None:
        rules = dice.rules
    game, roll = game_of(rules), _written(dice)
    opponents = [opponent] if isinstance(opponent, str) else list(opponent or ())
    options: dict[str, Any] = {"--rolls-left": rolls_left, "--top": top, "--explain": explain}
    others = {"--card": card, "--opponent": opponents, "--opponent-strategy": opponent_strategy}
    if file is not None:
        del options["--top"]
        if names := _given(options | {"the dice": roll} | others):
            raise InputError(f"--file reads whole positions. Leave out {names}.")
        return _lines(file, game, objective, top)
    if explain and objective != EXPECTED.name:
        raise InputError(
            f"--explain compares expected scores. Leave out --explain or --objective {objective}."
        )
    if not roll and (names := _given(options)):
        some_roll = format_dice(game, next(game.every_roll()))
        raise InputError(
            f"Only a roll can be combined with {names}. Add the dice, such as {some_roll}."
        )
    _check_words(roll)
    situation = position_of(game, roll, card, rolls_left) if roll else as_card(game, card or "-")
    _check_opponents(objective, len(opponents), opponent_strategy)
    cards = [as_card(game, each) for each in opponents]
    if cards and opponent_strategy == DUEL:
        source = rules if isinstance(rules, str) else default_rules().source
        if isinstance(rules, Rules):
            source = rules.name
        return _duel(situation, cards[0], source, top)
    rivals = opponents_of(cards, opponent_strategy or "optimal") if cards else []
    goal = beat_all(rivals) if rivals else objective_of(objective, game)
    if isinstance(situation, Scorecard):
        return _value(situation, goal, rivals)
    return advice(solved_with_moments(goal, situation), situation, rivals, top, explain)


def _written(dice: PositionLike | None) -> str:
    if dice is None or isinstance(dice, str | int):
        return "" if dice is None else str(dice)
    return format_position(dice) if isinstance(dice, Position) else " ".join(map(str, dice))


def _given(values: dict[str, Any]) -> str:
    """Return the names of the values that were given, in words; empty if none was given."""
    return " and ".join(name for name, value in values.items() if value not in (None, "", []))


def _check_words(roll: str) -> None:
    """Raise an error that names the option if a scorecard or a game follows the dice."""
    for word in roll.split()[1:] if "|" not in roll else ():
        option = "--card" if "=" in word else "--rules" if word in preset_names() else ""
        if option:
            raise MalformedError(f"{quoted(word)} is not a roll. Perhaps you mean: {option} {word}")


def _check_opponents(objective: str, number: int, strategy: str | None) -> None:
    """Raise an error if the options for opponents contradict each other."""
    if number and objective != BEAT:
        raise InputError("--opponent works only with --objective beat. Add --objective beat.")
    if strategy and not number:
        raise InputError(
            "--opponent-strategy needs an opponent. Add the opponent's scorecard, "
            "such as --opponent - for an empty one."
        )
    if objective == BEAT and not number:
        raise InputError(
            "--objective beat needs an opponent. Add the opponent's scorecard, such as "
            "--opponent - for an empty one, or use --objective beat:optimal."
        )
    if is_remote() and number > MOST:
        raise MalformedError(f"opponent: expected at most {MOST} scorecards, got {number}")
    if number > 1 and strategy == DUEL:
        raise InputError(
            f"--opponent-strategy {DUEL} is for one opponent, not {number}. "
            "Use only one --opponent."
        )


def opponents_of(cards: Sequence[Scorecard], strategy: str) -> list[Opponent]:
    """Return an opponent for each scorecard, and compute the distribution of the final score."""
    from rollwise.evaluation.forward_pass_by_score import final_distribution

    found = []
    for card in cards:
        game = card.rules
        roll = next(game.every_roll())
        position = None if card.is_full else Position.of(card, roll, rolls_left=0)
        playing = player(strategy, game, position=position)
        with working(f"evaluating an opponent in {game.name}") as advance:
            final = final_distribution(playing, card, progress=advance)
        found.append(
            Opponent(
                card=format_card(card),
                plays=strategy,
                mean=final.mean,
                sd=final.sd,
                scorecard=card,
                distribution=final,
            )
        )
    return found


def beat_all(opponents: Sequence[Opponent]) -> Goal:
    """Return the objective of finishing with a higher score than all opponents."""
    return beating([(opponent.distribution, 1) for opponent in opponents])


def advice(
    solution: Solution,
    position: Position,
    opponents: list[Opponent],
    top: int | None = None,
    explain: bool | None = None,
) -> Advice:
    """Return the options at a position of a solved game."""
    rules, ranked = position.rules, solution.options(position)
    reasons = _reasons(solution) if explain else None
    gains = reasons.of(position, ranked) if reasons else [None] * len(ranked)
    return Advice(
        rules=rules.name,
        objective=solution.objective.name,
        position=format_position(position),
        options=[
            Option(**option.as_dict(rules), reasons=None if gain is None else dict(gain))
            for option, gain in zip(ranked[:top], gains, strict=False)
        ],
        opponents=opponents or None,
        solution=solution,
        ranked=ranked,
        top=top,
        explain=explain,
        reasons=reasons,
    )


def _reasons(solution: Solution) -> Reasons:
    from rollwise.reviews.reasons import Reasons

    reasons = Reasons(solution)
    with working("comparing the options"):
        reasons.prepare()
    return reasons


def _value(card: Scorecard, goal: Goal, opponents: list[Opponent]) -> Value:
    game = card.rules
    some_roll = Position.of(card, next(game.every_roll()), game.rolls - 1)  # raises on a full card
    solution = solved_with_moments(goal, some_roll)
    if isinstance(solution, CardSolution):
        value, sd = solution.value(card), solution.sd(card)
    else:  # it starts at the scorecard
        value, sd = solution.value(), None
    return Value(
        rules=game.name,
        card=format_card(card),
        value=value,
        sd=sd,
        objective=goal.name,
        opponents=opponents or None,
        scorecard=card,
        goal=goal,
    )


def _duel(
    situation: Position | Scorecard, opponent: Scorecard, source: str, top: int | None
) -> DuelAdvice:
    """Return the options against an opponent who responds; ``source`` names the game."""
    if isinstance(situation, Scorecard):
        raise InputError(
            f"--opponent-strategy {DUEL} needs a roll. "
            f"For the probabilities before it, run: {_command(source, situation, opponent)}"
        )
    from rollwise.questions.duel import answered

    query = duel_query(situation, opponent)
    solution = answered(query)
    command = None
    if not solution.exact and query.exact_size.fits:
        first = _command(source, situation.card, opponent)
        command = f"For the exact answer, first run: {first} ({query.exact_size})"
    return duel_advice(solution, situation, opponent, top, command)


def _command(source: str, card: Scorecard, opponent: Scorecard) -> str:
    """Return the command line that solves the two-player game before the roll."""
    cards = ("--card", format_card(card), "--opponent", format_card(opponent))
    return shlex.join(["rollwise", "duel", "--rules", source, *cards])


def duel_query(position: Position, opponent: Scorecard) -> WinQuery:
    """Return the query for the win probabilities against an opponent who responds."""
    from rollwise.two_player.grid import Grid
    from rollwise.two_player.solver import DuelSolver
    from rollwise.two_player.win_probability import ADVICE, SERVER, WinQuery

    solver = DuelSolver(position.rules)
    if is_remote():
        return WinQuery(solver, position, opponent, SERVER)
    return WinQuery(solver, position, opponent, ADVICE, grid=Grid())


def duel_advice(
    solution: DuelSolution | NearOptimal,
    position: Position,
    opponent: Scorecard,
    top: int | None = None,
    command: str | None = None,
) -> DuelAdvice:
    """Return the options at a position against an opponent who responds."""
    ranked = []
    for option in solution.options(position):
        assert option.chances is not None
        ranked.append(
            DuelOption(
                action=format_action(position.rules, option.action),
                kind=option.action.kind,
                value=option.value,
                **option.chances._asdict(),
                best=option.best,
            )
        )
    return DuelAdvice(
        rules=position.rules.name,
        objective="beat",
        position=format_position(position),
        opponents=[DuelOpponent(card=format_card(opponent), plays=DUEL)],
        **exactness(solution),
        options=ranked[:top],
        situation=position,
        opponent=opponent,
        solution=solution,
        ranked=ranked,
        top=top,
        command=command,
    )


def _lines(path: Path, rules: Rules, objective: str, top: int | None) -> Lines:
    """Return the options of all positions in a file.

    All positions are read first, so that an error in a line is reported before the game is solved.
    """
    positions = _read(path, rules)
    goal = objective_of(objective, rules)
    try:
        solution = solved(rules, goal, moments=True)
    except TooLargeError:  # then without SD, as for a single position
        solution = solved(rules, goal)
    return Lines(positions=positions, solution=solution, top=top)


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


def ranking(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    best: Sequence[bool],
    top: int | None,
    below: Sequence[str],
    *,
    quiet: bool,
) -> Iterator[Block]:
    """Yield a table of options, best first, and the number of options that it does not show."""
    first, *numbers = headings
    options = table(first, *(f">{heading}" for heading in numbers))
    for row, is_best in list(zip(rows, best, strict=True))[:top]:
        options.add_row(*row, style="green" if is_best else None)
    if top is None:
        yield Ranking(options, tuple(below), counts_rest=not quiet)
        return
    yield options
    if len(rows) > top and not quiet:
        yield f"… and {len(rows) - top} more: --top {len(rows)}"
