"""Measure the delay from a click in a game until the screen shows its effect."""

import shutil
from statistics import median

from playwright.sync_api import Page, expect, sync_playwright

TURNS = 12

CLICK = """([selector]) => new Promise((shown) => {
    const start = performance.now();
    new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => shown(performance.now() - start));
    }).observe(document.body, {
        subtree: true, childList: true, attributes: true, characterData: true,
    });
    document.querySelector(selector).click();
})"""
"""The script that clicks, and returns the milliseconds until the frame after the first change."""

CLICKS = {
    "roll": "#roll",
    "hold": ".die[aria-pressed=false]",
    "score": ".box[data-state=possible]",
}


def clicks(address: str) -> dict[str, list[float]]:
    """Play a game of Yahtzee, and return the delays of the clicks in milliseconds, by kind."""
    delays: dict[str, list[float]] = {kind: [] for kind in CLICKS}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(base_url=address, reduced_motion="reduce")
        page.goto("/")
        page.get_by_role("button", name="New game").click()
        page.wait_for_url("**/play/*")
        for turn in range(1, TURNS + 1):
            expect(page.locator("#turn")).to_have_text(f"Turn {turn}/13")
            expect(page.locator("#roll")).to_have_text("Roll")
            for number in (1, 2):
                _click(page, "roll", delays)
                expect(page.locator("#roll i.on")).to_have_count(3 - number)
                _click(page, "hold", delays)
                expect(page.locator(".die[aria-pressed=true]")).to_have_count(number)
            _click(page, "score", delays)
        browser.close()
    return delays


def _click(page: Page, kind: str, delays: dict[str, list[float]]) -> None:
    delays[kind].append(page.evaluate(CLICK, [CLICKS[kind]]))


def report(address: str) -> None:
    """Print the median and the slowest click of each kind."""
    for kind, milliseconds in clicks(address).items():
        print(
            f"{kind:6s} {len(milliseconds)} clicks: median {median(milliseconds):.0f} ms, "
            f"slowest {max(milliseconds):.0f} ms"
        )
