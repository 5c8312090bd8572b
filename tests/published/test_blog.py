"""The published numbers of the blog "Greedy AI"; ``tests/evaluation`` tests its strategy."""

from printed import held


class TestBlog:
    """The blog "Greedy AI" about a family game of Yams, with one method per table."""

    source = "blog"

    def test_combinations(self) -> None:
        held("blog", "combinations")

    def test_numbers(self) -> None:
        held("blog", "numbers")

    def test_outcomes(self) -> None:
        held("blog", "outcomes")
