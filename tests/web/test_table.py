"""Test the table of a game, which is the same on a server and in an offline page."""

import re

from playwright.sync_api import expect

from browser_pages import choose, expect_advice, faces, hold, press, reload, roll
from games import at_random, play
from rollwise.evaluation.breakdown import breakdown_of
from rollwise.game.actions import Keep
from rollwise.rules import load_rules
from rollwise.solving.solver import solve
from waiting import wait_until
from web_fixtures import OpenTable

CODES = ["s1", "s2", "s3", "s4", "s5", "s6", "s3k", "s4k", "fh", "ss", "ls", "y", "ch"]
MICRO = load_rules("micro-yahtzee")
DOUBLE_TAP_TIME = 500
"""How long a further tap belongs to a double tap, in milliseconds."""


def test_a_whole_game_by_taps_and_keys_and_its_result(open_table: OpenTable) -> None:
    page = open_table()
    expect_advice(page)
    for turn, code in enumerate(CODES, start=1):
        expect(page.locator("#turn")).to_have_text(f"Turn {turn}/13")
        how = "keys" if turn % 2 else "tap"
        roll(page, 2, how)
        hold(page, 2, how)
        if how == "tap":
            press(page, "Roll 4 dice")
        else:
            page.keyboard.press("Space")  # also after a tap on another button
        expect(page.locator("#roll i.on")).to_have_count(1)
        assert page.evaluate("[scrollY, document.documentElement.scrollHeight]") == [0, 664]
        if how == "tap":
            page.locator('.box[data-state="possible"]').first.tap()
        else:
            page.keyboard.type(code)
            if code == "s3":  # s3k begins with the same keys
                page.keyboard.press("Enter")
    expect(page.locator("#turn")).to_have_text("Game over")
    ending, total = page.locator("#end"), page.locator(".total").inner_text()
    expect(ending.get_by_role("heading", name=total)).to_be_visible()
    expect(ending).to_contain_text("Most costly: turn ")
    scores = [int(points) for points in page.locator(".box .points").all_inner_texts()]
    bonus = int(page.locator(".sum .points").first.inner_text())
    assert total == f"{sum(scores) + bonus} points"
    words = page.locator("#end-text").inner_text().replace("−", "-")
    (start,) = map(float, re.findall(r"start was ([0-9.]+)\.", words))
    luck = sum(map(float, re.findall(r"dice: ([-+][0-9.]+) points", words)))
    (lost,) = map(float, re.findall(r"other choices lost ([0-9.]+) points", words))
    assert abs(start + luck - lost - sum(scores) - bonus) < 0.2 + (luck == 0)
    page.touchscreen.tap(5, 5)  # beside the sheet
    expect(ending).to_be_hidden()
    press(page, "Result")
    page.locator("#end-title").tap()
    expect(ending).to_be_visible()
    assert page.evaluate("document.activeElement.closest('dialog')?.id") == "end"
    press(page, "Play again")
    expect(page.locator("#turn")).to_have_text("Turn 1/13")


def test_the_result_of_two_players_can_be_shared(open_table: OpenTable) -> None:
    game = play(MICRO, ["Ada", "Ben"], 7, at_random(7))
    totals = [card.points for card in game.cards]
    *events, last = game.lines
    allowed = ["clipboard-read", "clipboard-write"]
    page = open_table("micro-yahtzee", game.players, events, permissions=allowed)
    choose(page, MICRO.categories[MICRO.category_index(last.split()[1])].title)
    ending = page.locator("#end")
    winner, loser = ("Ada", "Ben") if totals[0] > totals[1] else ("Ben", "Ada")
    result = f"{winner} wins, {max(totals)} – {min(totals)}"
    expect(ending.get_by_role("heading", name=result)).to_be_visible()
    expect(ending.get_by_role("heading", name=f"{loser}: {min(totals)}")).to_be_visible()
    page.evaluate("delete Navigator.prototype.share")
    press(page, "Share the result")
    expect(page.locator("#share")).to_have_text("Copied")
    first, *lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert first == f"rollwise – {MICRO.title}: {result}"
    assert [len(re.findall("[🟩🟨🟧🟥]", line)) for line in lines[:2]] == [2, 2]
    press(page, "Show the scorecard")
    expect(page.locator("#turn")).to_have_text("Game over")


