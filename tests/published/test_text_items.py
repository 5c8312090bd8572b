"""Run a command for every item of the four texts, and look for the text's result in its output.

``python tests/published/test_text_items.py`` prints the list.
"""

import shlex
from pathlib import Path

import pytest

from commands import run

HUBER = [
    ("states, options, and the best options of each state", "odds 00001",
     "5 0.09259259 0.01263146"),
    ("five different dice: keeping none or one is equally good",
     'odds 00001 --compare "keep -" "keep 1"', "equally good: keep -, keep 1"),
    ("the probability of a yahtzee, as a fraction", "odds 00001 --exact", "347897/7558272"),
    ("the outcomes of each option, and which are available", "odds 00001 --matrices",
     "01 0 0.2777778 0.2777778 0.2777778"),
    ("the picture of three coins",
     "odds 11 --faces 2 --dice 3 --rolls 2 --diagram {folder}/coins.dot", "0.9375"),
    ("payoffs before each roll", "odds 00001 --exact", "1001 25/1296 11/36 1/6 0"),
    ("all best options, with ties", "odds 11 --faces 2 --dice 3 --rolls 2", "2 or 11"),
    ("two pairs: keep one", "odds 00001", "12 0.2314815 0.02906379 0.00462963 0 01 01"),
    ("full house: the best options change with four rolls", "odds 011 --rolls 4", "11 01 01"),
    ("any target of 2 faces and 3 dice", "odds 11 --faces 2 --dice 3", "0.984375"),
    ("any number of dice and rolls", "odds 21 --dice 4 --rolls 4", "0.9747168"),
    ("any number of faces", "odds 02 --faces 8 --dice 4", "0.2214685"),
    ("other payoffs: the sum of the dice", "odds sum --dice 2 --rolls 1 --exact", ": 7"),
    ("an impossible target is refused", "odds 5 --faces 4", "a die has only 4"),
    ("stages, costs, and payoffs of one's own", "decide examples/decisions/plant.toml",
     "46 million"),
    ("dice too many for exact solution: simulation",
     "odds 4-of-a-kind --dice 10 --faces 20 --simulate 5000", "5,000 simulated turns"),
    ("every number in the text", "verify huber", "the probability of a yahtzee 3 3"),
]  # fmt: skip

VERHOEFF = [
    ("micro-Yahtzee: the dilemma of a four", "advise 4 --rules micro-yahtzee",
     "score double 23.17"),
    ("micro-Yahtzee: the game tree", "tree --rules micro-yahtzee --whole -o {folder}/tree.dot",
     "games 72"),
    ("micro-Yahtzee: the game graph", "tree --rules micro-yahtzee -o {folder}/graph.dot",
     "games 72"),
    ("micro-Yahtzee: the number of strategies", "tree --rules micro-yahtzee", "strategies 64"),
    ("micro-Yahtzee: the optimal score", "report --rules micro-yahtzee", "mean 25.944444"),
    ("the rules", "rules show yahtzee", "can be scored as a joker in any open category"),
    ("first dilemma: 1 1 6 6 6", "advise 11666", "keep 666 265.12"),
    ("second dilemma: 1 1 3 4 6", "advise 11346 --rolls-left 1", "keep 34 245.17"),
    ("third dilemma: 6 6 6 6 1", "advise 66661 --rolls-left 0", "score sixes 268.23"),
    ("random play", "report --strategy random-category --rules yahtzee-plain-no-bonus",
     "mean 45.945216"),
    ("criterion: expected score", "advise 4 --rules micro-yahtzee --objective expected", "23.17"),
    ("criterion: least variance", "advise 4 --rules micro-yahtzee --objective least-variance",
     "variance 15.4475"),
    ("criterion: a high score", "advise 4 --rules micro-yahtzee --objective target:20", "83.3333%"),
    ("criterion: an opponent", "advise 4 --rules micro-yahtzee --objective beat:20", "75.0000%"),
    ("criterion: the worst case", "advise 4 --rules micro-yahtzee --objective worst-case",
     "guaranteed score 18.00"),
    ("the numbers of games and strategies, and their probabilities", "tree --rules yahtzee",
     "1.725e+170"),
    ("table size and memory", "solve --estimate", "yahtzee 12,288 786,432"),
    ("states: all and reachable, of a turn and between turns", "verify verhoeff", "numbers"),
    ("the optimal strategy: mean and SD", "report", "mean 254.589609, SD 59.6114"),
    ("simulation with its standard error", "simulate optimal --games 1000", "SE"),
    ("comparison with other strategies",
     "compare optimal random-category greedy --rules micro-yahtzee --games 100", "optimal 25.9444"),
    ("other numbers of rolls", "sweep --rules micro-yahtzee --rolls 2-4", "39.395262"),
    ("quantiles and bands", "report --band 20", "quantile 1% 5%"),
    ("each category", "report", "Yahtzee 16.87 23.64 66.26"),
    ("each category, without bonus and jokers",
     "report --rules yahtzee-plain --tie-break fewer-dice", "Yahtzee 15.89 23.28 68.21"),
    ("when each category is filled first", "report", "first scored first zero"),
    ("the best and the worst roll", "report --openings", "worst roll 1 11236"),
    ("the last turn", "report --openings", "Chance 23.33 3.16"),
    ("the lowest total of optimal play", "report --worst", "12 total"),
    ("a game against hostile dice", "report --worst --dice adversarial", "19 total"),
    ("the best strategy for a target", "frontier targets --rules micro-yahtzee",
     "20 69.4444% 63.8889%"),
    ("the normal approximation of a target", "simulate normal:25 --rules micro-yahtzee --games 100",
     "mean"),
    ("giving up early", "frontier restart 20 --rules micro-yahtzee", "with restarts"),
    ("a group whose cards are visible",
     'advise 4 --rules micro-yahtzee --objective beat --opponent "double=8"', "P(win)"),
    ("two players who answer", "duel --rules micro-yahtzee", "value 49.26697531%"),
    ("Holderied's program", "verify programs", "Holderied"),
    ("a rating test", "practice --test", "rolls-left"),
    ("a program that plays and one that runs anywhere",
     "pocket --rules micro-yahtzee -o {folder}/game.html", ""),
]  # fmt: skip

