"""Test games in progress: eviction from memory, another game, and advice on large games."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Never

import pytest

from games import at_random, play
from games_with_layers import small_maxi, small_yamb
from rollwise import Game, Rules, Solver, load_rules, solve
from rollwise.errors import TooLargeError
from rollwise.history import History
from rollwise.reviews.review import review
from rollwise.solving.card_solution import CardSolution
from rollwise.web import computations, live_games
from rollwise.web.computing import bytes_of
from rollwise.web.live_games import LiveGames
from rollwise.web.solved_games import SolvedGames

MICRO = load_rules("micro-yahtzee")
FINISHED = play(MICRO, ["Ada", "Ben"], 7, at_random(7))


@pytest.fixture
async def games(tmp_path: Path) -> AsyncIterator[SolvedGames]:
    with History(f"sqlite:///{tmp_path}/games.sqlite") as history:
        games = SolvedGames(history)
        yield games
        games.computing.close()


@pytest.mark.anyio
@pytest.mark.parametrize("limit", ["MAX_OPEN", "RESULT_BYTES"])
async def test_only_games_without_viewers_are_evicted(
    games: SolvedGames, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(live_games, limit, 1)  # a game, or a byte
    for id in "abc":
        games.history.save(id, Game(MICRO))
    await games.solution(MICRO)  # the games have it at once
    live = LiveGames(games)
    first = await live.enter("a")
    leave = first.add_viewer(lambda: None)
    second = await live.enter("b")
    assert await live.enter("c") is await live.enter("c")
    assert await live.enter("a") is first
    assert await live.enter("b") is not second
    leave()
    await live.enter("c")
    assert await live.enter("a") is not first


@pytest.mark.anyio
async def test_all_devices_play_the_same_game_again(games: SolvedGames) -> None:
    games.history.save("over", FINISHED)
    live = await LiveGames(games).enter("over")
    again, same = await asyncio.gather(live.play_again(), live.play_again())
    assert again == same
    games.history.save(again, FINISHED, games.history.load(again).saved_at)
    assert await live.play_again() != again


@pytest.mark.anyio
@pytest.mark.parametrize("rules", [small_maxi(), small_yamb()], ids=["saved rolls", "columns"])
async def test_advice_of_a_prepared_large_game(
    rules: Rules, games: SolvedGames, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Rules) -> Never:
        raise TooLargeError("too large")

    best = solve(rules, cache=False)  # solved as one table
    monkeypatch.setenv("ROLLWISE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("rollwise.solving.values.SMALL", 0)
    monkeypatch.setattr("rollwise.model.classes.MAX_JOINT", 1000)
    for module in ("web.solved_games", "questions.size_limits"):
        monkeypatch.setattr(f"rollwise.{module}.check_size", refuse)
    games.history.save("a", Game(rules, seed=7))
    games.large[rules.name] = rules
    assert await games.prepared.named(rules.name) is None
    with pytest.raises(TooLargeError):
        await games.solution(rules)
    Solver(rules).solve(on_disk=True)
    game, shown = await LiveGames(games).enter("a"), asyncio.Event()
    game.add_viewer(shown.set)

    async def until(is_so: Callable[[], object]) -> None:
        while not is_so():
            shown.clear()
            await shown.wait()

    session, insight = game.session, game.insight
    await until(lambda: insight.expected_scores([]))
    assert isinstance(session.solution, CardSolution)
    assert bytes_of(session.solution) == 0
    assert insight.expected_scores([]) == [best.value()]
    session.roll()
    game.notify()
    assert session.options() == []  # nothing waits for a computation
    assert insight.expected_scores([]) == [best.value()]
    await until(session.options)
    assert session.position is not None
    options, expected = session.options(), best.options(session.position)
    assert [(o.action, o.value) for o in options] == [(o.action, o.value) for o in expected]
    assert all(o.sd is None for o in options)
    assert insight.expected_scores([]) == [options[0].value]
    with pytest.raises(TooLargeError):
        await games.solution(rules, "best-case")
    record = play(rules, ["Ada"], 7, at_random(1))
    (result,) = await insight.review(record)
    (reference,) = review(record, best)
    losses = [decision.loss for decision in result.decisions]
    assert losses == [decision.loss for decision in reference.decisions]
    assert not any(decision.reasons for decision in result.decisions)


def test_rolls_do_not_change_the_mean_of_the_expected_score() -> None:
    def expected(game: Game) -> list[float]:
        options = [] if game.position is None else solution.options(game.position)
        return computations.expected_scores(solution, game.stage, options)

    solution = Solver(MICRO).solve_by_card()
    value = solution.value()
    rolled = [expected(Game(MICRO, "Ada, Ben", f"roll {die}")) for die in range(1, 7)]
    assert expected(Game(MICRO, "Ada, Ben")) == [value, value]
    assert [sum(values) / 6 for values in zip(*rolled, strict=True)] == pytest.approx([value] * 2)
    assert expected(FINISHED) == [card.points for card in FINISHED.cards]
