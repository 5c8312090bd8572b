"""Test practice: questions, grades of answers, repeated questions, and the terminal app."""

import asyncio
import datetime
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.widgets import Static

from commands import data_of, printed
from rollwise import Solution, load_rules, solve
from rollwise.errors import IllegalError
from rollwise.game.actions import Keep, Score
from rollwise.game.game import Game
from rollwise.game.notation import format_action, parse_action
from rollwise.game.position import Position, format_position
from rollwise.playing.practice import (
    NUMBER,
    Answer,
    Practice,
    PracticeQuestion,
    puzzles_of,
    rating_test_positions,
)
from rollwise.playing.rating_scale import rating, rating_bounds, scale_of
from rollwise.reviews.review import review, steps_through
from rollwise.terminal.practice import PracticeApp, QuizInput
from rollwise.terminal.review import ReviewApp, ReviewPages

CRAG = load_rules("crag")


@cache
def solution() -> Solution:
    """Return the solution of Crag, which is cached."""
    return solve(CRAG)


@cache
def questions() -> list[PracticeQuestion]:
    """Return the questions of the rating test."""
    return [PracticeQuestion(position) for position in rating_test_positions(solution())]


def gap(question: PracticeQuestion) -> float:
    """Return the EV loss of the second-best option."""
    options = solution().options(question.position)
    return next(option.loss for option in options if not option.best)


