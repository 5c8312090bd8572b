"""Test what programmers pass to functions: values, strategies, and what is refused."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rollwise
from rollwise import (
    Distribution,
    Game,
    Keep,
    Position,
    Roll,
    Score,
    Scorecard,
    advise,
    compare,
    decide,
    duel,
    evaluate,
    frontier,
    load_rules,
    match,
    odds,
    parse_strategy,
    plots,
    report,
    simulate,
    solve,
    sweep,
)
from rollwise.errors import IllegalError, InputError, MalformedError
from rollwise.learning.agents import Agent
from rollwise.questions.duel import Duel

MICRO, CRAG = solve("micro-yahtzee"), solve("crag")


class Pairs:
    """A strategy that keeps the most frequent face."""

    def keep(self, card: Any, dice: tuple[int, ...], rolls_left: int) -> list[int]:
        face = max(dice, key=lambda face: (dice.count(face), face))
        return [die for die in dice if die == face]


class First(Pairs):
    """The same, scoring in the first category."""

    def score(self, card: Any, dice: tuple[int, ...]) -> str:
        return str(card.choices(dice)[0])


class Last(Pairs):
    """The same, scoring in the category that ``worth`` prefers."""

    def worth(self, card: Any, dice: tuple[int, ...], key: str) -> float:
        return float(card.rules.keys.index(key))


class Greedy:
    """A strategy with ``worth`` alone."""

    def worth(self, card: Any, dice: tuple[int, ...], key: str) -> float:
        return float(card.points(dice, key))


class TestStrategies:
    """Check that each function accepts each form of a strategy."""

    @pytest.mark.parametrize("player", [Pairs, Pairs(), First, Last(), Greedy, MICRO, "greedy"])
    def test_all_functions_take_all_forms(self, player: Any) -> None:
        exact = evaluate(player, "micro-yahtzee").distribution
        games = simulate(player, rules="micro-yahtzee", games=200, seed=1).rows()
        mean = sum(game["score"] for game in games) / 200
        assert abs(mean - exact.mean) < 5 * exact.sd / 200**0.5
        compared = compare(["optimal", player], games=50, rules="micro-yahtzee")
        row = compared.strategies[1]
        assert compared.games == 50
        assert match(player, "greedy", "micro-yahtzee", 3).number == 3
        assert parse_strategy(player, "micro-yahtzee").name == row.strategy
        if player is not MICRO:
            assert sweep(rolls="1", strategy=player, rules="micro-yahtzee").cells[0].mean > 0

    def test_the_methods_differ(self) -> None:
        crag = load_rules("crag")
        rules = crag.model_copy(update={"name": "short", "categories": crag.categories[4:9]})
        means = [
            evaluate(player, rules).distribution.mean for player in (Pairs, First, Last, Greedy)
        ]
        pairs, first, last, greedy = means
        assert pairs != pytest.approx(first) != greedy
        assert first == pytest.approx(last), "no keep depends on the scorecard"
        assert pairs != pytest.approx(greedy)
        assert greedy == evaluate("greedy", rules).distribution.mean

    def test_a_solution_is_its_optimal_policy(self) -> None:
        assert evaluate(CRAG).distribution.mean == pytest.approx(CRAG.value(), abs=1e-9)

    def test_an_agent(self) -> None:
        agent = Agent(lambda seen, mask: mask.argmax(axis=1))
        assert len(simulate(agent, rules="micro-yahtzee", games=10).rows()) == 10

    @pytest.mark.parametrize("player", [3, None, object(), dict, [], Game, 2.5, b"greedy"])
    def test_other_values_are_refused(self, player: Any) -> None:
        for call in (
            lambda: evaluate(player, "crag"),
            lambda: simulate(player, rules="crag", games=10),
            lambda: parse_strategy(player),
            lambda: match(player, "greedy", "crag"),
        ):
            with pytest.raises(InputError, match=r"is no strategy|cannot be created"):
                call()

    def test_a_solution_of_another_game_is_refused(self) -> None:
        with pytest.raises(InputError, match="optimal for micro-yahtzee, not for crag"):
            simulate(MICRO, rules="crag", games=10)


class TestValues:
    """Check that functions accept numbers, tuples, and mappings."""

    def test_positions(self) -> None:
        position = Position("yahtzee", "11366")
        assert Position("yahtzee", dice=11366) == position
        assert Position("yahtzee", dice=(6, 1, 3, 1, 6)) == position
        assert Position("yahtzee", dice="⚀⚀⚂⚅⚅") == position
        assert Position("yahtzee", "dice 11366 | rolls-left 2 | card -") == position
        full = Position("yahtzee", dice=11366, rolls_left=1, card={"ones": 3, "chance": 20})
        assert full == Position("yahtzee", "11366 | rolls-left 1 | card ones=3,chance=20")

    def test_options(self) -> None:
        options = CRAG.options("336")
        for dice in (336, (3, 3, 6), [6, 3, 3], Position("crag", dice=336)):
            assert CRAG.options(dice) == options
        last = CRAG.options("336 | rolls-left 0 | card ones=1")
        assert CRAG.options(336, rolls_left=0, card={"ones": 1}) == last
        replies = rollwise.DuelSolver("micro-yahtzee").solve()
        assert replies.options(6, rolls_left=0) == replies.options("6 | rolls-left 0 | card -")
        assert options[0].action in Game(options.position).legal_actions()
        assert CRAG.value({"ones": 1}) == CRAG.value("ones=1")

    def test_the_default_game(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ROLLWISE_RULES", "crag")  # scripts do not depend on settings
        assert simulate("greedy", games=5).rules == solve().rules.name == "yahtzee"
        assert evaluate("greedy").rules == match("greedy", "greedy").rules == load_rules("yahtzee")

    def test_the_game_of_a_value_is_the_default(self) -> None:
        assert evaluate(MICRO).rules == match("greedy", MICRO).rules == MICRO.rules
        card = Scorecard("micro-yahtzee", "double=4")
        answers: list[Any] = [
            simulate(MICRO, games=5), compare(["greedy", MICRO], games=2), report(strategy=MICRO),
            advise(card=card), duel(opponent=card, card=card), advise(Position("micro-yahtzee", 4)),
        ]  # fmt: skip
        assert {answer.rules for answer in answers} == {"micro-yahtzee"}

    def test_actions_and_rolls(self) -> None:
        for text, action in (("score 6", Score("sixes")), ("keep 61", Keep((1, 6)))):
            assert rollwise.parse_action("yahtzee", text) == action
            assert len({action, rollwise.parse_action("yahtzee", text)}) == 1
        assert Keep((6, 1)) == Keep((1, 6))
        values = Score("sixes"), Score("ones"), Keep(()), Keep((6,)), Roll((6,)), "sixes"
        assert len(set(values)) == len(values)
        assert repr(Game("yahtzee", events="11366").legal_actions()[0]) == "Score('ones')"

    def test_events_without_verbs(self) -> None:
        game = Game("yahtzee", events="11366; 66; 25666; -; 46666; fh")
        same = "roll 11366; keep 66; roll 25666; keep -; roll 46666; score full-house"
        assert game == Game("yahtzee", events=same)
        game = Game("yahtzee", events="11366")
        game.push(Score("6"))
        assert game.events[-1] == Score("sixes")
        assert repr(game.events[-1]) == "Score('sixes')"

    def test_games(self) -> None:
        game = Game("yahtzee", "Ada", "11366; 66", seed=3)
        assert game == Game("yahtzee", "Ada", [Roll((1, 1, 3, 6, 6)), Keep((6, 6))], seed=3)
        for other in (Game("yahtzee", "Ben", "11366; 66", seed=3), Game("yahtzee", "Ada", "11366")):
            assert game != other != str(game)
        assert game != Game("yahtzee", "Ada", "11366; 66")
        assert game.last_step == game.steps[-1]
        assert Game("yahtzee").last_step is None

    def test_a_copy_is_independent(self) -> None:
        game = Game("yahtzee", "Ada", "11366; 66", bots={"Ada": "greedy"})
        copy = game.copy()
        assert copy == game
        copy.pop()
        assert copy == Game("yahtzee", "Ada", "11366", bots={"Ada": "greedy"})
        game.push("66666")
        assert [len(each.events) for each in (game, copy)] == [3, 1]

    def test_a_game_from_a_position(self) -> None:
        position = Position("yahtzee", dice=11366, rolls_left=1, card={"ones": 3})
        game = Game(position, "Ada", "66; 25666; sixes")
        assert game.card == Scorecard("yahtzee", {"ones": 3, "sixes": 18})
        assert "\nposition: dice 11366 | rolls-left 1 | card ones=3\n" in str(game)
        with pytest.raises(InputError, match="one player"):
            Game(position, "Ada, Ben")
        for form in (game, str(game), game.as_json()):
            with pytest.raises(InputError, match="begins at a position cannot be reviewed"):
                rollwise.review(form)


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: decide("plant.toml"), "To read the file, pass Path"),
    (lambda: CRAG.options(3.5), "dice must be a sequence"),  # type: ignore[arg-type]
    (lambda: CRAG.options({"dice": 3}), "dice must be a sequence"),  # type: ignore[arg-type]
    (lambda: CRAG.options(Position("crag", 336), rolls_left=0), "leave out rolls_left"),
    (lambda: CRAG.options(33), "expected 3 dice"),
    (lambda: CRAG.options(Position("yahtzee", "11366")), "use a scorecard of crag"),
    (lambda: CRAG.value(3), "expected a scorecard"),  # type: ignore[arg-type]
    (lambda: CRAG.value(Scorecard("yahtzee", "-")), "use a scorecard of crag"),
    (lambda: Game("crag").push(5), "expected Keep, Score"),  # type: ignore[arg-type]
    (lambda: Game("crag", events="336").push(Keep((9, 9))), "cannot keep"),
    (lambda: Game("crag", events="336").push(Score("pair")), "Use one of"),
    (lambda: Game("crag").push(Roll((9, 9, 9))), "is not a roll of crag"),
    (lambda: Game("crag", seed=-1), "the seed must be a whole number"),
    (lambda: Game("crag", objective="beat:a#b"), "without ; #"),
    (lambda: Game("crag", "Ada", bots={"Ben": "greedy"}), "no player has the name 'Ben'"),
    (lambda: Game("crag", events=5), "expected events"),  # type: ignore[arg-type]
    (lambda: Game("crag", ["Ada", 3]), "expected the names of players"),  # type: ignore[list-item]
    (lambda: Game("crag", 3), "expected the names of players"),  # type: ignore[arg-type]
    (lambda: Game("crag", seed="x"), "the seed must be a whole number"),  # type: ignore[arg-type]
    (lambda: Game("crag", bots=3), "expected computer opponents"),  # type: ignore[arg-type]
    (lambda: Game("crag", bots={"Player": 3}), "as text"),  # type: ignore[dict-item]
    (lambda: Game("crag", objective=3), "as text"),  # type: ignore[arg-type]
    (lambda: Game("crag", date=3), "expected a date"),  # type: ignore[arg-type]
    (lambda: Game("crag", tutor="x"), "True or False"),  # type: ignore[arg-type]
    (lambda: Scorecard("yahtzee", "ones=3", 100), "into the scorecard"),
    (lambda: Scorecard("yahtzee", [None] * 13, "x"), "extra_bonus must be"),  # type: ignore[arg-type]
    (lambda: Distribution(1, 2), "needs an array"),  # type: ignore[arg-type]
    (lambda: Game(None), "expected rules"),  # type: ignore[arg-type]
    (lambda: solve(3), "expected rules"),  # type: ignore[arg-type]
    (lambda: solve("crag", 3), "an objective must be"),  # type: ignore[arg-type]
    (lambda: simulate("greedy", rules="crag", games=0), "games must be"),
    (lambda: simulate("greedy", rules="crag", seed=-1), "seed must be"),
    (lambda: match("greedy", "greedy", "crag", 0), "games must be"),
    (lambda: compare([], rules="micro-yahtzee"), "no strategy to compare"),
    (lambda: compare(["greedy"], games=1), "games must be"),
    (lambda: compare("greedy"), "expected a list of strategies, got"),
    (lambda: evaluate("greedy", "crag").distribution.at_least("x"), "a score as a number"),  # type: ignore[arg-type]
    (lambda: evaluate("greedy", "crag").distribution.quantile(2), "between 0 and 1"),
    (lambda: Position("yahtzee", "11366 | card -", card="ones=3"), "'card' appears twice"),
    (lambda: Position("yahtzee", dice=11366, rolls_left="2"), "a whole number of rolls left"),  # type: ignore[arg-type]
    (lambda: Position("yahtzee", dice=11366, card={"ones": "x"}), "points of ones"),  # type: ignore[dict-item]
    (lambda: Position("yahtzee", dice=11366, card={"pair": 2}), "unknown category"),
    (lambda: Keep("66"), "sequence of whole numbers"),  # type: ignore[arg-type]
    (lambda: Roll("x"), "sequence of whole numbers"),  # type: ignore[arg-type]
    (lambda: Score(0), "expected the key of a category"),  # type: ignore[arg-type]
    (lambda: rollwise.review(3), "expected a Game"),  # type: ignore[arg-type]
    (lambda: sweep(rolls="3-1", rules="crag"), "lower number first"),
    (lambda: sweep(vary={"rolls": 3}, rules="crag"), "a list of values of rolls"),
    (lambda: sweep(find="median", rules="crag"), "find must be one of mean, sd"),  # type: ignore[arg-type]
    (lambda: sweep(strategy=CRAG, rules="crag"), "use 'optimal'"),
    (lambda: odds(5), "a target as text"),  # type: ignore[arg-type]
    (lambda: odds("yahtzee", dice=0), "dice must be"),
    (lambda: duel(rules="crag", card=3), "expected a scorecard"),  # type: ignore[arg-type]
    (lambda: frontier.targets(at=3, rules="micro-yahtzee"), "expected scores"),  # type: ignore[arg-type]
    (lambda: frontier.restart(0, rules="micro-yahtzee"), "score must be"),
    (lambda: advise(4, rules="micro-yahtzee", top=0), "top must be"),
    (lambda: rollwise.greedy(11366, top=0), "top must be"),
    (lambda: simulate(tie_break="most"), "tie_break must be one of more-dice"),  # type: ignore[arg-type]
    (lambda: report(dice="loaded"), "dice must be one of any"),  # type: ignore[arg-type]
    (lambda: rollwise.payoff_line(variant="x"), "variant must be one of"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_other_values_are_refused_with_a_sentence(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_a_refused_event_does_not_change_the_game() -> None:
    game = Game("crag", events="336")
    for event in ("66", "nonsense", "36 x", "", "roll", "keep", "roll 11", "score nothing"):
        with pytest.raises((IllegalError, MalformedError)):
            game.push(event)
    assert game == Game("crag", events="336")


class TestDisplay:
    """Check representations, data frames, and HTML."""

    def test_representations_are_short(self) -> None:
        full = "ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18,three-of-a-kind=20"
        options = solve("yahtzee").options(f"11366 | card {full}")
        (judged,) = rollwise.review("11366 366 23366 66 46666 6")
        evaluation = evaluate("greedy", "micro-yahtzee")
        results = [
            options, options[0], judged, *judged.decisions, *judged.rolls, MICRO, MICRO.objective,
            evaluation, evaluation.distribution, simulate("greedy", rules="crag", games=10),
            sweep(rolls="1-2", rules="micro-yahtzee"), duel(rules="micro-yahtzee"), odds("yahtzee"),
            rollwise.list_rules(), rollwise.verify(["blog"]),
        ]  # fmt: skip
        for result in results:
            assert len(repr(result)) < 300
            assert re.match(r"<?[A-Z]\w+", repr(result))

    def test_estimates_have_the_sign(self) -> None:
        assert repr(duel(rules="micro-yahtzee")) == "<Duel of micro-yahtzee: value 0.4926697531>"
        estimate = duel(rules="micro-yahtzee", grid="light")
        assert repr(estimate) == "<Duel of micro-yahtzee: value ≈ 0.4927>"
        assert isinstance(estimate, Duel)
        assert repr(estimate.solution) == (
            "<DuelSolution of micro-yahtzee: ≈ 0.49267 for the player to move>"
        )

    def test_plots_create_their_folder(self, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        evaluation = evaluate("greedy", "micro-yahtzee")
        assert len(plots.save_report(evaluation, tmp_path / "new")) == 6
        (tmp_path / "file").touch()
        for folder, message in (("file", "is a file"), ("none/new", "does not exist")):
            with pytest.raises(InputError, match=message):
                plots.save_report(evaluation, tmp_path / folder)

    @pytest.mark.parametrize("library", ["polars", "pandas"])
    def test_tables_are_data_frames(self, library: Any) -> None:
        pytest.importorskip(library)
        options, rules = CRAG.options(336), CRAG.rules
        frame = options.frame(library)
        assert next(iter(frame["action"])) == rollwise.format_action(rules, options[0].action)
        assert sum(evaluate("greedy", "crag").distribution.frame(library)["probability"]) == (
            pytest.approx(1)
        )
        sample = simulate("greedy", rules="crag", games=20)
        assert list(sample.frame(library)["score"]) == [row["score"] for row in sample.rows()]
        played = match("optimal", "greedy", "micro-yahtzee", 5)
        assert list(played.frame(library)["optimal"]) == played.scores_P_N[0].tolist()
        pair = compare(["optimal", "greedy"], rules="micro-yahtzee")
        assert list(pair.frame(library)["mean"]) == [row.mean for row in pair.strategies]
        assert len(sweep(rolls="1-3", rules="micro-yahtzee").frame(library)) == 3
        found = frontier.targets(at=[30], rules="micro-yahtzee")
        assert list(found.frame(library)["target"]) == [30]
        assert len(odds("yahtzee", hand=11366).frame(library)) == 18
        assert len(rollwise.verify(["blog"]).frame(library)) == 18

    def test_rows_of_advice(self, tmp_path: Path) -> None:
        value = advise(rules="micro-yahtzee", objective="beat", opponent="-")
        (row,) = value.rows()
        assert (row["card"], row["value"], "opponents" in row) == ("-", float(value), False)  # type: ignore[arg-type]
        (positions := tmp_path / "positions.txt").write_text("4\n5\n")
        rows = advise(file=positions, rules="micro-yahtzee").rows()
        assert [(row["position"][:6], row["action"][:6]) for row in rows[::2]] == [
            ("dice 4", "score "), ("dice 5", "score "),
        ]  # fmt: skip

    def test_html(self) -> None:
        (judged,) = rollwise.review("11366 366 23366 66 46666 6")
        options = CRAG.options(336)
        for value in (
            options[0],
            options.position,
            CRAG.rules,
            simulate("greedy", rules="crag", games=10),
            judged.decisions[0],
            odds("yahtzee"),
            compare(["greedy"], games=10, rules="micro-yahtzee"),
            sweep(rolls="1-2", rules="micro-yahtzee"),
        ):
            assert value._repr_html_().startswith(("<table><caption>", "<p>"))
