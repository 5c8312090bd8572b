"""What each clause of a house rule is worth: an exact analysis of variance of a sweep.

The values are exact, so there is no noise: what the clauses and their pairs do not explain is what
three clauses or more do together. It needs polars (the extra ``parquet``), and matplotlib (the
extra ``plot``) for a picture. ``rolls=3`` holds a clause at one value; ``sd`` asks for the standard
deviation of the final score in place of its mean.

    $ python examples/house_rules.py examples/house_rules.parquet house_rules.svg
"""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

Values = NDArray[np.float64]
"""A number for each game of a grid, one axis a clause, the usual rule first."""

FOUND = ("mean", "sd", "bonus_reached", "game", "seconds")
INK, SHARES = "#17202c", (1e-6, 1.0)


def read(path: str, what: str, held: list[str]) -> tuple[dict[str, list[str]], Values]:
    """Return the clauses with their values, and what was found of every combination.

    ``held`` says which clauses are held at one value, such as ``rolls=3``.
    """
    frame = pl.read_parquet(path)
    for clause, value in (text.split("=") for text in held):
        frame = frame.filter(pl.col(clause).cast(pl.String) == value).drop(clause)
    clauses = {
        name: frame[name].unique(maintain_order=True).to_list()
        for name in frame.columns
        if name not in FOUND and frame[name].n_unique() > 1
    }
    shape = [len(values) for values in clauses.values()]
    if frame.select(clauses.keys()).n_unique() != np.prod(shape) or len(frame) != np.prod(shape):
        raise SystemExit(f"{path}: expected every combination of the clauses once")
    told = {name: [_told(value) for value in values] for name, values in clauses.items()}
    return told, frame[what].to_numpy().reshape(shape)


def _told(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def effect(score: Values, axes: tuple[int, ...]) -> Values:
    """Return what some clauses do together, beyond what fewer of them do."""
    others = tuple(axis for axis in range(score.ndim) if axis not in axes)
    together = score.mean(axis=others, keepdims=True)
    for size in range(len(axes)):
        for fewer in combinations(axes, size):
            together = together - effect(score, fewer)
    return np.asarray(together)


def share(score: Values, *axes: int) -> float:
    """Return what part of the variance between games some clauses explain together."""
    return float((effect(score, axes) ** 2).mean() / score.var())


def against_usual(score: Values, axis: int, level: int) -> tuple[float, float, float]:
    """Return what a value is worth against the usual one: on average, at least and at most."""
    more = score.take(level, axis) - score.take(0, axis)
    return float(more.mean()), float(more.min()), float(more.max())


def report(clauses: dict[str, list[str]], score: Values) -> None:
    """Print what every value is worth, and how much of the variance clauses and pairs explain."""
    names = list(clauses)
    usual = score.flat[0]
    print(f"{score.size:,} games, from {score.min():.2f} to {score.max():.2f} points")
    print(f"by the usual rules {usual:.2f}, on average {score.mean():.2f}\n")
    print(f"{'points against the usual rule':42}{'average':>9}{'least':>9}{'most':>9}")
    for axis, (name, values) in enumerate(clauses.items()):
        for level, value in list(enumerate(values))[1:]:
            numbers = "".join(f"{x:+9.2f}" for x in against_usual(score, axis, level))
            print(f"{f'{name} {value}, not {values[0]}':38}{numbers}")
    alone = [share(score, axis) for axis in range(score.ndim)]
    pairs = {pair: share(score, *pair) for pair in combinations(range(score.ndim), 2)}
    print(f"\nshare of the variance{'alone':>21}  in pairs")
    for axis in np.argsort(alone)[::-1]:
        both = sum(found for pair, found in pairs.items() if axis in pair)
        print(f"{names[axis]:34}{alone[axis]:8.3%}{both:10.3%}")
    rest = 1 - sum(alone) - sum(pairs.values())
    print(f"{'all of them':34}{sum(alone):8.3%}{sum(pairs.values()):10.3%}")
    print(f"{'three and more together':34}{rest:18.3%}")
    added = score.mean() + sum(effect(score, (axis,)) for axis in range(score.ndim))
    off = np.abs(score - added)
    print(f"\nclauses added up are {off.mean():.2f} points off on average, {off.max():.2f} at most")
    print("\nthe pairs that explain most")
    for first, second in sorted(pairs, key=lambda pair: -pairs[pair])[:6]:
        print(f"{f'{names[first]} with {names[second]}':56}{pairs[first, second]:8.3%}")


def draw(clauses: dict[str, list[str]], score: Values, target: Path) -> None:
    """Draw what every value is worth, and the shares of clauses and pairs."""
    import matplotlib as mpl
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure

    names, n = list(clauses), score.ndim
    told = {
        f"{names[axis]} {clauses[names[axis]][level]}": against_usual(score, axis, level)
        for axis in range(n)
        for level in range(1, score.shape[axis])
    }
    shares = np.full((n, n), np.nan)
    for axis in range(n):
        shares[axis, axis] = share(score, axis)
        for other in range(axis):
            shares[axis, other] = share(score, axis, other)
    ink = dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK
    )
    with mpl.rc_context({**ink, "svg.fonttype": "none", "svg.hashsalt": "rollwise"}):
        figure = Figure(figsize=(8.4, 9.2), layout="constrained")
        worth, heat = figure.subplots(2, 1, height_ratios=(1, 1.15))
        for y, (average, least, most) in enumerate(told.values()):
            worth.plot((least, most), (y, y), color="#2f8fd0", linewidth=5, solid_capstyle="round")
            worth.plot(average, y, "o", color=INK, markersize=4)
        worth.axvline(0, color=INK, linewidth=0.8)
        worth.set_yticks(range(len(told)), list(told))
        worth.invert_yaxis()
        worth.grid(axis="x", alpha=0.25, color=INK)
        worth.set_xlabel("points against the usual rule: average, least and most over all others")
        shown = heat.imshow(shares, norm=LogNorm(*SHARES), cmap="viridis")
        for axis in range(n):
            for other in range(axis + 1):
                found = shares[axis, other]
                color = "black" if found > 1e-3 else "white"
                text = f"{100 * found:.2g}" if found >= 5e-5 else ""
                heat.text(other, axis, text, ha="center", va="center", fontsize=7.5, color=color)
        heat.set_xticks(range(n), names, rotation=35, ha="right", rotation_mode="anchor")
        heat.set_yticks(range(n), names)
        bar = figure.colorbar(shown, ax=heat, label="share of the variance (numbers: in %)")
        bar.outline.set_visible(False)
        for axes in (worth, heat):
            axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None,
                       transparent=True)  # fmt: skip
    if target.suffix == ".svg":  # readable on a light page and on a dark one
        style = "<style>svg{--ink:%s}@media(prefers-color-scheme:dark){svg{--ink:#e6edf5}}</style>"
        text = target.read_text(encoding="utf-8").replace(INK, "var(--ink)")
        target.write_text(text.replace("<defs>", style % INK + "<defs>", 1), encoding="utf-8")


if __name__ == "__main__":
    path, *more = sys.argv[1:]
    found = read(path, "sd" if "sd" in more else "mean", [text for text in more if "=" in text])
    report(*found)
    for target in (text for text in more if text.endswith((".svg", ".png"))):
        draw(*found, Path(target))
