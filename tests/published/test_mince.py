"""Check the published numbers of M. Mince's paper.

``test_one_turn.py`` and ``test_payoff_line.py`` prove that the known errors are in the paper.
"""

from printed import held


class TestMince:
    """M. Mince, Using Markov Chains and Probabilistic Modeling to Play Yahtzee."""

    source = "mince"

    def test_rules(self) -> None:
        held("mince", "rules")

    def test_matrix_t(self) -> None:
        held("mince", "matrix_t")

    def test_two_rolls(self) -> None:
        held("mince", "two_rolls")

    def test_a_misprinted_entry(self) -> None:
        held("mince", "a_misprinted_entry")

    def test_rerolls(self) -> None:
        held("mince", "rerolls")

    def test_matrix_p(self) -> None:
        held("mince", "matrix_p")

    def test_column_of_state_2(self) -> None:
        held("mince", "column_of_state_2")

    def test_matrix_l(self) -> None:
        held("mince", "matrix_l")

    def test_large_straight_from_12566(self) -> None:
        held("mince", "large_straight_from_12566")

    def test_lengths_of_vectors(self) -> None:
        held("mince", "lengths_of_vectors")

    def test_first_roll_by_shape(self) -> None:
        held("mince", "first_roll_by_shape")

    def test_first_roll_of_a_kind(self) -> None:
        held("mince", "first_roll_of_a_kind")

    def test_whole_turn_of_a_kind(self) -> None:
        held("mince", "whole_turn_of_a_kind")

    def test_first_roll_small_straight(self) -> None:
        held("mince", "first_roll_small_straight")

    def test_first_roll_small_straight_states(self) -> None:
        held("mince", "first_roll_small_straight_states")

    def test_whole_turn_small_straight(self) -> None:
        held("mince", "whole_turn_small_straight")

    def test_first_roll_large_straight(self) -> None:
        held("mince", "first_roll_large_straight")

    def test_whole_turn_large_straight(self) -> None:
        held("mince", "whole_turn_large_straight")

    def test_payoffs(self) -> None:
        held("mince", "payoffs")

    def test_line(self) -> None:
        held("mince", "line")

    def test_first_turn_vectors(self) -> None:
        held("mince", "first_turn_vectors")

    def test_first_turn(self) -> None:
        held("mince", "first_turn")

    def test_first_turn_choice(self) -> None:
        held("mince", "first_turn_choice")

    def test_first_turn_payoffs(self) -> None:
        held("mince", "first_turn_payoffs")

    def test_first_turn_full_house(self) -> None:
        held("mince", "first_turn_full_house")

    def test_second_turn(self) -> None:
        held("mince", "second_turn")

    def test_second_turn_choice(self) -> None:
        held("mince", "second_turn_choice")

    def test_final_roll(self) -> None:
        held("mince", "final_roll")

    def test_transcript_you(self) -> None:
        held("mince", "transcript_you")

    def test_transcript_computer(self) -> None:
        held("mince", "transcript_computer")

    def test_final_states(self) -> None:
        held("mince", "final_states")

    def test_score_board(self) -> None:
        held("mince", "score_board")

    def test_weakness(self) -> None:
        held("mince", "weakness")
