"""The pages of games: a page for each family, with its rules, its variants, and optimal play.

The pages are written when the build of the site starts; git ignores them. What takes long to
compute comes from ``games/figures.json``, which ``tools/game_figures.py`` writes.
"""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from directives.pictures import cheapest, figure, histogram
from directives.tables import table
from rollwise import Rules, load_rules, preset_names
from rollwise.evaluation.evaluate import QUANTILES
from rollwise.game.scorecard import extra_bonus_title
from rollwise.model.size import counts
from rollwise.rules.describe import describe, describe_category
from rollwise.rules.families import by_family, title_of
from rollwise.solving.solution import rule_for_ties
from rollwise.studies.game_tree import games

FOLDER = Path(__file__).parents[1] / "games"
FIGURES = FOLDER / "figures.json"

ADVISED = "yahtzee"
"""The preset whose zeros the guide to strategy compares."""

PAGE = """\
# {title}

{about}

## Rules

{rules}

{scorecard}
{variants}
## Optimal play

Expected score **{value:.6f}**, standard deviation {sd:.2f}{star}; median
{median}{star}{mode}.

{ties}; another choice can change the distribution.

## Distribution

{picture}{quantiles}

## Categories

{categories}

## Openings

The best and worst first rolls, with the best option and the expected final score.

{openings}

## Extreme scores

{extremes}* Score of optimal play against adversarial dice, which always show the roll with the
  lowest expected score: {adversarial}.
* Guaranteed score: {guaranteed}. The strategy for the worst case never scores less.

## Size of the game

{size}

## Sources

{sources}
"""

VARIANTS = """
## Variants

{}

Each row is for optimal play. The columns 5% and 95% are quantiles: 5% of games have at most the
first score. A dash means that the game is too large to compute this number. `rollwise rules show
NAME` prints the full rules of a variant, and `rollwise report --rules NAME` prints its distribution
and the points in each category.
"""

EXTREMES = """\
* Highest score of optimal play: {} (probability {:.1e}).
* Lowest score of optimal play: {} (probability {:.1e}).
"""

LABELS = {
    "keeps": "sets of dice to keep",
    "pairs of a roll and a keep": "pairs of a roll and dice to keep",
}

FEW_WORDS = 30
"""The description of a variant ends with the sentence that reaches this number of words."""

Figures = dict[str, Any]


def game_pages() -> Iterator[tuple[Path, str]]:
    """Yield the page of each family."""
    figures = json.loads(FIGURES.read_text("utf-8"))
    for family in by_family(preset_names()):
        yield FOLDER / f"{family}.md", page_of(family, figures)


def game_index() -> str:
    """Return a table of the families, with links to their pages."""
    rows = []
    for family, names in by_family(preset_names()).items():
        rules = load_rules(names[0])
        sizes = (str(number) for number in (rules.dice, rules.rolls, len(rules.categories)))
        keys = ", ".join(f"`{name}`" for name in names)
        rows.append((f"[{title_of(family)}]({family}.md)", *sizes, keys))
    return table(("Game", "Dice", "Rolls", "Categories", "Presets"), rows)


def page_of(family: str, figures: dict[str, Figures]) -> str:
    """Return the page of a family as Markdown."""
    names = by_family(preset_names())[family]
    rules, numbers = load_rules(names[0]), figures[names[0]]
    about = f"On this page, you find the rules of {title_of(family)} and scores of optimal play."
    if len(names) > 1:
        about += f" The section [Variants](#variants) compares {len(names)} games, and all other"
        about += f" sections describe `{rules.name}`."
    star = "*" * bool(numbers["simulated"])
    about += (
        f" Values are exact. Numbers marked * come from {numbers['simulated']:,} simulated games."
        if star
        else " All numbers are exact, not simulated."
    )
    sentences = "\n* ".join(describe(rules)).replace("\n", "\n\n", 1)
    scorecard = [(box.title, f"`{box.key}`", *describe_category(box)) for box in rules.categories]
    bonuses = {"Upper bonus": rules.upper_bonus, extra_bonus_title(rules): rules.extra_bonus}
    titles = [box.title for box in rules.categories] + [name for name in bonuses if bonuses[name]]
    categories = [
        (title, f"{mean:.2f}", f"{sd:.2f}", f"{zero:.2f}%")
        for title, (mean, sd, zero) in zip(titles, numbers["categories"], strict=True)
    ]
    quantiles = [f"Highest score in these games{star}", *map(str, numbers["quantiles"])]
    shares = ["Percentage of games", *(f"{share:.0%}" for share in QUANTILES)]
    filled = {
        "title": title_of(family),
        "about": about,
        "rules": sentences,
        "scorecard": table(("Category", "Key", "Dice", "Points"), scorecard),
        "variants": VARIANTS.format(variants(names, figures)) if len(names) > 1 else "",
        "star": star,
        "median": quantile(numbers, 0.5),
        "mode": "" if star else f", most common score {numbers['mode']}",
        "ties": rule_for_ties(),
        "picture": picture_of(rules, numbers) if "histogram" in numbers else "",
        "quantiles": table(shares, [quantiles], right=len(QUANTILES)),
        "categories": table((f"Category{star}", "Mean", "SD", "Zero"), categories, right=3),
        "openings": table(("Roll", "Best option", "Expected score"), numbers["openings"], right=1),
        "extremes": "" if star else EXTREMES.format(*numbers["highest"], *numbers["lowest"]),
        "size": table(("Quantity", "Number"), [*sizes_of(rules)], right=1),
        "sources": "\n".join(sources_of(names)),
    }
    return PAGE.format(**numbers | filled)


