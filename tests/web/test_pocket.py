"""Test the offline page in a browser without a network: values, games, and layout."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser_pages import (
    FAULTS,
    PLAYERS,
    SIZES,
    expect_accessible,
    expect_table_fits,
    faces,
    hold,
    resize,
    roll,
    watched,
)
from commands import run
from rollwise.evaluation.breakdown import breakdown_of
from rollwise.game.actions import Keep
from rollwise.offline_page.page import offline_html
from rollwise.rules import load_rules
from rollwise.solving.card_solution import CardSolution
from rollwise.solving.solver import solve

MOST_BYTES = 715_000
DOUBLE_TAP_TIME = 500
"""How long a further tap belongs to a double tap, in milliseconds."""

Write = Callable[[str], Path]


@pytest.fixture(scope="module")
def write(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Return a function that writes the file of a game, but only once per game."""
    folder = tmp_path_factory.mktemp("pocket")

    def written(name: str) -> Path:
        path = folder / f"{name}.html"
        if not path.exists():
            code, _, err = run("pocket", "--rules", name, "-o", str(path))
            assert code == 0, err
        return path

    return written


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a browser context of a phone without a network."""
    with watched(browser, None, has_touch=True) as context:
        yield context


@pytest.fixture
def page(context: BrowserContext, write: Write) -> Page:
    return opened(context, write("yahtzee"))


def opened(context: BrowserContext, path: Path) -> Page:
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.locator("html.ready")).to_be_attached()
    return page


def begin(page: Page, *players: str, how: str = "Start", is_real: bool = False) -> None:
    """Begin a game of some players."""
    page.locator("#menu-button").tap()
    page.get_by_role("button", name="New game").tap()
    page.locator("#real").set_checked(is_real)
    enter_players(page, *players)
    page.get_by_role("button", name=how).tap()
    expect(page.locator("#new")).to_be_hidden()


def enter_players(page: Page, *players: str) -> None:
    """Enter the names of some players in place of the others."""
    names = page.locator("#new .name:visible")
    for number in reversed(range(len(players), names.count())):
        names.nth(number).fill("")
    for number, player in enumerate(players):
        names.nth(number).fill(player)


def type_roll(page: Page, dice: str) -> None:
    """Begin a game with real dice, and enter the faces of the first roll."""
    begin(page, "You", is_real=True)
    expect(page.locator("#faces")).to_be_visible()
    page.keyboard.type(dice)
    expect(page.locator("#faces")).to_be_hidden()


def test_a_whole_game_by_taps_and_its_review(page: Page) -> None:
    for turn in range(1, 14):
        expect(page.locator("#turn")).to_have_text(f"Turn {turn}/13")
        roll(page, left=2)
        hold(page, 1)
        page.get_by_role("button", name="Roll 4 dice").tap()
        expect(page.locator("#roll i.on")).to_have_count(1)
        page.locator('.box[data-state="possible"]').last.tap()
        assert page.evaluate("[scrollY, document.documentElement.scrollHeight]") == [0, 664]
    expect(page.locator("#turn")).to_have_text("Game over")
    ending = page.get_by_role("dialog")
    total = int(page.locator(".total").inner_text().removesuffix(" points"))
    expect(ending.get_by_role("heading", name=f"{total} points")).to_be_visible()
    scores = [int(points) for points in page.locator(".box .points").all_inner_texts()]
    assert total == sum(scores) + int(page.locator(".sum .points").first.inner_text())
    words = page.locator("#end-text").inner_text().replace("−", "-")
    (start,) = map(float, re.findall(r"start was ([0-9.]+)\.", words))
    luck = sum(map(float, re.findall(r"dice: ([-+][0-9.]+) points", words)))
    (lost,) = map(float, re.findall(r"others lost ([0-9.]+) points", words))
    assert abs(start + luck - lost - total) < 0.2 + (luck == 0)
    assert "Most costly: turn" in words
    page.touchscreen.tap(5, 5)  # beside the sheet
    expect(ending).to_be_hidden()
    page.get_by_role("button", name="Result").tap()
    page.locator("#end-title").tap()
    expect(ending).to_be_visible()
    assert page.evaluate("document.activeElement.closest('dialog')?.id") == "end"
    ending.get_by_role("button", name="Play again").tap()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")


def test_the_result_of_two_players_can_be_shared(context: BrowserContext, write: Write) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened(context, write("micro-yahtzee"))
    begin(page, "Ada", "Ben")
    for turn in (1, 2):
        for player in ("Ada", "Ben"):
            expect(page.locator("#turn")).to_have_text(f"Turn {turn}/2")
            expect(page.locator(".plate.mine .name")).to_have_text(player)
            roll(page, left=0)
            page.locator('.box[data-state="possible"]').last.tap()
    ending = page.get_by_role("dialog")
    expect(ending).to_be_visible()
    totals = [int(total) for total in page.locator(".total").all_inner_texts()]
    winner = "Ada wins, " if totals[0] > totals[1] else "Ben wins, "
    score = f"{max(totals)} – {min(totals)}"
    tie = f"Ada and Ben tie with {totals[0]} points"
    result = f"{winner}{score}" if totals[0] != totals[1] else tie
    expect(ending.get_by_role("heading").first).to_contain_text(result)
    expect(ending.get_by_role("heading", name=f"Ben: {totals[1]}")).to_be_visible()
    page.evaluate("delete Navigator.prototype.share")
    ending.get_by_role("button", name="Share the result").tap()
    expect(page.locator("#share")).to_have_text("Copied")
    first, *lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert first == f"rollwise – {load_rules('micro-yahtzee').title}: {result}"
    assert [len(re.findall("[🟩🟨🟧🟥]", line)) for line in lines] == [2, 2]


def test_a_finished_game_is_reviewed(context: BrowserContext, write: Write) -> None:
    page = opened(context, write("micro-yahtzee"))
    begin(page, "Ada", "Ben")
    for _ in range(4):
        roll(page, left=0)
        page.locator('.box[data-state="possible"]').last.tap()
    page.get_by_role("button", name="Review this game").tap()
    turn, totals = page.locator("#turn"), page.locator(".total")
    for step in range(1, 5):
        expect(turn).to_have_text(f"Turn {(step + 1) // 2}, roll 1 · {step}/4")
        expect(page.locator(".plate.mine .name")).to_have_text("Ada" if step % 2 else "Ben")
        if step < 3:
            expect(totals).to_have_text(["0" if step == 1 else re.compile("."), "0"])
            page.get_by_role("button", name="Try again").tap()
            page.locator('.box[data-state="possible"]').first.tap()
            expect(page.locator("#say")).to_contain_text("Played: score ")
        page.get_by_role("button", name="Done" if step == 4 else "Next", exact=True).tap()
    page.get_by_role("button", name="Show the scorecard").tap()
    expect(turn).to_have_text("Game over")
    page.get_by_role("button", name="Result").tap()
    page.get_by_role("button", name="Review this game").tap()
    page.locator("#menu-button").tap()
    page.get_by_role("button", name="Back to the result").tap()
    page.get_by_role("button", name="Play again").tap()
    expect(turn).to_have_text("Turn 1/2")


def test_undo_keeps_the_dice(page: Page) -> None:
    rolls = page.locator("#roll i.on")
    roll(page, left=2)
    first = faces(page)
    hold(page, 1)
    page.get_by_role("button", name="Roll 4 dice").tap()
    expect(rolls).to_have_count(1)
    second = faces(page)
    assert second[0] == first[0]
    page.locator('.box[data-state="possible"]').first.tap()
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    for left, before in ((1, second), (2, first)):
        page.get_by_role("button", name="Undo").tap()
        expect(page.locator("#turn")).to_have_text("Turn 1/13")
        expect(rolls).to_have_count(left)
        assert faces(page) == before
    page.get_by_role("button", name="Roll 4 dice").tap()
    expect(rolls).to_have_count(1)
    assert faces(page) == second


BURST = """() => {
    for (const detail of [1, 2, 3])
        document.querySelector("#roll").dispatchEvent(new MouseEvent("click", { detail }));
}"""
"""A script that clicks three times, faster than the slowest machine could dispatch real clicks."""


def test_a_burst_of_clicks_rolls_once(page: Page) -> None:
    page.evaluate(BURST)
    expect(page.locator("#roll i.on")).to_have_count(2)
    hold(page, 1)
    page.evaluate(BURST)
    expect(page.locator("#roll i.on")).to_have_count(1)


DOUBLE_TAP = """async () => {
    const box = document.querySelector('.box[data-state="possible"]');
    box.click();
    await new Promise((done) => setTimeout(done));
    box.click();
}"""


def test_a_double_tap_scores_and_explains_nothing(page: Page) -> None:
    roll(page, left=2)
    page.evaluate(DOUBLE_TAP)
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    assert page.locator("dialog[open]").count() == 0


CLICKS = """async () => {
    for (const [button, detail] of [["#roll", 1], [".die", 2], ["#roll", 3]]) {
        const click = new MouseEvent("click", { detail, bubbles: true });
        document.querySelector(button).dispatchEvent(click);
        await new Promise((done) => setTimeout(done));
    }
}"""
"""A script that clicks different buttons as if they were at the same place."""


def test_a_click_after_a_click_on_another_button_is_not_part_of_a_burst(page: Page) -> None:
    page.evaluate(CLICKS)
    expect(page.locator("#roll i.on")).to_have_count(1)
    expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")


def test_hint_and_all_options_for_real_dice(page: Page) -> None:
    type_roll(page, "66113")
    assert faces(page) == [6, 6, 1, 1, 3]
    page.get_by_role("button", name="Hint").tap()
    best, second = solve("yahtzee").options("66113")[:2]
    assert best.action == Keep((6, 6))
    expect(page.get_by_role("status")).to_have_text(
        f"Keep 6 6. Next best: keep 3 6 6, −{second.loss:.1f}."
    )
    marked = page.locator(".die").evaluate_all(
        "(dice) => dice.map((die) => die.classList.contains('best'))"
    )
    assert marked == [True, True, False, False, False]
    page.get_by_role("button", name="All options").tap()
    rows = page.locator("#options tbody tr")
    expect(rows.first).to_have_text(f"keep 6 6{best.value:.2f}–")
    expect(rows).to_have_count(len(solve("yahtzee").options("66113")))
    page.get_by_role("button", name="score Chance").tap()
    words = page.get_by_role("status")
    expect(words).to_contain_text("Tap again to score Chance.")
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
    page.wait_for_timeout(DOUBLE_TAP_TIME)
    words.tap()
    expect(page.locator(".total")).to_have_text("17 points")
    page.get_by_role("button", name="Undo").tap()
    page.get_by_role("button", name="All options").tap()
    page.get_by_role("button", name="keep 6", exact=True).tap()
    expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Roll 4 dice").tap()
    for face in ("5", "6", "6", "2"):
        page.locator("#faces").get_by_role("button", name=face).tap()
    expect(page.locator("#faces")).to_be_hidden()
    assert faces(page) == [6, 5, 6, 6, 2]


def test_the_tutor_warns_before_a_loss(page: Page) -> None:
    page.locator("#menu-button").tap()
    page.locator("#tutor").check()
    page.get_by_role("button", name="Back to the game").tap()
    type_roll(page, "66113")
    chance = page.get_by_role("button", name="Chance, score 17")
    chance.tap()
    warning = page.get_by_role("dialog", name="Score Chance?")
    expect(warning).to_contain_text("points: a blunder. Better: keep 6 6.")
    page.keyboard.press("1")  # the warning is modal
    page.get_by_role("button", name="Think again").tap()
    expect(warning).to_be_hidden()
    assert page.locator('.die[aria-pressed="true"]').count() == 0
    chance.tap()
    page.get_by_role("button", name="Show the best choice").tap()
    expect(page.locator("#say.hint")).to_contain_text("Keep 6 6.")
    chance.tap()
    page.get_by_role("button", name="Play anyway: score Chance").tap()
    expect(page.locator(".total")).to_have_text("17 points")
    page.get_by_role("button", name="Undo").tap()
    hold(page, 1)
    hold(page, 2)
    page.get_by_role("button", name="Roll 3 dice").tap()
    expect(page.locator("#faces")).to_be_visible()
    expect(warning).to_be_hidden()


ASK_AGAIN = """() => {
    document.querySelector("#warning [value=back]").click();
    for (const key of "ch")
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
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
    roll(page, 2, "keys")
    hold(page, 2, "keys")
    roll(page, 1, "keys")
    dice = faces(page)
    page.reload()
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
    expect(page.locator(".die").nth(1)).to_have_attribute("aria-pressed", "true")
    assert faces(page) == dice
    page.keyboard.press("h")
    expect(page.locator("#say.hint")).not_to_be_empty()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("fh Full House")
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(page.locator("#say")).to_contain_text("Good luck. Roll the dice.")


def test_equal_dice_stay_in_their_places_after_a_reload(page: Page) -> None:
    type_roll(page, "66123")
    hold(page, 2)
    page.get_by_role("button", name="Roll 4 dice").tap()
    page.keyboard.type("1412")
    for reload in (False, True):
        if reload:
            page.reload()
        expect(page.locator("#roll i.on")).to_have_count(1)
        assert faces(page) == [1, 6, 4, 1, 2]
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
    roll(page, 2)
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
    assert parts is not None
    average = parts.averages()["full-house"]
    expect(sheet).to_contain_text(f"Average: {average:.1f} points in optimal play.")
    page.keyboard.press("Escape")
    roll(page, 2)
    full_house.press("i")
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#menu-button").tap()
    page.get_by_role("button", name="Rules of this game").tap()
    expect(page.locator("#rules-categories tr")).to_have_count(13)
    expect(page.locator("#rules p").first).to_have_text(
        "Roll up to 3 times, keep the dice you like, then fill one category. "
        "After 13 turns, the highest total wins."
    )


def test_the_welcome_is_shown_once_and_offers_real_dice(browser: Browser, write: Write) -> None:
    with watched(browser, None, has_touch=True, is_welcomed=False) as context:
        page = opened(context, write("yahtzee"))
        page.get_by_role("button", name="I play with real dice").tap()
        enter_players(page, "Ada", "Ben")
        page.get_by_role("button", name="Enter a game in progress").tap()
        page.get_by_role("button", name="Ben: 0 points").tap()
        score(page, "Sixes", "30")
        page.get_by_role("button", name="Ada: 0 points").tap()
        score(page, "Chance", "22")
        score(page, "Aces", "2")
        page.get_by_role("button", name="Done").tap()  # both have been asked
        page.reload()
        expect(page.locator(".total")).to_have_text(["24", "30"])
        expect(page.locator(".plate.mine .name")).to_have_text("Ben")
        expect(page.locator("#faces")).to_be_visible()
        expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_reader_without_script(browser: Browser, write: Write) -> None:
    with watched(browser, None, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(write("yahtzee").as_uri())
        words, (width, height) = page.locator("#no-script"), SIZES["phone"]
        expect(words).to_contain_text("On an iPhone or iPad")
        assert words.bounding_box() == {"x": 0, "y": 0, "width": width, "height": height}
        expect(words).to_have_css("opacity", "1")


@pytest.mark.slow
def test_the_colors_of_kismet(context: BrowserContext, write: Write) -> None:
    page = opened(context, write("kismet"))
    type_roll(page, "12345")
    colors = [
        die.locator(".face i").first.evaluate("(pip) => getComputedStyle(pip).backgroundColor")
        for die in page.locator(".die").all()
    ]
    black, red, green = colors[:3]
    assert colors == [black, red, green, green, red]
    assert len({black, red, green}) == 3


@pytest.mark.slow
def test_the_slots_of_balut_share_a_row(context: BrowserContext, write: Write) -> None:
    page = opened(context, write("balut"))
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


def test_accessibility_and_touch_targets(page: Page) -> None:
    """Check that axe finds no serious problem on any sheet, and no control is too small."""
    page.locator("#menu-button").click()
    page.locator("#tutor").check()
    page.keyboard.press("Escape")
    type_roll(page, "66113")
    page.locator("#hint").click()
    hold(page, 1)
    for clicks in SHEETS.values():
        for click in clicks:
            page.locator(click).first.click()
        expect_accessible(page)
        assert page.evaluate(FAULTS) == []
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("yahtzee", 1),
        ("yahtzee", 4),
        pytest.param("kismet", 4, marks=pytest.mark.slow),  # colors
        pytest.param("balut", 4, marks=pytest.mark.slow),  # slots
        ("crag", 4),  # no bonus, three dice
        ("yamb-free", 4),  # long titles
    ],
)
def test_the_table_fits_every_screen(
    context: BrowserContext, write: Write, name: str, players: int
) -> None:
    page = opened(context, write(name))
    begin(page, *PLAYERS[:players])
    for number in range(players):
        if players > 1:
            expect(page.locator(".plate.mine .name")).to_have_text(PLAYERS[number])
        page.locator("#roll").tap()
        page.locator('.box[data-state="possible"]').last.tap()
    expect(page.locator("#turn")).to_contain_text("Turn 2/")
    page.locator("#roll").tap()
    page.locator("#hint").tap()
    expect(page.locator("#say.hint")).to_be_visible()
    expect_table_fits(page)
    resize(page, "tablet")
    assert page.locator(".die").first.evaluate("(die) => die.offsetWidth") > 80


def test_a_file_is_small(write: Write) -> None:
    assert write("yahtzee").stat().st_size <= MOST_BYTES


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
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
