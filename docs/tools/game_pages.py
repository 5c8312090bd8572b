"""Write the pages about games: rules, size, and statistics of optimal play.

    python docs/tools/game_pages.py [NAME …]

The default is every game that has a page. If the rules have saved rolls, or if the exact score
distribution takes too much memory, the page uses simulated games and says so. A large game takes
minutes, and its value table is saved on disk: 18 GiB for Maxi Yatzy.
"""

import sys
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path

from rollwise import Distribution, Rules, Solver, evaluate, load_rules, solve
from rollwise.errors import InconsistentError, TooLargeError
from rollwise.evaluation.evaluate import QUANTILES
from rollwise.experiments.simulation import simulate
from rollwise.game.dice_notation import format_dice
from rollwise.game.notation import format_action
from rollwise.game.scorecard import extra_bonus_title
from rollwise.model.size import counts
from rollwise.rules.describe import describe, describe_category
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.objectives import WORST_CASE
from rollwise.solving.solution import rule_for_ties
from rollwise.studies.adversarial_dice import adversarial_game
from rollwise.studies.game_tree import games
from rollwise.studies.opening_tables import rated_rolls

FOLDER = Path(__file__).parents[1] / "games"

SHOWN = 5
"""The number of best first rolls on a page, and the number of worst first rolls."""

SIMULATED = 10_000
"""The number of simulated games, if the exact distribution is not computed."""

LABELS = {
    "keeps": "sets of dice to keep",
    "pairs of a roll and a keep": "pairs of a roll and dice to keep",
}

Rows = list[tuple[str, ...]]


def page_of(rules: Rules) -> str:
    """Return the page of a game as Markdown."""
    solution = Solver(rules).solve_by_card(on_disk=True)
    distribution, categories, star = statistics_of(solution)
    source = "All numbers are exact, not simulated."
    if star:
        source = "Values are exact; numbers marked * come from "
        source += f"{SIMULATED:,} simulated games of optimal play."
    quantiles = map(str, map(distribution.quantile, QUANTILES))
    sections: dict[str, Iterable[str]] = {
        "Rules": [
            *describe(rules),
            "",
            *table(
                ("Category", "Key", "Dice", "Points"),
                [(box.title, box.key, *describe_category(box)) for box in rules.categories],
            ),
        ],
        "Size of the game": table(("", ""), sizes_of(rules), right=1),
        "Optimal play": optimal_play(solution.value(), distribution, star),
        "Distribution": table(
            ("Percentage of games", *(f"{share:.0%}" for share in QUANTILES)),
            [(f"Highest score in these games{star}", *quantiles)],
            right=len(QUANTILES),
        ),
        "Categories": table(
            (f"Category{star}", "Mean", "SD", "Scored as zero"), categories, right=3
        ),
        "Openings": [
            "The best and worst first rolls, with the best option and the expected final score.",
            "",
            *table(("Roll", "Best option", "Expected score"), openings_of(solution), right=1),
        ],
        "Worst case": worst_cases(solution, None if star else distribution),
        "Sources": [f"* {source}" for source in rules.sources] or ["None."],
    }
    lines = [f"# {rules.title}", "", source]
    for title, section in sections.items():
        lines += ["", f"## {title}", "", *section]
    return "\n".join([*lines, ""])


def statistics_of(solution: CardSolution) -> tuple[Distribution, Rows, str]:
    """Return the distribution of the score, the rows of categories, and a star if simulated."""
    rules = solution.rules
    bonuses = {"Upper bonus": rules.upper_bonus, extra_bonus_title(rules): rules.extra_bonus}
    titles = [box.title for box in rules.categories] + [name for name in bonuses if bonuses[name]]
    try:
        exact = evaluate(solution, rules, cache=True)
    except (TooLargeError, InconsistentError):
        sample = simulate(solution, rules, SIMULATED, seed=1)
        earned = zip((sample.bonus_N, sample.extra_N), bonuses.values(), strict=True)
        points = [*sample.points_N_K.T, *(bonus_N for bonus_N, bonus in earned if bonus)]
        figures = [(points_N.mean(), points_N.std(), (points_N == 0).mean()) for points_N in points]
        distribution, star = sample.distribution, "*"
    else:
        parts = [part for part in (exact.upper_bonus, exact.extra_bonus) if part is not None]
        figures = [(row.mean, row.sd, row.zero) for row in exact.categories.values()]
        figures += [(part.mean, part.sd, part.probability(0)) for part in parts]
        distribution, star = exact.distribution, ""
    rows: Rows = [
        (title, f"{mean:.2f}", f"{sd:.2f}", f"{100 * zero:.2f}%")
        for title, (mean, sd, zero) in zip(titles, figures, strict=True)
    ]
    return distribution, rows, star


def sizes_of(rules: Rules) -> Rows:
    """Return the numbers of states and of games."""
    rows = [(LABELS.get(what, what), f"{number:,}") for what, number in counts(rules).items()]
    if not rules.carries_rolls:
        rows.append(("games (approximately)", f"{Decimal(games(rules)):.1e}"))
    return [*rows]


def optimal_play(value: float, distribution: Distribution, star: str) -> list[str]:
    """Return the value of the game, its distribution in words, and the rule for ties."""
    scores = f"median {distribution.median}{star}"
    if not star:
        highest = distribution.maximum
        scores += f", most common score {distribution.mode}, highest score {highest} "
        scores += f"(probability {distribution.probability(highest):.1e})"
    return [
        f"Expected score **{value:.6f}**, standard deviation {distribution.sd:.2f}{star};",
        f"{scores}.",
        "",
        f"{rule_for_ties()}; another choice can change the distribution.",
    ]


def openings_of(solution: CardSolution) -> Rows:
    """Return the best and worst first rolls, each with its best option and the value."""
    rules = solution.rules
    rows: Rows = [
        (format_dice(rules, dice), format_action(rules, best.action), f"{best.value:.2f}")
        for dice, best in rated_rolls(solution)
    ]
    return [*rows[:SHOWN], ("…", "", ""), *rows[-SHOWN:]] if len(rows) > 2 * SHOWN else rows


def worst_cases(solution: CardSolution, distribution: Distribution | None) -> Iterator[str]:
    """Yield the lowest scores; the distribution is None if it is not exact."""
    if distribution is not None:
        lowest = distribution.minimum
        yield (
            f"* Lowest possible score of optimal play: {lowest} "
            f"(probability {distribution.probability(lowest):.1e})."
        )
    yield (
        "* Score of optimal play against adversarial dice, which always show the roll with the "
        f"lowest expected score: {adversarial_game(solution).cards[0].points}."
    )
    guaranteed = int(solve(solution.rules, WORST_CASE, cache=False).value())
    yield f"* Guaranteed score: {guaranteed}. The strategy for the worst case never scores less."


def table(header: tuple[str, ...], rows: Rows, *, right: int = 0) -> list[str]:
    """Return the lines of a table whose last ``right`` columns are aligned to the right."""
    align = ["---"] * (len(header) - right) + ["---:"] * right
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in (header, align, *cells)]
    return [line.replace("|  ", "| ") for line in lines]  # empty cells


if __name__ == "__main__":
    pages = [path.stem for path in sorted(FOLDER.glob("*.md")) if path.stem != "README"]
    for name in sys.argv[1:] or pages:
        (FOLDER / f"{name}.md").write_text(page_of(load_rules(name)), encoding="utf-8")