def quantile(numbers: Figures, share: float) -> int:
    """Return a quantile of the final score."""
    score: int = numbers["quantiles"][QUANTILES.index(share)]
    return score


def variants(names: list[str], figures: dict[str, Figures]) -> str:
    """Return a list of the rules of all games of a family, and a table of their figures."""
    said: set[str] = set()
    rules: list[str] = []
    rows = []
    for name in names:
        game, numbers = load_rules(name), figures[name]
        about = " ".join(new_sentences(game, said))
        rules.append(f"* `{name}` (*{game.title}*): {about if rules else 'the rules above.'}")
        cells = [f"{numbers['value']}", *"––––"]
        if "sd" in numbers:
            star = "*" * bool(numbers["simulated"])
            scores = (str(quantile(numbers, share)) for share in (0.05, 0.5, 0.95))
            cells = [f"{numbers['sd']:.2f}", *scores]
            cells = [f"{numbers['value']:.6f}", *(cell + star for cell in cells)]
        rows.append((f"`{name}`", *cells))
    header = ("Game", "Expected score", "SD", "5%", "Median", "95%")
    return "\n".join([*rules, "", table(header, rows, right=5)])


def new_sentences(rules: Rules, said: set[str]) -> Iterator[str]:
    """Yield the first sentences about a game that are not in ``said``, and add them to it."""
    words, about = 0, " ".join(rules.about.split())
    for sentence in re.split(r"(?<=\.)\s+", " ".join(describe(rules))):
        bonus = sentence.startswith("Upper-section bonus")
        if sentence not in said and (bonus or (sentence in about and words < FEW_WORDS)):
            yield sentence
            words += len(sentence.split())
        said.add(sentence)


def picture_of(rules: Rules, numbers: Figures) -> str:
    """Return a histogram of the final score."""
    width = numbers["histogram"][1]
    low, lower, median, upper, high = (quantile(numbers, q) for q in (0.05, 0.25, 0.5, 0.75, 0.95))
    drawn = figure(
        histogram,
        numbers["histogram"],
        {"mean": round(numbers["value"], 1), "median": median},
        {"90% of all games": (low, high), "half of all games": (lower, upper)},
        alt=f"Histogram of the final scores of optimal play in {rules.title}, with the mean "
        "and the quantiles in the table below",
        across="Final score",
        up="Games (%)" if width == 1 else f"Games (%) in each range of {width} points",
    )
    return f"```{{raw}} html\n{drawn}\n```\n\n"


def zeros() -> str:
    """Return a picture of what a zero costs in each category of Yahtzee, by turn."""
    titles, costs = zip(*json.loads(FIGURES.read_text("utf-8"))[ADVISED]["zeros"], strict=True)
    drawn = figure(
        cheapest,
        costs,
        titles,
        range(1, 1 + len(costs[0])),
        alt="The points that a zero costs in each category and turn of Yahtzee. Aces are cheapest "
        "in the first six turns, and Yahtzee from turn 7 on.",
        across="Turn",
    )
    return f"```{{raw}} html\n{drawn}\n```"


def sizes_of(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield the numbers of states and of games."""
    for what, number in counts(rules).items():
        yield LABELS.get(what, what), f"{number:,}"
    if not rules.carries_rolls:
        yield "games (approximately)", f"{Decimal(games(rules)):.1e}"


def sources_of(names: list[str]) -> Iterator[str]:
    """Yield the sources of the games of a family as a list, each with its games."""
    keys: dict[str, list[str]] = {}
    for name in names:
        for source in load_rules(name).sources or ["none"]:
            keys.setdefault(source, []).append(f"`{name}`")
    for source, of in keys.items():
        yield f"* {source}" + f" ({', '.join(of)})" * (len(names) > 1)