def test_the_large_button_follows_a_hint(open_table: OpenTable) -> None:
    page = open_table(events="roll 23456")
    expect_advice(page)
    expect(page.locator("#roll")).to_have_text("Roll all dice")
    page.locator("#hint").tap()
    expect(page.locator("#roll")).to_have_text("Score it")
    page.locator("#roll").tap()
    expect(page.locator("#turn")).to_have_text("Turn 2/13")


def test_hints_and_all_options(open_table: OpenTable) -> None:
    page = open_table(events="roll 66113")
    expect_advice(page)
    words, held = page.locator("#say.hint"), page.locator('.die[aria-pressed="true"]')
    best, second, *_ = options = solve("yahtzee").options("66113")
    assert (best.action, second.action) == (Keep((6, 6)), Keep((3, 6, 6)))
    press(page, "Hint")
    expect(words).to_contain_text("Keep 6 6.")
    expect(words).to_contain_text(f"Next best: keep 3 6 6, −{second.loss:.1f}.")
    expect(page.locator(".die.best")).to_have_count(2)
    expect(held).to_have_count(0)
    words.tap()
    expect(held).to_have_count(2)
    reload(page)
    expect(held).to_have_count(2)
    expect_advice(page)
    page.keyboard.press("o")
    rows = page.locator("#options tbody tr")
    expect(rows).to_have_count(len(options))
    expect(rows.first).to_have_text(f"keep 6 6{best.value:.2f}–")
    page.get_by_role("button", name="keep 6", exact=True).tap()
    expect(held).to_have_count(1)
    page.keyboard.press("o")
    press(page, "score Chance")
    expect(page.locator("#say")).to_contain_text("Tap again to score Chance.")
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
    page.wait_for_timeout(DOUBLE_TAP_TIME)
    page.locator("#say").tap()
    expect(page.locator(".total")).to_have_text("17 points")


def test_the_tutor_warns_before_a_loss(open_table: OpenTable) -> None:
    page = open_table(events="roll 66113")
    expect_advice(page)
    warning, held = page.locator("#warning"), page.locator('.die[aria-pressed="true"]')
    page.locator("#menu-button").tap()
    page.locator("#tutor").check()
    press(page, "Back to the game")
    choose(page, "Chance, score 17")
    expect(warning.get_by_role("heading", name="Score Chance?")).to_be_visible()
    expect(page.locator("#warning-text")).to_have_text(
        re.compile(r"^That loses \d+\.\d points: a blunder\. Better: keep\s6\s6\.$")
    )
    page.keyboard.press("1")  # the warning is modal
    press(page, "Think again")
    expect(warning).to_be_hidden()
    expect(held).to_have_count(0)
    page.keyboard.type("ch")
    press(page, "Show the best choice")
    expect(page.locator("#say.hint")).to_contain_text("Keep 6 6.")
    page.keyboard.type("ch")
    expect(warning).to_be_visible()
    page.evaluate(ASK_AGAIN)
    press(page, "Play anyway: score Chance")
    expect(page.locator(".total")).to_have_text("17 points")
    press(page, "Undo")
    expect(page.locator("#turn")).to_have_text("Turn 1/13")
    for place in (4, 5):
        hold(page, place)
    press(page, "Roll 3 dice")
    expect(page.locator("#roll i.on")).to_have_count(1)
    expect(warning).to_be_hidden()


ASK_AGAIN = """() => {
    document.querySelector("#warning [value=back]").click();
    for (const key of "ch")
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}"""
"""A script that closes the warning and makes the same choice before the browser says that the
warning is closed. A fast player does the same on a slow machine."""


def test_undo_keeps_the_dice(open_table: OpenTable) -> None:
    page = open_table()
    rolls = page.locator("#roll i.on")
    roll(page, left=2)
    first = faces(page)
    hold(page, 1)
    press(page, "Roll 4 dice")
    expect(rolls).to_have_count(1)
    second = faces(page)
    assert second[0] == first[0]
    choose(page, "Chance, score")
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    for left, before in ((1, second), (2, first)):
        page.keyboard.press("u")
        expect(page.locator("#turn")).to_have_text("Turn 1/13")
        expect(rolls).to_have_count(left)
        assert faces(page) == before
    press(page, "Roll 4 dice")
    expect(rolls).to_have_count(1)
    assert faces(page) == second


