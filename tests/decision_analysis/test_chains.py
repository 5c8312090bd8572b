"""Absorption and expected steps of Markov chains, against formulas and simulations."""

import json
import random
from fractions import Fraction
from math import comb, inf
from pathlib import Path

import pytest

from commands import run
from rollwise.decision_analysis import MarkovChain, Multisets, Turn, chain_picture, turn_chain
from rollwise.errors import InputError
from rollwise.strategies.payoff_chains import all_chains

CHAINS = {chain.key: chain for chain in all_chains()}
HALF = Fraction(1, 2)


def gambler(p: Fraction, size: int) -> MarkovChain:
    """Return the ruin of a gambler who wins 1 with probability p, from 0 to ``size``."""
    rows = {
        str(n): {str(n + 1): p, str(n - 1): 1 - p} if 0 < n < size else {str(n): Fraction(1)}
        for n in range(size + 1)
    }
    return MarkovChain(rows)


class TestMarkovChain:
    @pytest.mark.parametrize("p", [HALF, Fraction(2, 5), Fraction(18, 37)])
    def test_gamblers_ruin(self, p: Fraction) -> None:
        # The formulas of Feller, An Introduction to Probability Theory, volume 1, chapter XIV.
        size = 7
        chain = gambler(p, size)
        assert chain.absorbing == ("0", "7")
        r = (1 - p) / p
        for n in range(size + 1):
            wins = Fraction(n, size) if p == HALF else (1 - r**n) / (1 - r**size)
            duration = n * (size - n) if p == HALF else (n - size * wins) / (1 - 2 * p)
            ends = chain.absorption()[str(n)]
            assert ends == {state: q for state, q in {"0": 1 - wins, "7": wins}.items() if q}
            assert chain.reaching("7")[str(n)] == wins
            assert chain.expected_steps(["0", "7"])[str(n)] == duration
            assert chain.expected_steps("7")[str(n)] == (0 if n == size else inf)

    def test_return_is_not_counted_from_the_target_itself(self) -> None:
        weather = MarkovChain({"dry": {"dry": HALF, "wet": HALF}, "wet": {"dry": Fraction(1)}})
        assert weather.absorbing == ()
        assert weather.absorption() == {"dry": {}, "wet": {}}
        assert weather.expected_steps("wet") == {"dry": 2, "wet": 0}
        assert weather.reaching("dry") == {"dry": 1, "wet": 1}

    def test_a_target_that_cannot_be_reached(self) -> None:
        chain = MarkovChain(
            {"a": {"a": Fraction(1)}, "b": {"a": HALF, "c": HALF}, "c": {"b": HALF, "c": HALF}}
        )
        assert chain.reaching("c") == {"a": 0, "b": HALF, "c": 1}
        assert chain.expected_steps("c") == {"a": inf, "b": inf, "c": 0}
        with pytest.raises(InputError, match="'d' is not a state"):
            chain.reaching("d")

    def test_absorption_is_the_limit_of_many_steps(self) -> None:
        random_ = random.Random(5)
        for _ in range(5):
            rows = {}
            for state in "abcd":
                weights = {target: random_.randrange(4) for target in "abcdef"} | {"f": 1}
                total = sum(weights.values())
                rows[state] = {t: Fraction(w, total) for t, w in weights.items() if w}
            chain = MarkovChain(rows | {end: {end: Fraction(1)} for end in "ef"})
            floats = {s: {t: float(p) for t, p in row.items()} for s, row in chain.rows.items()}
            for start in "abcd":
                now, steps = {start: 1.0}, 0.0
                for _ in range(2_000):
                    steps += sum(p for state, p in now.items() if state not in "ef")
                    after: dict[str, float] = {}
                    for state, p in now.items():
                        for target, q in floats[state].items():
                            after[target] = after.get(target, 0.0) + p * q
                    now = after
                ends = chain.absorption()[start]
                for end in "ef":
                    assert float(ends.get(end, 0)) == pytest.approx(now.get(end, 0), abs=1e-9)
                assert float(chain.expected_steps(["e", "f"])[start]) == pytest.approx(steps)


