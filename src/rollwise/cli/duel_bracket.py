"""``rollwise duel --bracket``: between what the value of a game of two lies, of any size."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rollwise.cli.common import console, counted, headed, write_json
from rollwise.cli.progress import progress
from rollwise.errors import InputError

if TYPE_CHECKING:
    from rollwise.laboratory.foreseen_games import SureChances
    from rollwise.rules import Rules


def print_bracket(rules: "Rules", games: int, seed: int, *, as_json: bool, quiet: bool) -> None:
    """Print the bounds of the value to who moves first, exact ones, and of games if any."""
    from rollwise.solving.duel.bracket import bracket
    from rollwise.solving.solver import Solver

    if games == 1:
        raise InputError("--bracket with --games 1: expected at least 2, for an error")
    with progress(f"solving {rules.name} against one who knows the score", quiet) as advance:
        low, high = bracket(Solver(rules, progress=advance))
    sure = _sure(rules, games, seed, quiet) if games else None
    # What is certain bounds what is so with confidence alone.
    likely = [min(max(end, low), high) for end in sure.interval] if sure else []
    if as_json:
        also: dict[str, Any] = {}
        if sure:
            also["of_games"] = asdict(sure) | dict(zip(("low", "high"), likely, strict=True))
        write_json({"rules": rules.name, "low": low, "high": high} | also)
        return
    out = console()
    out.print(headed(rules.title, f": value between {_share(low)} and {_share(high)}"))
    out.print("Exact bounds, not simulated, for the player to move first and for the other one.")
    if sure:
        low, high = likely
        boxes = "1 open box" if sure.boxes == 1 else f"{sure.boxes} open boxes"
        out.print(
            f"With 99 % confidence between {100 * low:.3f} % and {100 * high:.3f} %.\n"
            f"Who plays for points, and best from {boxes} on, is sure of "
            f"{_about(sure.first, sure.first_error)} moving first, of "
            f"{_about(sure.second, sure.second_error)} moving second, against any reply "
            f"({counted(games, 'game')} each way)."
        )


def _sure(rules: "Rules", games: int, seed: int, quiet: bool) -> "SureChances":
    from rollwise.laboratory.foreseen_games import sure_chances
    from rollwise.solving.solver import solve

    with progress(f"replying to {counted(games, 'game')} of {rules.name}", quiet) as advance:
        return sure_chances(solve(rules), games, seed, progress=advance)


def _share(share: float) -> str:
    return f"{100 * share:.6f} %"


def _about(share: float, error: float) -> str:
    return f"{100 * share:.3f} ± {100 * error:.3f} %"