def test_real_dice_by_taps_and_keys(open_table: OpenTable) -> None:
    page = open_table(seed=None)
    for face in "12366":
        page.locator("#faces").get_by_role("button", name=face).tap()
    expect(page.locator("#faces")).to_be_hidden()
    hold(page, 4)
    press(page, "Roll 4 dice")
    expect(page.locator("#faces")).to_be_visible()
    page.keyboard.type("137")  # there is no 7
    press(page, "Undo")
    expect(page.locator('.die[data-face=""]')).to_have_count(3)
    page.keyboard.type("124")
    for is_later in (False, True):  # equal dice stay in their places
        if is_later:
            reload(page)
        expect(page.locator("#roll i.on")).to_have_count(1)
        assert faces(page) == [1, 1, 2, 6, 4]
        expect(page.locator(".die").nth(3)).to_have_attribute("aria-pressed", "true")
        expect(page.locator('.die[aria-pressed="true"]')).to_have_count(1)


def test_the_keys_and_the_rules_are_explained(open_table: OpenTable) -> None:
    page = open_table()
    expect_advice(page)
    full_house = page.locator(".box").filter(has_text="Full House")
    sheet = page.get_by_role("dialog", name="Full House")
    parts = breakdown_of(solve("yahtzee"))
    assert parts is not None
    average = f"{parts.averages()['full-house']:.1f}"
    full_house.tap()
    expect(sheet).to_contain_text("Needs: 3 of a kind and 2 of a kind.Pays: 25 points.")
    expect(sheet).to_contain_text(f"Average: {average} points in optimal play.")
    page.keyboard.press("Escape")
    roll(page, 2)
    full_house.press("i")
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("fh Full House")
    page.keyboard.press("Escape")
    page.locator("#menu-button").tap()
    press(page, "Rules of this game")
    expect(page.locator("#rules-categories tr")).to_have_count(13)
    expect(page.locator("#rules-categories tr").nth(8)).to_contain_text(f"25{average}")
    expect(page.locator("#rules p").first).to_have_text(
        "Roll up to 3 times, keep the dice you like, then fill one category. "
        "After 13 turns, the highest total wins."
    )


BURST = """() => {
    for (const detail of [1, 2, 3])
        document.querySelector("#roll").dispatchEvent(new MouseEvent("click", { detail }));
}"""
"""A script that clicks three times, faster than the slowest machine could dispatch real clicks."""

CLICKS = """async () => {
    for (const [button, detail] of [["#roll", 1], [".die", 2], ["#roll", 3]]) {
        const click = new MouseEvent("click", { detail, bubbles: true });
        document.querySelector(button).dispatchEvent(click);
        do await new Promise((done) => setTimeout(done));
        while (document.querySelector('.die[data-face=""]'));
    }
}"""
"""A script that clicks different buttons as if they were at the same place."""

DOUBLE_TAP = """async () => {
    const box = document.querySelector('.box[data-state="possible"]');
    box.click();
    await new Promise((done) => setTimeout(done));
    box.click();
}"""


def test_a_burst_of_clicks_rolls_or_scores_once(open_table: OpenTable) -> None:
    page = open_table()
    rolls = page.locator("#roll i.on")
    page.evaluate(BURST)
    expect(rolls).to_have_count(2)
    hold(page, 1)
    page.evaluate(BURST)
    expect(rolls).to_have_count(1)
    page.evaluate(DOUBLE_TAP)
    expect(page.locator("#turn")).to_have_text("Turn 2/13")
    assert page.locator("dialog[open]").count() == 0
    page.evaluate(CLICKS)
    expect(rolls).to_have_count(1)
    expect(page.locator(".die").first).to_have_attribute("aria-pressed", "true")


COUNT_ANIMATIONS = """() => {
  const { animate } = Element.prototype;
  window.animations = 0;
  Element.prototype.animate = function (...options) {
    window.animations += 1;
    return animate.apply(this, options);
  };
}"""
"""Counts animations when they begin, because an animation can end before a test looks at it."""


def test_dice_move_unless_motion_is_reduced(open_table: OpenTable) -> None:
    page = open_table()
    page.evaluate(COUNT_ANIMATIONS)
    roll(page, left=2)
    assert page.evaluate("window.animations") == 0
    page.emulate_media(reduced_motion="no-preference")
    page.locator("#roll").evaluate("(button) => button.click()")
    wait_until(lambda: page.evaluate("window.animations") == 5)
