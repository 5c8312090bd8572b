"""``/proficiency``: how well somebody plays, over all games that are kept."""

from fastapi.responses import JSONResponse
from nicegui import app, ui

from rollwise.history import Group, Proficiency, people
from rollwise.history import proficiency as proficiency_of
from rollwise.web import charts
from rollwise.web.elements import Link, Tag, address, choose_page, page, show_facts, table
from rollwise.web.owners import Owner, owner_of
from rollwise.web.solved import SolvedGames

EXPLANATION = (
    "The luck-adjusted score is what ordinary luck would bring: the value at the start less what "
    "was lost. A few games tell it well; ± is its standard error."
)


def add(games: SolvedGames) -> None:
    """Add the page."""

    @app.get("/history.json")
    async def export(owner: Owner) -> JSONResponse:
        headers = {"Content-Disposition": 'attachment; filename="rollwise-history.json"'}
        return JSONResponse(await games.read(games.history.of(owner).export), headers=headers)

    @ui.page("/proficiency", response_timeout=60)
    async def proficiency(rules: str = "yahtzee", name: str = "") -> None:
        history = games.history.of(owner_of(ui.context.client.request))
        names = await games.read(people, history, rules)
        found = await games.read(proficiency_of, history, rules, name or None)
        with page("Proficiency", "/proficiency", wide=True):
            with Tag("div", classes="fields"):
                choose_page("Rules", games.all_titles(), "/proficiency", "rules", rules=rules)
                players = {"": "everybody", **{n: n for n in names}}
                choose_page("Player", players, "/proficiency", "name", rules=rules, name=name)
            if found is None:
                Tag("p", "No finished game of these rules yet.")
                with Tag("p"):
                    Link("Play one", "/")
            else:
                _show(found, rules, name)


def _show(found: Proficiency, rules: str, name: str) -> None:
    facts = {
        "games": str(found.games),
        "luck-adjusted score": str(found.luck_adjusted),
        "score": str(found.score),
        "best play": f"{found.best_play:.2f}",
        "mean loss a decision": f"{found.mean_loss:.3f}",
    }
    show_facts(facts)
    Tag("p", EXPLANATION, "soft")
    with Tag("p", classes="links"):
        Link("Practise on these mistakes", address("/practice", rules=rules, name=name), "button")
        Link("Export all games", "/history.json")
    Tag("h2", "Mean loss a decision, game by game")
    charts.trend(found)
    Tag("h2", "Decisions by class")
    charts.bars("Decisions by class", {k: float(v) for k, v in found.tally.items()}, "decisions")
    _groups("By turn", "turn", found.by_turn)
    _groups("By the box that was scored", "box", found.by_category)


def _groups(title: str, first: str, groups: list[Group]) -> None:
    Tag("h2", title)
    rows = [group.words() for group in groups]
    table((first, "decisions", "mean loss", "% of all loss"), rows, numbers=(1, 2, 3), label=title)
