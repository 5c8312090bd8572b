"""Test the offline page in a browser without a network: values, games, and layout."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from commands import run
from page_sizes import PLAYERS, SIZE, SIZES, SMALL
from rollwise.evaluation.breakdown import Parts, breakdown_of
from rollwise.game.actions import Keep
from rollwise.offline_page.page import offline_html
from rollwise.rules import load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solver import solve
from waiting import PATIENCE

PHONE = {"width": 390, "height": 664}
MOST_BYTES = 715_000

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
    """Yield a browser context of a phone without a network; fail after an error or a request."""
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
    page.get_by_role("dialog").get_by_role("button", name="Play").tap()
    expect(page.locator("#welcome")).to_be_hidden()
    return page


def begin(page: Page, *players: str, how: str = "Start") -> None:
    """Begin a game of some players."""
    page.locator("#menu-button").tap()
    page.get_by_role("button", name="New game").tap()
    for number in range(4):
        page.locator("#new input").nth(number).fill(dict(enumerate(players)).get(number, ""))
    page.get_by_role("button", name=how).tap()
    expect(page.locator("#new")).to_be_hidden()


def shown(page: Page) -> list[int]:
    """Return the faces of the dice, from left to right."""
    return [int(die.get_attribute("data-face") or 0) for die in page.locator(".die").all()]


def roll(page: Page, left: int) -> None:
    """Roll, and wait until ``left`` rolls are left, because a tap has its effect later."""
    page.locator("#roll").tap()
    expect(page.locator("#roll i.on")).to_have_count(left)


def type_roll(page: Page, dice: str) -> None:
    """Roll real dice by entering their faces."""
    page.locator("#menu-button").tap()
    page.locator("#real").check()
    page.get_by_role("button", name="Back to the game").tap()
    expect(page.locator("#faces")).to_be_visible()
    page.keyboard.type(dice)
    expect(page.locator("#faces")).to_be_hidden()


def test_a_whole_game_by_taps_without_scrolling(page: Page) -> None:
    for turn in range(1, 14):
        expect(page.locator("#turn")).to_have_text(f"Turn {turn}/13")
        roll(page, left=2)
        page.locator(".die").first.tap()
        expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Roll 4 dice").tap()
        page.locator('.box[data-state="possible"]').first.tap()
        assert page.evaluate("[scrollY, document.documentElement.scrollHeight]") == [0, 664]
    expect(page.locator("#turn")).to_have_text("Game over")
    ending = page.get_by_role("dialog")
    total = page.locator(".total").inner_text().removesuffix(" points")
    expect(ending.get_by_role("heading", name=f"{total} points")).to_be_visible()
    scores = [int(points) for points in page.locator(".box .points").all_inner_texts()]
    bonus = int(page.locator(".sum .points").first.inner_text())
    assert int(total) == sum(scores) + bonus
    page.keyboard.press("Escape")
    expect(ending).to_be_hidden()
    page.get_by_role("button", name="Result").tap()
    expect(ending).to_be_visible()
    assert page.evaluate("document.activeElement.closest('dialog')?.id") == "end"
    ending.get_by_role("button", name="Play again").tap()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")


def finish(page: Page, players: int = 1) -> None:
    """Score the first roll of every turn in the last possible category."""
    for turn in range(13 * players):
        expect(page.locator("#turn")).to_have_text(f"Turn {turn // players + 1}/13")
        roll(page, left=2)
        page.locator('.box[data-state="possible"]').last.tap()
    expect(page.locator("#end-text")).to_be_visible()


def test_the_numbers_at_the_end_add_up(page: Page) -> None:
    finish(page)
    words = page.locator("#end-text").inner_text().replace("−", "-")
    (start,) = map(float, re.findall(r"start was ([0-9.]+)\.\n", words))
    luck = sum(map(float, re.findall(r"dice: ([-+][0-9.]+) points", words)))
    (lost,) = map(float, re.findall(r"others lost ([0-9.]+) points", words))
    total = int(page.locator(".total").inner_text().removesuffix(" points"))
    assert abs(start + luck - lost - total) < 0.2 + (luck == 0)
    assert "Most costly: turn" in words


def test_the_result_of_two_players_can_be_shared(context: BrowserContext, write: Write) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened(context, write("yahtzee", "expected"))
    begin(page, "Ada", "Ben")
    finish(page, players=2)
    totals = [int(total) for total in page.locator(".total").all_inner_texts()]
    winner = "Ada wins, " if totals[0] > totals[1] else "Ben wins, "
    score = f"{max(totals)} to {min(totals)}"
    result = f"{winner}{score}" if totals[0] != totals[1] else f"Ada and Ben tie with {totals[0]}"
    ending = page.get_by_role("dialog")
    expect(ending.get_by_role("heading").first).to_contain_text(result)
    expect(ending.get_by_role("heading", name=f"Ben: {totals[1]}")).to_be_visible()
    page.evaluate("delete Navigator.prototype.share")
    ending.get_by_role("button", name="Share the result").tap()
    expect(page.locator("#share")).to_have_text("Copied")
    first, *lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert first.startswith(f"Yahtzee, free-choice jokers: {result}")
    assert [len(re.findall("[🟩🟨🟧🟥]", line)) for line in lines] == [13, 13]


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
    expect(page.get_by_role("button", name="Roll all dice")).to_be_visible()
    expect(page.locator("#roll i.on")).to_have_count(2)


def test_hint_and_all_options_for_real_dice(page: Page) -> None:
    type_roll(page, "66113")
    assert shown(page) == [6, 6, 1, 1, 3]
    page.get_by_role("button", name="Hint").tap()
    best, second = solve("yahtzee").options("66113")[:2]
    assert best.action == Keep((6, 6))
    expect(page.get_by_role("status")).to_have_text(
        f"Keep 6 6. You can expect {best.value:.0f} points. "
        f"{best.value:.2f}. Next best: keep 3 6 6, −{second.loss:.1f}."
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
    page.get_by_role("button", name="Back to the game").tap()
    type_roll(page, "66113")
    chance = page.get_by_role("button", name="Chance, score 17")
    chance.tap()
    warning = page.get_by_role("dialog", name="Score Chance?")
    expect(warning).to_contain_text("points: a blunder. Better: keep 6 6.")
    page.get_by_role("button", name="Think again").tap()
    expect(warning).to_be_hidden()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
    chance.tap()
    expect(warning).to_be_visible()
    page.keyboard.press("1")  # the warning is modal
    assert page.locator('.die[aria-pressed="true"]').count() == 0
    page.get_by_role("button", name="Show the best choice").tap()
    expect(page.locator("#say.hint")).to_contain_text("Keep 6 6.")
    chance.tap()
    page.get_by_role("button", name="Play anyway: score Chance").tap()
    expect(page.locator(".total")).to_have_text("17 points")
    page.get_by_role("button", name="Undo").tap()
    page.locator(".die").nth(0).tap()
    page.locator(".die").nth(1).tap()
    page.get_by_role("button", name="Roll 3 dice").tap()
    expect(page.locator("#faces")).to_be_visible()
    expect(warning).to_be_hidden()


ASK_AGAIN = """() => {
    document.querySelector("#warning [value=back]").click();
    for (const key of "ch") document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
}"""
"""A script that closes the warning and makes the same choice before the browser says that the
warning is closed. A fast player does the same on a slow machine."""


def test_a_warning_that_is_closed_and_opened_at_once_still_has_an_effect(page: Page) -> None:
    page.keyboard.press("t")
    type_roll(page, "66113")
    page.keyboard.type("ch")
    expect(page.locator("#warning")).to_be_visible()
    page.evaluate(ASK_AGAIN)
    page.get_by_role("button", name="Play anyway: score Chance").tap()
    expect(page.locator(".total")).to_have_text("17 points")


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
    expect(page.locator("#say")).to_contain_text("Good luck. Roll the dice.")


def test_equal_dice_stay_in_their_places_after_a_reload(page: Page) -> None:
    type_roll(page, "66123")
    page.locator(".die").nth(1).tap()
    page.get_by_role("button", name="Roll 4 dice").tap()
    page.keyboard.type("1412")
    expect(page.locator("#roll")).to_be_visible()
    assert shown(page) == [1, 6, 4, 1, 2]
    page.reload()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
    assert shown(page) == [1, 6, 4, 1, 2]
    pressed = [die.get_attribute("aria-pressed") for die in page.locator(".die").all()]
    assert pressed == ["false", "true", "false", "false", "false"]


COUNT_ANIMATIONS = """() => {
  const { animate } = Element.prototype;
  window.animations = 0;
  Element.prototype.animate = function (...options) {
    window.animations += 1;
    return animate.apply(this, options);
  };
}"""
"""Counts animations when they begin, because an animation can end before a test looks at it."""


def test_dice_move_unless_motion_is_reduced(page: Page) -> None:
    page.evaluate(COUNT_ANIMATIONS)
    roll(page, left=2)
    assert page.evaluate("window.animations") == 0
    page.emulate_media(reduced_motion="no-preference")
    page.locator("#roll").evaluate("(button) => button.click()")
    page.wait_for_function("window.animations === 5")


def score(page: Page, category: str, points: str) -> None:
    """Enter the points of a category by hand."""
    page.locator(".box").filter(has_text=re.compile(f"^{category}")).tap()
    page.locator("#points-choices").get_by_role("button", name=points, exact=True).tap()


def value_of(name: str, card: str) -> float:
    """Return the expected final score of a scorecard."""
    solution = solve(name)
    assert isinstance(solution, CardSolution)
    return solution.value(card)


def test_a_game_in_progress_by_two_players(page: Page) -> None:
    begin(page, "Ada", "Ben", how="Enter a game in progress")
    score(page, "Sixes", "30")
    score(page, "Yahtzee", "50")
    page.locator(".sum").filter(has_text="Yahtzee bonus").tap()
    page.get_by_role("button", name="100", exact=True).tap()
    score(page, "Chance", "22")
    score(page, "Chance", "Clear")
    page.get_by_role("button", name="Next: Ben").tap()
    score(page, "Aces", "3")
    page.get_by_role("button", name="Done").tap()
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    expect(page.locator(".plate.mine .name")).to_have_text("Ben")
    expect(page.locator(".total")).to_have_text(["180", "3"])
    page.locator("#roll").tap()
    page.locator('.box[data-state="possible"]').last.tap()
    expect(page.locator("#turn")).to_have_text("Turn 3/13")
    page.get_by_role("button", name="Undo").tap()
    value = value_of("yahtzee", "sixes=30,yahtzee=50,extra-bonus=100")
    expect(page.locator(".expected").first).to_have_text(f"→ {value:.0f}")


def test_a_category_explains_itself(page: Page) -> None:
    full_house = page.locator(".box").filter(has_text="Full House")
    full_house.tap()
    sheet = page.get_by_role("dialog", name="Full House")
    expect(sheet).to_contain_text("Needs: 3 of a kind and 2 of a kind.Pays: 25 points.")
    parts = breakdown_of(solve("yahtzee"))
    assert isinstance(parts, Parts)
    average = parts.remaining_T_C_L[parts.names.index("full-house"), 0, 0]
    expect(sheet).to_contain_text(f"Average: {average:.1f} points in optimal play.")
    page.keyboard.press("Escape")
    page.locator("#roll").tap()
    full_house.press("i")
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#menu-button").tap()
    page.get_by_role("button", name="Rules of this game").tap()
    expect(page.locator("#rules-categories tr")).to_have_count(13)


def test_the_first_page_is_shown_once(context: BrowserContext, write: Write) -> None:
    page = context.new_page()
    page.goto(write("yahtzee", "expected").as_uri())
    expect(page.locator("#welcome")).to_be_visible()
    page.reload()
    expect(page.locator("#roll")).to_be_visible()
    expect(page.locator("#welcome")).to_be_hidden()


def test_a_reader_without_script(browser: Browser, write: Write) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(write("yahtzee", "expected").as_uri())
    words = page.locator("#no-script")
    expect(words).to_contain_text("On an iPhone or iPad")
    assert words.bounding_box() == {"x": 0, "y": 0, **PHONE}
    expect(words).to_have_css("opacity", "1")
    context.close()


def test_the_colors_of_kismet(context: BrowserContext, write: Write) -> None:
    page = opened(context, write("kismet", "expected"))
    type_roll(page, "12345")
    colors = [
        die.locator(".face i").first.evaluate("(pip) => getComputedStyle(pip).backgroundColor")
        for die in page.locator(".die").all()
    ]
    black, red, green = colors[:3]
    assert colors == [black, red, green, green, red]
    assert len({black, red, green}) == 3


def test_the_slots_of_balut_share_a_row(context: BrowserContext, write: Write) -> None:
    page = opened(context, write("balut", "expected"))
    choice = page.locator(".box").filter(has_text="Choice")
    assert page.locator(".box").count() == 7
    for turn in (1, 2):
        roll(page, left=2)
        choice.tap()
        expect(page.locator("#turn")).to_have_text(f"Turn {turn + 1}/28")
    expect(choice.locator('.points[data-state="filled"]')).to_have_count(2)
    begin(page, "Ada", how="Enter a game in progress")
    score(page, "Choice", "30")
    score(page, "Choice", "5")
    expect(choice.locator(".points")).to_have_text(["30", "5", "", ""])
    page.get_by_role("button", name="Done").tap()
    value = value_of("balut", "choice=30,choice-2=5")
    expect(page.locator(".expected")).to_have_text(f"→ {value:.1f}")


SHEETS = {
    "table": [],
    "options": ["#all"],
    "menu": ["#menu-button"],
    "rules": ["#menu-button", "#menu [value=rules]"],
    "players": ["#menu-button", "#menu [value=new]"],
    "warning": [".box[data-state=possible]"],
}
"""The clicks that open each sheet."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "size",
    ["phone", *(pytest.param(size, marks=pytest.mark.slow) for size in ("low-phone", "desktop"))],
)
def test_accessibility_and_touch_targets(page: Page, scheme: str, size: str) -> None:
    """Check that axe finds no serious problem on any sheet, and no control is too small."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    resize(page, size)
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
        assert [v["id"] for v in violations if v["impact"] in ("serious", "critical")] == []
        assert page.evaluate(SMALL) == []
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)


def resize(page: Page, size: str) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})


QUICK = {("yahtzee", 1), ("yahtzee", 4)}

LAYOUTS = ["yahtzee", "kismet", "balut", "crag", "yatzy", "yamb-free", "kniffel-booklet"]
"""A game of each layout: with and without bonuses, with colors, with slots, with long titles."""


@pytest.mark.parametrize(
    ("name", "players"),
    [
        pytest.param(name, players, marks=[] if (name, players) in QUICK else pytest.mark.slow)
        for name in LAYOUTS
        for players in (1, 2, 3, 4)
    ],
)
def test_the_table_fits_every_screen(
    context: BrowserContext, write: Write, name: str, players: int
) -> None:
    page = opened(context, write(name, "expected"))
    begin(page, *PLAYERS[:players])
    for _ in range(players):
        page.locator("#roll").tap()
        page.locator('.box[data-state="possible"]').last.tap()
    page.locator("#roll").tap()
    page.locator("#hint").tap()
    sizes = {}
    for size in SIZES:
        resize(page, size)
        sizes[size] = page.evaluate(SIZE)
        assert page.evaluate(SMALL) == []
    assert {size: shown for size, shown in sizes.items() if shown != list(SIZES[size])} == {}


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
        (["--rules", "maxi-yatzy-no-saving"], "37,584,896 values, and the limit is 2,000,000"),
        (
            ["--rules", "yahtzee", "--objective", "target:300"],
            "does not support the objective target:300",
        ),
        (["--all", "site", "-o", "game.html"], "Leave out --output."),
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
    assert (
        "skipped: maxi-yatzy-no-saving is too large for an offline page: it has 37,584,896 values"
        in err
    )
    page = context.new_page()
    page.goto((tmp_path / "site" / "index.html").as_uri())
    expect(page.get_by_role("link")).to_have_count(2)
    page.get_by_role("link", name="Crag").tap()
    page.get_by_role("button", name="Play", exact=True).tap()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
