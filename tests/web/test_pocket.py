"""The offline page in a browser without a network: values, games, and layout."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from commands import run
from games import at_random, play
from rollwise.game.actions import Keep
from rollwise.game.game import Game
from rollwise.game.position import Position
from rollwise.offline_page.page import offline_html
from rollwise.rules import load_rules
from rollwise.solving.objective_parser import parse_objective
from rollwise.solving.solution import Solution
from rollwise.solving.solver import solve
from waiting import PATIENCE

DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
NEAR, GAP = 0.01, 0.02
MOST_BYTES = 1_600_000

FEW = [
    ("yahtzee", "expected"),
    ("generala", "expected"),
    ("yamb-free", "expected"),
    ("crag", "exponential:-0.03"),
    ("yatzy-forced-order", "worst-case"),
]
FIVE = ["yahtzee-forced-joker", "yahtzee-1956", "kismet", "balut", "generala"]

OPTIONS = """(positions) => app.then(({ game }) => positions.map(([boxes, dice, left]) => {
    const card = boxes.map((points, k) => points === null ? 0 : game.category.findIndex(
        (category, o) => category === k && game.points[o] === points && !game.extra[o]));
    return optionsOf(game, card, dice, left).map(({ keep, category, value, loss }) =>
        [keep ?? category, value, loss]);
}))"""
"""Returns the options of positions; their values do not include the extra bonus so far."""

expect.set_options(timeout=1000 * PATIENCE)

Write = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def write(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Return a function that writes the file of a game, but only once per game."""
    folder = tmp_path_factory.mktemp("pocket")

    def written(name: str, objective: str = "expected") -> Path:
        path = folder / f"{name}-{objective.replace(':', '')}.html"
        if not path.exists():
            code, _, err = run("pocket", "--rules", name, "--objective", objective, "-o", str(path))
            assert code == 0, err
        return path

    return written


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a phone without a network; fail if there was an error or a network request."""
    problems: list[str] = []
    context = browser.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce")  # type: ignore[arg-type]
    context.set_offline(True)
    context.set_default_timeout(1000 * PATIENCE)
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.on("console", lambda message: problems.append(message.text))
    schemes = ("file:", "data:", "blob:")
    context.on(
        "request",
        lambda request: None if request.url.startswith(schemes) else problems.append(request.url),
    )
    yield context
    context.close()
    assert problems == []


@pytest.fixture
def page(context: BrowserContext, write: Write) -> Page:
    return opened(context, write("yahtzee", "expected"))


def opened(context: BrowserContext, path: Path) -> Page:
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.locator("#turn")).not_to_be_empty()
    return page


def shown(page: Page) -> list[int]:
    """Return the faces of the dice, from left to right."""
    return [int(die.get_attribute("data-face") or 0) for die in page.locator(".die").all()]


def roll(page: Page, left: int) -> None:
    """Roll, and wait until ``left`` rolls are left, because a tap returns before its effect."""
    page.locator("#roll").tap()
    expect(page.locator("#roll i.on")).to_have_count(left)


def type_roll(page: Page, dice: str) -> None:
    """Roll real dice by entering their faces."""
    page.locator("#menu-button").tap()
    page.locator("#real").check()
    page.get_by_role("button", name="Back to the table").tap()
    page.locator("#roll").tap()
    expect(page.locator("#faces")).to_be_visible()
    page.keyboard.type(dice)
    expect(page.locator("#faces")).to_be_hidden()


def positions(solution: Solution, number: int) -> list[Position]:
    """Return positions from random games, spread over all turns."""
    rules, sample, seed = solution.rules, list[Position](), 0
    while len(sample) < number:
        choose = at_random(seed)

        def note(game: Game, choose: Any = choose) -> Any:
            sample.extend([game.position] if game.position else [])
            return choose(game)

        play(rules, ["Ada"], seed, note)
        seed += 1
    return sample[:: max(1, len(sample) // number)][:number]


def compare(context: BrowserContext, write: Write, name: str, objective: str, number: int) -> None:
    """Compare the options of a file with the solution that it contains."""
    solution = solve(load_rules(name), parse_objective(objective))
    sample = positions(solution, number)
    arguments = [(p.card.boxes, p.dice, p.rolls_left) for p in sample if p.card]
    page = opened(context, write(name, objective))
    for position, options in zip(sample, page.evaluate(OPTIONS, arguments), strict=True):
        extra = position.card.extra_bonus if position.card else 0
        expected = {
            option.action.dice
            if isinstance(option.action, Keep)
            else option.action.category: option
            for option in solution.options(position)
        }
        actions = [
            tuple(action) if isinstance(action, list) else action for action, _, _ in options
        ]
        assert sorted(map(str, actions)) == sorted(map(str, expected))
        for action, (_, value, loss) in zip(actions, options, strict=True):
            assert abs(value + extra - expected[action].value) <= NEAR
            assert abs(loss - expected[action].loss) <= NEAR
        second = min((o.loss for o in expected.values() if not o.best), default=GAP)
        assert expected[actions[0]].best or second <= GAP


@pytest.mark.parametrize(("name", "objective"), FEW)
def test_options_agree_with_the_solution(
    context: BrowserContext, write: Write, name: str, objective: str
) -> None:
    compare(context, write, name, objective, 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", FIVE)
def test_many_options_agree_with_the_solution(
    context: BrowserContext, write: Write, name: str
) -> None:
    compare(context, write, name, "expected", 400)


def test_a_whole_game_by_taps_without_scrolling(page: Page) -> None:
    for turn in range(1, 14):
        expect(page.locator("#turn")).to_have_text(f"Turn {turn}/13")
        roll(page, left=2)
        page.locator(".die").first.tap()
        expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Roll 4 dice").tap()
        page.locator('.box[data-state="possible"]').first.tap()
        assert page.evaluate("[scrollY, document.documentElement.scrollHeight]") == [0, 844]
    expect(page.locator("#turn")).to_have_text("The end")
    total = page.locator("#total").inner_text()
    expect(page.get_by_role("heading", name=f"{total} points")).to_be_visible()
    scores = map(int, page.locator(".box .points").all_inner_texts())
    bonus = int(page.locator(".upper .sum .points").inner_text())
    assert page.locator("#total").evaluate("one => one.previousSibling.textContent") == ""
    assert int(total) == sum(scores) + bonus
    page.get_by_role("dialog").get_by_role("button", name="Play again").tap()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")


def test_the_numbers_at_the_end_add_up(page: Page) -> None:
    for turn in range(1, 14):
        expect(page.locator("#turn")).to_have_text(f"Turn {turn}/13")
        roll(page, left=2)
        page.locator('.box[data-state="possible"]').last.tap()
    expect(page.locator("#end-text")).to_be_visible()
    words = page.locator("#end-text").inner_text().replace("−", "-")
    start, luck = map(float, re.findall(r"-?[0-9]+\.[0-9]+", words.splitlines()[0]))
    (lost,) = map(float, re.findall(r"[0-9]+\.[0-9]+", words.split("choices lost")[1])[:1])
    assert abs(start + luck - lost - int(page.locator("#total").inner_text())) < 0.1
    assert "What cost most: in turn" in words


def test_undo_keeps_the_dice(page: Page) -> None:
    rolls = page.locator("#roll i.on")
    roll(page, left=2)
    first = shown(page)
    page.locator(".die").first.tap()
    page.get_by_role("button", name="Roll 4 dice").tap()
    expect(rolls).to_have_count(1)
    second = shown(page)
    assert second[0] == first[0]
    page.locator('.box[data-state="possible"]').first.tap()
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    for left, before in ((1, second), (2, first)):
        page.get_by_role("button", name="Undo").tap()
        expect(page.locator("#turn")).to_have_text("Turn 1/13")
        expect(rolls).to_have_count(left)
        assert shown(page) == before
    page.get_by_role("button", name="Roll 4 dice").tap()
    expect(rolls).to_have_count(1)
    assert shown(page) == second


def test_a_burst_of_clicks_rolls_once(page: Page) -> None:
    page.locator("#roll").click(click_count=3)
    expect(page.get_by_role("button", name="Roll all again")).to_be_visible()
    expect(page.locator("#roll i.on")).to_have_count(2)


def test_hint_and_all_options_for_real_dice(page: Page) -> None:
    type_roll(page, "66113")
    assert shown(page) == [6, 6, 1, 1, 3]
    page.get_by_role("button", name="Hint").tap()
    best, second = solve("yahtzee").options("66113")[:2]
    assert best.action == Keep((6, 6))
    expect(page.get_by_role("status")).to_have_text(
        f"Keep 6 6: {best.value:.2f}\nnext best −{second.loss:.2f}"
    )
    marked = [
        bool(re.search("best", die.get_attribute("class") or ""))
        for die in page.locator(".die").all()
    ]
    assert marked == [True, True, False, False, False]
    page.get_by_role("button", name="All options").tap()
    rows = page.locator("#options tbody tr")
    expect(rows.first).to_have_text(f"keep 6 6{best.value:.2f}–")
    expect(rows).to_have_count(len(solve("yahtzee").options("66113")))
    page.get_by_role("button", name="Back", exact=True).tap()
    page.locator(".die").first.tap()
    page.get_by_role("button", name="Roll 4 dice").tap()
    for face in ("5", "6", "6", "2"):
        page.locator("#faces").get_by_role("button", name=face).tap()
    expect(page.locator("#faces")).to_be_hidden()
    assert shown(page) == [6, 5, 6, 6, 2]


def test_the_tutor_warns_before_a_loss(page: Page) -> None:
    page.locator("#menu-button").tap()
    page.locator("#tutor").check()
    page.get_by_role("button", name="Back to the table").tap()
    type_roll(page, "66113")
    chance = page.get_by_role("button", name="Chance, score 17")
    chance.tap()
    warning = page.get_by_role("dialog", name="There is better")
    expect(warning).to_contain_text("Best: keep 6 6")
    expect(warning).to_contain_text("Yours: score Chance")
    page.get_by_role("button", name="Let me think").tap()
    expect(warning).to_be_hidden()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
    chance.tap()
    expect(warning).to_be_visible()
    page.keyboard.press("1")  # the warning is modal
    assert page.locator('.die[aria-pressed="true"]').count() == 0
    page.get_by_role("button", name="Still score Chance").tap()
    expect(page.locator("#total")).to_have_text("17")
    page.get_by_role("button", name="Undo").tap()
    page.locator(".die").nth(0).tap()
    page.locator(".die").nth(1).tap()
    page.get_by_role("button", name="Roll 3 dice").tap()
    expect(page.locator("#faces")).to_be_visible()
    expect(warning).to_be_hidden()


def test_by_keys_and_after_a_reload(page: Page) -> None:
    page.keyboard.press("r")
    page.keyboard.press("2")
    page.keyboard.press("r")
    dice = shown(page)
    expect(page.locator(".die").nth(1)).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
    assert shown(page) == dice
    page.keyboard.press("h")
    expect(page.locator("#say.hint")).not_to_be_empty()
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(page.locator("#say")).to_have_text("Good luck.")


def test_dice_move_unless_motion_is_reduced(page: Page) -> None:
    roll(page, left=2)
    assert page.evaluate("document.getAnimations().length") == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(
        "app.then((one) => one.roll().then(() => document.getAnimations().length))"
    )


SHEETS = {
    "table": [],
    "options": ["#all"],
    "menu": ["#menu-button"],
    "warning": [".box[data-state=possible]"],
}
"""The clicks that open each sheet."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.slow)], ids=["phone", "desktop"]
)
def test_layout_and_accessibility(page: Page, scheme: str, size: dict[str, int]) -> None:
    """Axe finds no serious problem, nothing is too small to touch, and nothing scrolls."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.locator("#menu-button").click()
    page.locator("#tutor").check()
    page.keyboard.press("Escape")
    type_roll(page, "66113")
    page.locator("#hint").click()
    page.locator(".die").first.click()
    for clicks in SHEETS.values():
        for click in clicks:
            page.locator(click).first.click()
        violations = Axe().run(page).response["violations"]
        serious = [v["id"] for v in violations if v["impact"] in ("serious", "critical")]
        assert serious == []
        small = page.evaluate(
            "[...document.querySelectorAll('button, summary, label')].filter((one) => "
            "one.checkVisibility({ visibilityProperty: true })).filter((one) => "
            "one.getBoundingClientRect().width < 44 || one.getBoundingClientRect().height < 44)"
            ".map((one) => one.outerHTML)"
        )
        assert small == []
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    content = page.evaluate(
        "((one) => [one.scrollWidth, one.scrollHeight])(document.documentElement)"
    )
    assert content == [size["width"], size["height"]]


def test_a_file_is_small(write: Write) -> None:
    assert write("yahtzee", "expected").stat().st_size <= MOST_BYTES


def test_the_text_of_rules_is_never_markup(context: BrowserContext, tmp_path: Path) -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    rules = load_rules("micro-yahtzee")
    evil_rules = rules.model_copy(update={"title": evil, "about": evil})
    path = tmp_path / "evil.html"
    path.write_text(offline_html(solve(evil_rules)), encoding="utf-8")
    page = opened(context, path)
    expect(page.locator("h1")).to_have_text(evil)
    assert page.locator("img").count() == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--rules", "maxi-yatzy-no-saving"], "37,584,896 values: expected at most 2,000,000"),
        (["--rules", "yahtzee", "--objective", "target:300"], "one value a card"),
        (["--all", "site", "-o", "game.html"], "expected it without --all"),
    ],
)
def test_a_refusal_leaves_no_file(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run("pocket", *arguments)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_site_of_all_games_that_fit(
    context: BrowserContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "rollwise.cli.pocket.preset_names",
        lambda: ("crag", "maxi-yatzy-no-saving", "micro-yahtzee"),
    )
    code, _, err = run("pocket", "--all", str(tmp_path / "site"))
    assert code == 0
    assert "left out maxi-yatzy-no-saving: its cards have 37,584,896 values" in err
    page = context.new_page()
    page.goto((tmp_path / "site" / "index.html").as_uri())
    expect(page.get_by_role("link")).to_have_count(2)
    page.get_by_role("link", name="Crag").tap()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
