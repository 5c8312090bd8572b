"""The sizes at which a table must be visible without scrolling, and scripts that measure pages."""

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

SIZE = """() => {
    const right = (one) => one.getBoundingClientRect().right;
    const all = [...document.querySelectorAll("header *, main *")];
    const shown = all.filter((one) => one.checkVisibility());
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [Math.max(scrollWidth, Math.floor(Math.max(...shown.map(right)))), scrollHeight];
}"""
"""A script that returns the width and the height of the table."""

SMALL = """() => [...document.querySelectorAll("button, label, input:not([type=checkbox])")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 44)
    .map((one) => one.outerHTML)"""
"""A script that returns the controls that are too small to touch."""
