"""Check the output of other programs, with one method per table."""

import pytest

from printed import held


class TestPrograms:
    """Tests of the output of other programs and of papers."""

    source = "programs"

    def test_yatzy_solver(self) -> None:
        held("programs", "yatzy_solver")

    def test_holderied(self) -> None:
        held("programs", "holderied")

    def test_merrell(self) -> None:
        held("programs", "merrell")

    def test_larsson_sjoberg(self) -> None:
        held("programs", "larsson_sjoberg")

    def test_yacht_dice(self) -> None:
        held("programs", "yacht_dice")

    def test_counts(self) -> None:
        held("programs", "counts")

    def test_best_case(self) -> None:
        held("programs", "best_case")

    @pytest.mark.slow  # this test and the tests below evaluate whole games of Yatzy
    def test_dlangk_tails(self) -> None:
        held("programs", "dlangk_tails")

    @pytest.mark.slow
    def test_dlangk_categories(self) -> None:
        held("programs", "dlangk_categories")

    @pytest.mark.slow
    def test_spread(self) -> None:
        held("programs", "spread")