class TestFixedPositions:
    def test_the_rating_test_is_reproducible(self) -> None:
        assert len(questions()) == len(set(questions())) == NUMBER
        positions = rating_test_positions(solve(load_rules("crag")))
        assert [PracticeQuestion(position) for position in positions] == questions()

    def test_gaps_are_small_and_large(self) -> None:
        gaps = sorted(map(gap, questions()))
        assert 0 < gaps[0] < 0.5
        assert gaps[NUMBER // 2] < 2
        assert 3 < gaps[-1] < 10

    def test_the_rating_test_distinguishes_players(self) -> None:
        scale = scale_of(solution(), [question.position for question in questions()])
        losses = list(scale.values())
        assert losses == sorted(losses)
        assert 0 < losses[0] < losses[-1] / 10
        assert list(scale)[-1] == "random play"
        words = [*rating_bounds(scale), "random"]
        assert [rating(loss, scale) for loss in (0, *rating_bounds(scale).values())] == [
            "perfect",
            *words[:-1],
        ]
        assert rating(losses[-1], scale) == "random"
        levels = [words.index(rating(loss, scale)) for loss in losses]
        assert levels == sorted(levels)
        assert len(set(levels)) > 2

    def test_a_small_game_has_a_shorter_test(self) -> None:
        solution = solve(load_rules("micro-yahtzee"))
        positions = rating_test_positions(solution)
        assert 0 < len(positions) < NUMBER
        assert len(set(positions)) == len(positions)

    @settings(max_examples=8)
    @given(st.dates())
    def test_a_day_has_one_puzzle(self, day: datetime.date) -> None:
        puzzle, again = puzzles_of(solution(), [day, day])
        assert puzzle == again
        assert 0 < gap(PracticeQuestion(puzzle)) < 4

    def test_ten_days_have_ten_puzzles(self) -> None:
        days = [datetime.date(2026, 11, day) for day in range(1, 11)]
        puzzles = puzzles_of(solution(), days)
        assert len(set(puzzles)) == len(days)
        assert [puzzle for day in days for puzzle in puzzles_of(solution(), [day])] == puzzles


class TestSession:
    @settings(max_examples=15)
    @given(st.data())
    def test_any_answers(self, data: st.DataObject) -> None:
        selected = data.draw(st.lists(st.sampled_from(questions()), max_size=5, unique=True))
        answers: list[Answer] = []
        session = Practice(selected, solution(), again=True, tell=answers.append)
        mistakes = 0
        while (question := session.question) is not None:
            options = solution().options(question.position)
            option = data.draw(st.sampled_from(options if mistakes < 9 else options[:1]))
            before = list(session.firsts)
            answer = session.judge(option.action)
            mistakes += not answer.is_good
            assert session.judge(options[-1].action) is answer  # a second answer changes nothing
            assert answer.loss == (0 if option.best else option.loss)
            assert session.is_repeated == (session.firsts == before)
            session.go_on()
        assert answers == session.firsts
        assert [answer.question for answer in answers] == selected
        assert session.loss == sum(answer.loss for answer in answers)
        assert session.marks() == [answer.verdict for answer in answers]

    def test_questions_are_repeated_until_the_answer_is_good(self) -> None:
        session = Practice(questions()[:2], solution(), again=True)
        worst = solution().options(questions()[0].position)[-1].action
        order = []
        for choose in (-1, 0, -1, 0):
            question = session.question
            assert question is not None
            order.append(questions().index(question))
            session.judge(solution().options(question.position)[choose].action)
            session.go_on()
        assert order == [0, 1, 0, 0]
        assert session.question is None
        assert session.firsts[0].chosen.action == worst
        assert session.right == 1

    def test_illegal_actions_are_not_answers(self) -> None:
        session = Practice(questions()[:1], solution())
        with pytest.raises(IllegalError, match="not legal here"):
            session.judge(Score("none"))
        assert session.answer is None

    def test_an_answer_has_its_reason(self) -> None:
        solution = solve(load_rules("micro-yahtzee"))
        position = Position(solution.rules, "dice 6 | rolls-left 0 | card -")
        session = Practice(
            [PracticeQuestion(position, parse_action(position.rules, "score double"))], solution
        )
        answer = session.judge(parse_action(position.rules, "score double"))
        assert answer.reason(session.reasons) == ""
        session.reasons.prepare()
        assert answer.words() == "score double loses 15.83 (blunder). Best: score square."
        assert (
            answer.reason(session.reasons)
            == "The best option gains: Square +20.83, but Double −5.00."
        )
        assert answer.then() == "In the game you chose: score double."


class TestKeys:
    POSITION = Position(CRAG, "dice 136 | rolls-left 1 | card twos=2")

    @pytest.mark.parametrize(
        ("keys", "action"),
        [
            (["1", "3", " "], Keep((1, 6))),
            (["1", "1", "2", "r"], Keep((3,))),
            ([" "], Keep(())),
            (["s", "6"], Score("sixes")),
            (["s", "backspace", "s", "escape", "2", " "], Keep((3,))),
        ],
        ids=str,
    )
    def test_an_answer(self, keys: list[str], action: Keep | Score) -> None:
        answering = QuizInput(Practice([PracticeQuestion(self.POSITION)], solution()))
        for key in keys:
            assert answering.practice.answer is None
            answering.press(key)
        assert answering.practice.answer is not None, answering.said()
        assert answering.practice.answer.chosen.action == action
        answering.press("1")  # an answer cannot be changed
        answering.choose(0)
        assert answering.practice.answer.chosen.action == action
        answering.press("enter")
        assert answering.position is None
        answering.press("1")

    @pytest.mark.parametrize(
        ("keys", "words"),
        [
            (["1", "2", "3", " "], "No dice to roll: release a die, or choose a category."),
            (["s", "2"], "Not possible here: score twos."),
            (["x"], "No open category has the code 'x'."),
            (["s"], "Score in: s_   (Enter to confirm, Esc to cancel)"),
        ],
        ids=str,
    )
    def test_no_answer(self, keys: list[str], words: str) -> None:
        answering = QuizInput(Practice([PracticeQuestion(self.POSITION)], solution()))
        for key in keys:
            answering.press(key)
        assert answering.practice.answer is None
        assert answering.said() == words

    def test_no_roll_is_left(self) -> None:
        position = Position(CRAG, "dice 136 | rolls-left 0 | card -")
        answering = QuizInput(Practice([PracticeQuestion(position)], solution()))
        answering.press("1")
        assert answering.said() == "No roll is left: choose a category."
        answering.press(" ")
        assert answering.said() == "No dice to roll: release a die, or choose a category."


def test_in_a_terminal() -> None:
    session = Practice(questions()[:2], solution())
    session.reasons.are_prepared = True  # not prepared, because that takes a second

    async def main() -> None:
        screen = PracticeApp(session)
        async with screen.run_test(size=(80, 24)) as pilot:

            def shown(part: str) -> str:
                return str(screen.query_one(f"#{part}", Static).render())

            assert shown("headline").startswith("1 of 2   ··")
            assert "What would you do?" in shown("stage")
            assert "Total" in shown("card")
            await pilot.press("question_mark")
            assert "answer: roll the other dice" in shown("card")
            assert screen.types
            await pilot.press("q")
            assert "Total" in shown("card")
            await pilot.press("1", "space")
            assert session.answer is not None
            assert session.answer.words() in shown("message")
            assert "yours" in shown("advice")
            assert "space next" in shown("keys")
            assert shown("headline").startswith("1 of 2   ")
            await pilot.press("space")
            assert shown("headline").startswith("2 of 2   ")
            await pilot.press("s")
            assert shown("message").startswith("Score in: s_")
            await pilot.press("escape", "q")

    asyncio.run(main())
    assert len(session.firsts) == 1


def test_a_review_in_a_terminal() -> None:
    record = Game.parse("rules: micro-yahtzee\nplayers: Ada, Ben\n6 double\n4 double\n1 square")
    steps = steps_through(record, review(record, solve(record.rules)))
    screen = ReviewApp(ReviewPages(record.players, steps))

    async def main() -> None:
        async with screen.run_test(size=(80, 24)) as pilot:

            def shown(part: str) -> str:
                return str(screen.query_one(f"#{part}", Static).render())

            assert shown("stage").startswith("Turn 1, Ada: roll 1   luck +")
            assert "1 of 3" in shown("stage")
            assert "score double loses 15.83 (blunder). Best: score square." in shown("message")
            assert "15.83 played" in shown("advice")
            assert "[12]" in shown("card")
            for key, number in (("right", 2), ("end", 3), ("right", 3), ("left", 2), ("m", 1)):
                await pilot.press(key)
                assert f"{number} of 3" in shown("stage"), key
            await pilot.press("end")
            assert "all options were equally good" in shown("message")
            await pilot.press("home", "q")

    asyncio.run(main())


def test_the_next_mistake_is_a_mistake_of_a_person() -> None:
    record = Game.parse("rules: micro-yahtzee\nplayers: Ada, Ben\n6 double\n6 double\n1 square")
    steps = steps_through(record, review(record, solve(record.rules)))
    screen = ReviewApp(ReviewPages(record.players, steps, bots={"Ben"}))

    async def main() -> None:
        async with screen.run_test(size=(80, 24)) as pilot:
            for _ in range(2):
                await pilot.press("m")
                assert "1 of 3" in str(screen.query_one("#stage", Static).render())
            await pilot.press("q")

    asyncio.run(main())


class TestCommand:
    def test_json(self) -> None:
        data = data_of("practice", "--test", "--rules", "crag")
        assert data["rules"] == "crag"
        positions = [format_position(question.position) for question in questions()]
        assert [question["position"] for question in data["questions"]] == positions
        for question in data["questions"]:
            assert question["best"] == question["options"][0]["action"]

    def test_the_puzzle_of_a_day(self) -> None:
        command = ("practice", "--rules", "crag", "--puzzle")
        (question,) = data_of(*command, "2026-11-22")["questions"]
        (puzzle,) = puzzles_of(solution(), [datetime.date(2026, 11, 22)])
        assert question["position"] == format_position(puzzle)
        assert data_of(*command)["questions"]  # today's puzzle

    def test_no_answers(self) -> None:
        out = printed("practice", "--test", "--rules", "micro-yahtzee", typed="\n")
        assert out.endswith("? No positions answered.\n")

    def test_a_rating_at_the_end(self) -> None:
        solution = solve(load_rules("micro-yahtzee"))
        answers = (
            solution.options(position)[0].action for position in rating_test_positions(solution)
        )
        lines = "\n".join(format_action(solution.rules, action) for action in answers)
        command = ["practice", "--test", "--rules", "micro-yahtzee"]
        out = printed(*command, typed=f"{lines}\n")
        assert "6 of 6 right\nRating: perfect. EV loss of strategies in these positions:\n" in out
