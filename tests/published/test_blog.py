"""The blog of a greedy player, number for number; ``tests/laws`` tests the player's strategy."""

from printed import held


class TestBlog:
    """The blog of a greedy player for a family game of Yams; one method for each table."""

    source = "blog"

    def test_combinations(self) -> None:
        held("blog", "combinations")

    def test_numbers(self) -> None:
        held("blog", "numbers")

    def test_outcomes(self) -> None:
        held("blog", "outcomes")
