"""Test games with several columns: rule files, bonuses, and scorecard notation."""

import pytest

from reference_solver import Reference
from rollwise.errors import TooLargeError
from rollwise.game.scorecard import Scorecard
from rollwise.rules import load_rules
from rollwise.rules.describe import describe
from rollwise.solving.solver import solve
from rule_texts import ANY, PAIR, SIXES, UPPER, game, mistakes_in

BONUS = "[upper_bonus]\nthreshold = 6\npoints = 10\n"


def column(key: str, order: str = "free") -> str:
    """Return the table of a column in a rule file."""
    return f'[[columns]]\nkey = "{key}"\ncode = "{key[0]}"\ntitle = "{key}"\norder = "{order}"\n'


DOWN_UP = column("down", "card") + column("up", "upward")


class TestBoxes:
    rules = game(DOWN_UP + BONUS, SIXES + UPPER, PAIR + '\ncode = "p"', dice=2)

    def test_each_category_is_in_every_column(self) -> None:
        assert self.rules.keys == ("down-a", "down-b", "up-a", "up-b")
        assert [self.rules.category_index(code) for code in ("dp", "up")] == [1, 3]
        assert self.rules.row_titles == ("A", "B", "A", "B")

    def test_categories_follow_the_order_of_their_column(self) -> None:
        assert self.rules.chains == ((0, 1), (3, 2))

    def test_category_in_a_single_column(self) -> None:
        rules = game(DOWN_UP, ANY, ANY + '\ncolumn = "up"', ANY)
        assert rules.keys == ("down-a", "down-c", "up-a", "up-b", "up-c")
        assert rules.chains == ((0, 1), (4, 3, 2))

    def test_description(self) -> None:
        description = " ".join(describe(self.rules))
        assert (
            "the down column is filled from top to bottom and the up column from bottom"
            in description
        )
        assert (
            "Upper-section bonus of each column: 10 points for a total of 6 or more" in description
        )


class TestBonus:
    """Tests of the upper bonus of each column, which does not depend on the other columns."""

    rules = game(column("one") + column("two") + BONUS, SIXES + UPPER, ANY, faces=6)

    def test_of_a_scorecard(self) -> None:
        card = Scorecard(self.rules, "one-a=6,two-a=6")
        assert (card.upper_totals, card.upper_bonus, card.points) == ((6, 6), 20, 32)
        card = Scorecard(self.rules, "one-a=6,two-a=0,two-b=5")
        assert (card.upper_totals, card.upper_bonus, card.points) == ((6, 0), 10, 21)
        assert "(one)   6\nUpper-section total (two)   0\nUpper bonus                10\n" in str(
            card
        )

    def test_of_a_game(self) -> None:
        # With one category left in each column, the values of the columns add up.
        alone = game(BONUS, SIXES + UPPER, ANY)
        solution, solution_alone = solve(self.rules, cache=False), solve(alone, cache=False)
        rest = Scorecard(self.rules, "one-a=0,one-b=1,two-b=1")
        expected = solution_alone.value(Scorecard(alone, "b=1"))
        assert solution.value(rest) == pytest.approx(expected + 1, abs=1e-12)
        assert solution.value() == pytest.approx(float(Reference(self.rules).value()), abs=1e-12)


@pytest.mark.parametrize(
    ("head", "box", "mistake"),
    [
        ('order = "card"\n' + DOWN_UP, ANY, "order: cannot be combined with columns"),
        ("saves_rolls = true\n" + DOWN_UP, ANY, "saves_rolls: cannot be combined with columns"),
        ("extra_rolls = 1\n" + DOWN_UP, ANY, "extra_rolls: cannot be combined with columns"),
        (DOWN_UP + '[joker]\nbox = "a"\npolicy = "free"\n', PAIR, "joker: cannot be combined with"),
        (
            DOWN_UP + '[extra_bonus]\nbox = "a"\npoints = 1\n',
            PAIR,
            "extra_bonus: cannot be combined",
        ),
        (DOWN_UP, ANY + "\nslots = 2", "a.slots: cannot be combined with columns"),
        (DOWN_UP, ANY + '\nafter = "a"', "a.after: cannot be combined with columns"),
        (DOWN_UP, ANY + '\ncolumn = "left"', "a.column: no such column: expected "),
        (DOWN_UP * 2, ANY, "columns.3.key: 'down' is taken by a column before it"),
        (column("down", "sideways"), ANY, "columns.1.order: expected 'free', 'card' or 'upward'"),
        (column("9"), ANY, "columns.1.key: expected lower-case letters"),
        (DOWN_UP.replace('"d"', '"dd"'), ANY, "columns.1.code: expected one lower-case letter"),
        (DOWN_UP, ANY + '\ncode = "wxyz"', "a.code: expected 1 to 4 lower-case letters and digits"),
    ],
)
def test_errors(head: str, box: str, mistake: str) -> None:
    file = f'name = "columns"\ntitle = "Columns"\ndice = 2\nfaces = 6\nrolls = 2\n{head}'
    text = f'{file}[[categories]]\nkey = "a"\ntitle = "A"\n{box}\n'
    assert [line for line in mistakes_in(text) if line.startswith(mistake)], mistakes_in(text)


def test_too_many_states_for_a_table() -> None:
    faces = [f'pattern = {{ kind = "face", face = {n} }}\npoints = "matched"' for n in range(1, 7)]
    columns = "".join(column(key) for key in ("a", "b", "c"))
    rules = game(columns + BONUS, *[face + UPPER for face in faces], dice=5)
    with pytest.raises(TooLargeError, match="fit in a table"):
        solve(rules, "worst-case")


def test_columns_of_yamb_equal_the_games_with_one_column() -> None:
    both = load_rules("yamb-down-up")
    for number, order in enumerate(("down", "up")):
        alone = load_rules(f"yamb-{order}")
        in_column = [both.categories[k] for k in both.column_categories[number]]
        for actual, category in zip(in_column, alone.categories, strict=True):
            names = {"key": f"{order}-{category.key}", "title": f"{category.title} ({order})"}
            expected = category.model_copy(
                update=names | {"code": f"{order[0]}{category.code}", "column": order}
            )
            assert actual.model_copy(update={"after": None}) == expected
        assert both.upper_bonus == alone.upper_bonus