BLOG = [
    ("the rules", "rules show yams", "Luck"),
    ("dice to reroll and expected score", "greedy 11366", "keep 66 113 21.5961"),
    ("the second hand", "greedy 12235", "20.5472"),
    ("the third hand", "greedy 26666", "30.2233"),
    ("the formula as a strategy", "report --strategy greedy-step --rules yams", "mean"),
    ("the formula with its penalty", "report --strategy greedy-step-discounted --rules yams",
     "mean"),
    ("the dialogue", "greedy", "Type each roll"),
    ("comparison with the optimal solution", "compare greedy optimal --rules yams --games 100",
     "optimal play 219.4491"),
    ("every number in the text", "verify blog", "18 of 18 numbers match"),
]  # fmt: skip

MINCE = [
    ("transition matrices", "payoff-line", "3 125/648 10/27 25/36"),
    ("a power of a matrix, applied to a state",
     "payoff-line --chain of-a-kind --state 4 --rolls-left 2", "0.3055556"),
    ("expected rolls", "payoff-line --chain of-a-kind", "191283/17248"),
    ("state vectors before and after three rolls", "payoff-line", "0.0007716 0.0460286"),
    ("a particular straight", "odds 23456 --hand 12566 --rolls-left 2 --exact", "53/324"),
    ("the payoff line", "payoff-line 16226 --variant published", "−1.4163 × payoff + 0.3332"),
    ("a turn: 1 6 2 2 6", "payoff-line 16226 --variant published", "Go for sixes, keep 66"),
    ("a turn: 6 6 4 5 3", "payoff-line 66453 --rolls-left 1", "Go for small-straight, keep 3456"),
    ("a turn: 3 4 5 6 4", "payoff-line 34564 --rolls-left 0", "Score small-straight"),
    ("a game of two payoff lines", "simulate payoff-line --versus payoff-line --transcript",
     "# going for"),
    ("ones or sixes for 1 2 3 5 6", "advise 12356 --rolls-left 0", "score ones 239.63"),
    ("how well the strategy plays", "report --strategy payoff-line", "mean 217.387012"),
    ("every number in the text", "verify mince", "section 4: the transition matrix T"),
]  # fmt: skip

ITEMS = [
    (text, *item)
    for text, items in (
        ("000", HUBER), ("001", VERHOEFF), ("003", BLOG), ("004", MINCE),
    )
    for item in items
]  # fmt: skip
"""A text, an item of it, the command that answers it, and words that the output contains."""


@pytest.mark.parametrize(("text", "item", "command", "words"), ITEMS)
def test_item(text: str, item: str, command: str, words: str, tmp_path: Path) -> None:
    code, output, errors = run(*shlex.split(command.format(folder=tmp_path)))
    assert code == (2 if "refused" in item else 0), errors
    assert words in " ".join((output + errors).split())


if __name__ == "__main__":
    for text, item, command, _ in ITEMS:
        print(f"| {text} | {item} | `rollwise {command}` |")
