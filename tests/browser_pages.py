"""Pages in a browser: contexts that notice problems, sizes of screens, and moves at a table."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from rollwise.game.game import Game
from rollwise.offline_page.page import offline_html
from rollwise.solving.solver import Solver
from rollwise.web.game_state import stage_data
from waiting import PATIENCE

SIZES = {
    "small-phone": (360, 656),
    "phone": (390, 664),
    "low-phone": (375, 553),
    "landscape": (844, 390),
    "zoomed": (720, 450),
    "tablet": (768, 1024),
    "desktop": (1440, 900),
}
"""What a browser shows of a page on a phone between its bars, and on larger screens."""

PLAYERS = ("Maximiliana", "Ben", "Cleo", "Dora")

FAULTS = """() => {
    const faults = [], all = (selector) => [...document.querySelectorAll(selector)];
    const shown = (selector) =>
        all(selector).filter((one) => one.checkVisibility({ visibilityProperty: true }));
    const boxOf = (one) => one.getBoundingClientRect();
    const name = (one) => (one.ariaLabel || one.textContent.trim() || one.id).slice(0, 60);
    const meet = (a, b) => ({
        left: Math.max(a.left, b.left), right: Math.min(a.right, b.right),
        top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
    });
    const frameOf = (one) => {
        const outer = one.parentElement ? frameOf(one.parentElement) : null;
        if (!outer) return { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
        return getComputedStyle(one).overflow === "visible" ? outer : meet(outer, boxOf(one));
    };
    const check = (selector) => {
        for (const one of all(selector)) {
            const { left, right, top, bottom } = frameOf(one), range = document.createRange();
            range.selectNodeContents(one);
            const lines = [...range.getClientRects()], slack = 3;
            if (!lines.length && one.textContent.trim()) faults.push(`hidden: ${name(one)}`);
            if (lines.some((line) => line.left < left - 1 || line.right > right + 1
                || line.top < top - slack || line.bottom > bottom + slack))
                faults.push(`cut: ${name(one)}`);
        }
    };
    const breaks = (one) => {
        const text = one.firstChild, range = document.createRange();
        return [...text?.data?.matchAll(/[^ -]+/g) ?? []].some(({ 0: word, index }) => {
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            return range.getClientRects().length > 1;
        });
    };
    const isSmallPhone = innerWidth <= 360, finger = 43.9;
    const canBeTouched = (one) => {
        one.scrollIntoView({ block: "center", inline: "center" });
        const whole = one.labels?.[0] ?? one, { x, y, width, height } = boxOf(whole);
        const meant = (across, down) => {
            const hit = document.elementFromPoint(x + width / 2 + across, y + height / 2 + down);
            return hit !== null && (one.contains(hit) || whole.contains(hit));
        };
        const reach = (across, down) => {
            let pixels = 0;
            while (pixels < 44 && meant(across * (pixels + 1), down * (pixels + 1))) pixels++;
            return pixels;
        };
        return (width >= finger || reach(-1, 0) + reach(1, 0) >= finger)
            && (height >= finger || reach(0, -1) + reach(0, 1) >= finger);
    };
    const { scrollWidth, scrollHeight } = document.documentElement;
    if (scrollWidth > innerWidth) faults.push(`${scrollWidth - innerWidth} px too wide`);
    const controls = shown("a[href]:not(.skip), button, input, select, summary, textarea");
    for (const one of controls)
        if (one.tabIndex < 0) faults.push(`unreached by keys: ${name(one)}`);
    if (!all("#tray").length) {
        for (const one of isSmallPhone ? controls : [])
            if (!canBeTouched(one)) faults.push(`small: ${name(one)}`);
        scrollTo(0, 0);
        return faults;
    }
    if (scrollHeight > innerHeight) faults.push(`scrolls by ${scrollHeight - innerHeight} px`);
    for (const one of shown("header *, main *, dialog"))
        if (boxOf(one).right >= innerWidth + 1) faults.push(`outside: ${name(one)}`);
    for (const one of shown("button, label, input:not([type=checkbox])"))
        if (Math.min(one.offsetWidth, one.offsetHeight) < 44) faults.push(`small: ${name(one)}`);
    if (Math.min(innerWidth, innerHeight) > 767)
        for (const one of shown(".die"))
            if (one.offsetWidth < 80) faults.push(`small: die of ${one.offsetWidth} px`);
    for (const one of shown("dialog .scroll"))
        if (one.scrollWidth > one.clientWidth) faults.push(`scrolls sideways: ${name(one)}`);
    const line = ".say:not(.asks:has(#faces :nth-child(7)) *)"; // not only aloud
    check(`${line} :is(#say b, #say:is(.hint, .verdict, .coming) small)`);
    check("#roll:not([hidden]), #card .title");
    for (const one of all("#card .title"))
        if (breaks(one)) faults.push(`broken: ${name(one)}`);
    check("dialog[open] :is(h2, .primary), #end[open] form > *");
    const parts = shown(`header, #card, ${line}, #dice, #actions`);
    for (const [i, one] of parts.entries())
        for (const other of parts.slice(i + 1)) {
            const { left, right, top, bottom } = meet(boxOf(one), boxOf(other));
            if (right - left > 1 && bottom - top > 1)
                faults.push(`overlap: ${one.id || one.localName}, ${other.id || other.className}`);
        }
    return faults;
}"""
"""A script that returns what is wrong with a page: it is too wide, or has a control that keys do
not reach or that is too small for a finger, even with the area around it. At a table, also what
scrolls during a turn, words that are cut or hidden, and parts that overlap."""

SETTLED = """async () => {
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""
"""A script that waits until the colors of a page no longer change."""

WELCOMED = """
    try { localStorage.setItem("rollwise welcome", "true"); } catch { /* a page without storage */ }
"""
"""A script after which no table in a browser shows its welcome."""

EXPECTED = ("ERR_CONNECTION_REFUSED", "the server responded with a status of")
"""Messages of the browser about a server that is stopped, and about a page that does not exist."""

expect.set_options(timeout=1000 * PATIENCE)


@contextmanager
def watched(
    browser: Browser,
    address: str | None,
    size: str = "phone",
    *,
    is_welcomed: bool = True,
    **more: Any,
) -> Iterator[BrowserContext]:
    """Yield a browser context without animations; fail after an error in one of its pages.

    A request to another machine than the server is an error, and so is a breach of the security
    policy. Without the address of a server, the context has no network.
    """
    problems: list[str] = []
    allowed = ("data:", "blob:", address or "file:")

    def note_request(request: Request) -> None:
        if not request.url.startswith(allowed):
            problems.append(f"asked for {request.url}")

    def note_message(message: ConsoleMessage) -> None:
        if not any(words in message.text for words in EXPECTED):
            problems.append(message.text)

    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        base_url=address,
        reduced_motion="reduce",
        offline=address is None,
        **more,
    )
    if is_welcomed:
        context.add_init_script(WELCOMED)
    try:
        context.set_default_timeout(1000 * PATIENCE)
        context.on("request", note_request)
        context.on("console", note_message)
        context.on("weberror", lambda error: problems.append(str(error.error)))
        context.on("dialog", lambda dialog: problems.append(dialog.message))
        yield context
    finally:
        context.close()
    assert not problems, problems


def open_on_server(page: Page, id: str) -> None:
    """Open the table of a game on a server, in which all players play here."""
    page.goto(f"/play/{id}")
    expect(page.locator("html.ready")).to_be_attached()
    if page.locator("#seat[open]").count():
        with page.expect_response("**/seat"):
            page.keyboard.press("Escape")


def open_offline(page: Page, game: Game, folder: Path) -> None:
    """Open the table of a game in an offline page, which is written once per folder."""
    path = folder / f"{game.rules.name}.html"
    if not path.exists():
        path.write_text(offline_html(Solver(game.rules).solve_by_card()), encoding="utf-8")
    saved = {
        "players": game.players, "events": game.lines, "throws": [1, 2, 3, 4, 5, 6] * 1000,
        "realDice": game.headers.seed is None, "helds": [],
        "start": stage_data(Game(game.rules, game.players).cards, 0, None),
    }  # fmt: skip
    key, value = f"rollwise {game.rules.name} expected", json.dumps(saved)
    # The game is stored before the page loads because a browser can forget what a file stores.
    page.add_init_script(f"localStorage[{key!r}] ??= {value!r}")
    page.goto(path.as_uri())
    expect(page.locator("html.ready")).to_be_attached()


def reload(page: Page) -> None:
    """Load a page again with what it has stored; a browser can forget what a file stores."""
    stored = page.evaluate("JSON.stringify([localStorage, sessionStorage])")
    page.add_init_script(f"""{{
        const [ofAll, ofTab] = {stored};
        Object.assign(localStorage, ofAll);
        Object.assign(sessionStorage, ofTab);
    }}""")
    page.reload()


def resize(page: Page, size: str) -> None:
    """Give a page the size of a screen."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})


def expect_advice(page: Page) -> None:
    """Wait until the table has the values of the choices."""
    expect(page.locator(".expected").first).to_contain_text("→")


def faces(page: Page) -> list[int]:
    """Return the faces of the dice, from left to right; 0 for a die that is not rolled."""
    return [int(die.get_attribute("data-face") or 0) for die in page.locator(".die").all()]


def roll(page: Page, left: int, how: str = "tap") -> None:
    """Roll by tap or by key, and wait until ``left`` rolls are left in the turn."""
    button = page.locator("#roll")
    expect(button).to_have_attribute("aria-disabled", "false")
    button.tap() if how == "tap" else page.keyboard.press("r")
    expect(button.locator("i.on")).to_have_count(left)
    expect(page.locator('.die[data-face=""]')).to_have_count(0)


def hold(page: Page, place: int, how: str = "tap") -> None:
    """Hold the die at a place, counted from 1, by tap or by key."""
    die = page.locator(".die").nth(place - 1)
    die.tap() if how == "tap" else page.keyboard.press(str(place))
    expect(die).to_have_attribute("aria-pressed", "true")


def press(page: Page, name: str) -> None:
    """Tap the button with a name, or with a name that contains it."""
    page.get_by_role("button", name=name).tap()


def choose(page: Page, category: str) -> None:
    """Tap the category whose accessible name begins with some words."""
    page.get_by_role("button", name=re.compile(f"^{re.escape(category)}")).tap()