class TestChainsOfTurns:
    def test_five_of_a_kind(self) -> None:
        rolls = CHAINS["of-a-kind"].expected_rolls("5")
        assert rolls["start"] == Fraction(191283, 17248)  # well known: 11.0902
        assert rolls["4"] == 6  # a geometric distribution

    @pytest.mark.parametrize("target", range(1, 6))
    def test_one_face_is_an_order_statistic(self, target: int) -> None:
        # Each die waits for its first ace; the state is the number of dice that have one.
        def reached(rolls: int) -> Fraction:
            p = 1 - Fraction(5, 6) ** rolls
            return sum(
                (comb(5, n) * p**n * (1 - p) ** (5 - n) for n in range(target, 6)), Fraction(0)
            )

        tail = sum(1 - float(reached(rolls)) for rolls in range(300))
        expected = CHAINS["one-face"].expected_rolls(str(target))["start"]
        assert float(expected) == pytest.approx(tail, abs=1e-12)

    def test_all_aces_by_inclusion_and_exclusion(self) -> None:
        formula = sum((-1) ** (n + 1) * comb(5, n) / (1 - Fraction(5, 6) ** n) for n in range(1, 6))
        assert CHAINS["one-face"].expected_rolls("5")["start"] == formula

    @pytest.mark.parametrize("key", CHAINS)
    def test_expected_rolls_are_sums_of_tails(self, key: str) -> None:
        # The matrix of the paper is applied again and again, in floats.
        chain = CHAINS[key]
        matrix = [[float(p) for p in row] for row in chain.matrix()]
        now = [float(p) for p in chain.after(chain.start, 0)]
        rolls = 1.0
        for _ in range(1_000):
            rolls += 1 - now[-1]
            now = [sum(p * q for p, q in zip(row, now, strict=True)) for row in matrix]
        expected = chain.expected_rolls(chain.states[-1])
        assert float(expected["start"]) == pytest.approx(rolls, abs=1e-9)
        assert chain.chain.absorbing == (chain.states[-1],)
        assert set(map(str, chain.chain.reaching(chain.states[-1]).values())) == {"1"}

    def test_lumping_does_not_change_the_expectation(self) -> None:
        whole = turn_chain(
            Turn(Multisets(), sum), lambda roll: "".join(sorted(set(roll) & set("23456"))) or "-"
        )
        steps = whole.expected_steps("23456")
        lumped = CHAINS["large-straight"].expected_rolls("5")
        assert steps["11111"] == lumped["0"]
        assert steps["12566"] == lumped["3"]


class TestPicture:
    def test_arrows_and_borders(self) -> None:
        chain = CHAINS["of-a-kind"]
        dot = chain_picture(chain.chain, chain.start, "n of a kind").dot
        assert '"4" -> "5" [penwidth=1.00, label="1/6"]' in dot
        assert '"5" [peripheries=2, label="5\\nstart 1/1296"]' in dot
        assert '"5" -> ' not in dot
        assert '"2" -> "1"' not in dot
        assert 'label="n of a kind"' in dot

    def test_too_many_states(self) -> None:
        ring = MarkovChain({str(n): {str((n + 1) % 300): Fraction(1)} for n in range(300)})
        with pytest.raises(InputError, match="300 nodes"):
            chain_picture(ring)


class TestCommand:
    def test_one_chain(self, tmp_path: Path) -> None:
        command = ("payoff-line", "--chain", "of-a-kind", "--state", "2", "--rolls-left", "4")
        path = tmp_path / "chain.dot"
        code, out, err = run(*command, "--diagram", str(path))
        assert (code, err) == (0, f"wrote {path}\n")
        assert "191283/17248" in out
        assert "The chain ends in state 5 with probability 1." in out
        assert "0.1421650" in out
        assert "Small straight" not in out
        assert path.read_text("utf-8").startswith("digraph chain")
        (data,) = json.loads(run(*command, "--json")[1])["chains"]
        last = data["expected_rolls"][-1]
        assert last["exactly"] == "191283/17248"
        assert last["from_start"] == pytest.approx(191283 / 17248, abs=1e-14)
        assert last["from_states"][3] == 6
        assert data["absorption"] == {"5": 1}
        after_4 = float(CHAINS["of-a-kind"].chain.after("2", 4)["5"])
        assert data["from_state"]["probabilities"][-1] == pytest.approx(after_4, abs=1e-15)

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("--diagram", "x.dot"), "Add --chain"),
            (("--chain", "of-a-kind", "--diagram", "x.foo"), "a name that ends in"),
            (("--chain", "of-a-kind", "--state", "9"), "does not have the state 9"),
            (("--chain", "of-a-kind", "16226"), "cannot be combined with dice"),
        ],
    )
    def test_bad_input(self, words: tuple[str, ...], message: str) -> None:
        code, out, err = run("payoff-line", *words)
        assert (code, out) == (2, "")
        assert message in err
