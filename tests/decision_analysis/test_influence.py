"""Compare influence diagrams with an enumeration of policies and with turns, and test errors."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwise.decision_analysis import (
    ChanceNode,
    DecisionNode,
    InfluenceDiagram,
    Multisets,
    Turn,
    ValueNode,
    solve_diagram,
    value_of_information,
)
from rollwise.decision_analysis.arrows import Number
from rollwise.decision_analysis.examples import oil_wildcatter, umbrella

HALF = Fraction(1, 2)
COIN = {"heads": HALF, "tails": HALF}


def random_diagram(random: Random) -> InfluenceDiagram:
    """Return a random diagram with two decisions and three binary chance nodes."""

    def distribution(*parents: str) -> Mapping[str, Number]:
        p = Fraction(Random(f"{seed} {parents}").randint(0, 6), 6)
        return {"0": p, "1": 1 - p}

    def some(*names: str) -> list[str]:
        return [name for name in names if random.random() < 0.6]

    def payoff(*states: str) -> Fraction:
        return Fraction(Random(f"{seed} {states}").randint(-3, 3), 2)

    seed = random.random()
    return InfluenceDiagram(
        [
            ChanceNode("a", distribution()),
            ChanceNode("b", distribution, ["a"]),
            DecisionNode("first", ["l", "r"], some("a", "b")),
            ChanceNode("c", distribution, ["b", *some("a"), "first"]),
            DecisionNode("second", ["l", "r"], some("a", "b", "c")),
            ValueNode("u", payoff, ["first", *some("a", "b")]),
            ValueNode("v", payoff, ["second", "c", *some("a", "b", "first")]),
        ]
    )


def best_of_all_policies(diagram: InfluenceDiagram) -> Fraction:
    """Return the largest mean payoff, without using code of the solver.

    The function enumerates the joint distribution of a, b and c, and all policies of the first
    decision. For each policy, it finds the best option of the second decision for every state that
    the player can know.
    """
    first, second = (node for node in diagram.nodes if isinstance(node, DecisionNode))
    observed = list(product("01", repeat=len(first.parents)))
    return max(
        _with_best_second(diagram, first, second, dict(zip(observed, actions, strict=True)))
        for actions in product("lr", repeat=len(observed))
    )


def _with_best_second(
    diagram: InfluenceDiagram,
    first: DecisionNode,
    second: DecisionNode,
    plan: Mapping[tuple[str, ...], str],
) -> Fraction:
    totals: dict[tuple[str, ...], dict[str, Fraction]] = {}
    for a, b, c, option in product("01", "01", "01", "lr"):
        states = {"a": a, "b": b, "c": c, "second": option}
        states["first"] = plan[tuple(states[name] for name in first.parents)]
        p, payoff = Fraction(1), Fraction(0)
        for node in diagram.nodes:
            given_states = [states[name] for name in node.parents]
            if isinstance(node, ChanceNode):
                p *= Fraction(node.distribution_given(given_states)[states[node.name]])
            elif isinstance(node, ValueNode):
                payoff += Fraction(node.payoff(*given_states))
        observed = tuple(states[name] for name in (*first.parents, *second.parents))
        options = totals.setdefault(observed, {"l": Fraction(0), "r": Fraction(0)})
        options[option] += p * payoff
    return sum((max(options.values()) for options in totals.values()), Fraction(0))


@given(st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_no_policy_is_better(random: Random) -> None:
    diagram = random_diagram(random)
    assert solve_diagram(diagram).value == best_of_all_policies(diagram)


@given(st.randoms(use_true_random=False), st.sampled_from(["a", "b"]))
@settings(deadline=None, max_examples=60)
def test_information_is_never_worse(random: Random, name: str) -> None:
    diagram = random_diagram(random)
    perfect = value_of_information(diagram, "a", "b", before="first")
    assert 0 <= value_of_information(diagram, name, before="first") <= perfect
    assert value_of_information(diagram, name, before="second") <= value_of_information(
        diagram, name, before="first"
    )


@given(st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_choices_add_up_to_the_value(random: Random) -> None:
    # At the first decision, the probabilities sum to one, and the mean value is the total value.
    solution = solve_diagram(random_diagram(random))
    first = [choice for choice in solution.choices if choice.decision == "first"]
    assert sum(choice.probability for choice in first) == 1
    assert solution.value == sum(c.probability * max(c.values.values()) for c in first)
    for choice in solution.choices:
        assert choice.best == tuple(
            option for option, x in choice.values.items() if x == max(choice.values.values())
        )


@pytest.mark.parametrize("rolls", [2, 3])
def test_a_turn_is_an_influence_diagram(rolls: int) -> None:
    # Two dice with three faces. Each roll is known at the decision of which dice to keep.
    rolls_shown = ["".join(roll_shown) for roll_shown in product("123", repeat=2)]

    def roll(before: str, keep: str) -> Mapping[str, Number]:
        reachable = [
            end
            for end in rolls_shown
            if all(k == "n" or b == e for b, k, e in zip(before, keep, end, strict=True))
        ]
        return dict.fromkeys(reachable, Fraction(1, len(reachable)))

    nodes: list[ChanceNode | DecisionNode | ValueNode] = [
        ChanceNode("roll 1", dict.fromkeys(rolls_shown, Fraction(1, 9)))
    ]
    for i in range(1, rolls):
        nodes += [
            DecisionNode(f"keep {i}", ["nn", "ny", "yn", "yy"], [f"roll {i}"]),
            ChanceNode(f"roll {i + 1}", roll, [f"roll {i}", f"keep {i}"]),
        ]

    def product_of(roll_shown: str) -> int:
        return int(roll_shown[0]) * int(roll_shown[1])

    diagram = InfluenceDiagram([*nodes, ValueNode("points", product_of, [f"roll {rolls}"])])
    turn = Turn(Multisets(3), lambda dice: dice[0] * dice[1], 2, rolls)
    solution = solve_diagram(diagram)
    assert solution.value == turn.value
    keeps = {"nn": "", "ny": "{1}", "yn": "{0}", "yy": "{0}{1}"}
    for roll_shown in rolls_shown:
        best = {
            turn.text_of([int(face) for face in keeps[keep].format(*roll_shown)])
            for keep in solution.best("keep 1", **{"roll 1": roll_shown})
        }
        assert best == set(turn.moves(rolls - 1)["".join(sorted(roll_shown))])


def test_floats() -> None:
    # The options have the values 0.1 + 0.2 and 0.3, a tie that rounding would break.
    diagram = InfluenceDiagram(
        [
            ChanceNode("x", {"a": 0.1, "b": 0.2, "c": 0.7}),
            DecisionNode("bet", ["on a or b", "on luck"]),
            ValueNode(
                "prize", lambda x, bet: x != "c" if bet == "on a or b" else 0.3, ["x", "bet"]
            ),
        ]
    )
    solution = solve_diagram(diagram)
    assert solution.choices[0].values["on a or b"] != solution.choices[0].values["on luck"]
    assert solution.best("bet") == ("on a or b", "on luck")
    assert isinstance(solution.value, float)


def test_utility_applies_to_the_sum() -> None:
    # The options are a certain 20, or 45 with probability 1/2. After a fee of 10, they pay 10, and
    # 35 or −10.
    prizes = {"safe": (20, 20), "risky": (45, 0)}
    diagram = InfluenceDiagram(
        [
            ChanceNode("coin", COIN),
            DecisionNode("bet", ["safe", "risky"]),
            ValueNode("fee", lambda bet: -10, ["bet"]),
            ValueNode("prize", lambda bet, coin: prizes[bet][coin == "tails"], ["bet", "coin"]),
        ]
    )
    assert solve_diagram(diagram).best("bet") == ("risky",)
    assert solve_diagram(diagram).value == Fraction(25, 2)
    dread = solve_diagram(diagram, utility=lambda x: min(x, 3 * x))
    assert dread.choices[0].values == {"safe": 10, "risky": Fraction(35 - 30, 2)}
    knowing = value_of_information(diagram, "coin", before="bet", utility=lambda x: min(x, 3 * x))
    assert knowing == Fraction(35 + 10, 2) - 10


def test_distributions_get_only_possible_states() -> None:
    # The distribution of the answer is not defined if the coin was not tossed.
    answers = {"heads": "good", "tails": "bad"}

    def answer(coin: str, ask: str) -> Mapping[str, Number]:
        return {answers[coin] if ask == "yes" and coin != "none" else "": 1}

    diagram = InfluenceDiagram(
        [
            DecisionNode("throw", ["yes", "no"]),
            ChanceNode("coin", lambda t: COIN if t == "yes" else {"none": 1}, ["throw"]),
            DecisionNode("ask", ["yes", "no"], ["coin"]),
            ChanceNode("answer", answer, ["coin", "ask"]),
            ValueNode("joy", lambda answer: {"good": 2, "bad": -1, "": 0}[answer], ["answer"]),
        ]
    )
    solution = solve_diagram(diagram)
    assert solution.value == 1
    assert str(solution).splitlines() == [
        "throw: yes (1)",
        "ask, throw yes, coin heads: yes (2)",
        "ask, throw yes, coin tails: no (0)",
        "ask, throw no, coin none: yes or no (0)",
    ]


def test_information_moves_only_ancestors() -> None:
    diagram = InfluenceDiagram(
        [
            DecisionNode("d", ["x", "y"]),
            ChanceNode("cause", COIN),
            ChanceNode("other", COIN),
            ChanceNode("effect", lambda cause: {cause: 1}, ["cause"]),
            ValueNode("v", lambda d, effect: (d == "x") == (effect == "heads"), ["d", "effect"]),
        ]
    )
    informed = diagram.with_information("effect", before="d")
    assert [node.name for node in informed.nodes] == ["cause", "effect", "d", "other", "v"]
    assert informed.with_information("effect", before="d") == informed
    assert value_of_information(diagram, "effect", before="d") == HALF
    assert value_of_information(diagram, "other", before="d") == 0


CHANCE, DECISION = ChanceNode("coin", COIN), DecisionNode("d", ["x"])
VALUE = ValueNode("v", lambda d: 1, ["d"])


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        (
            [CHANCE, CHANCE, DECISION, VALUE],
            "two nodes are called 'coin'; give each node its own name",
        ),
        ([VALUE, DECISION], "'d' cannot be a parent of the node 'v'; a parent is a chance or"),
        (
            [DECISION, VALUE, ValueNode("w", lambda v: 1, ["v"])],
            "'v' cannot be a parent of the node 'w'; a parent is a chance or",
        ),
        ([DecisionNode("d", []), VALUE], "the decision 'd' has no options; give it at least one"),
        ([DECISION, CHANCE], "an influence diagram needs at least one value node"),
        (
            [DECISION, ChanceNode("c", COIN, ["d"]), VALUE],
            "the chance node 'c' needs a distribution if",
        ),
        (
            [ChanceNode("c", lambda: COIN), DECISION, VALUE],
            "the chance node 'c' needs a distribution if",
        ),
    ],
)
def test_bad_diagrams(nodes: Sequence[ChanceNode | DecisionNode | ValueNode], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        InfluenceDiagram(nodes)


def test_bad_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    half = ChanceNode("c", {"x": HALF})
    with pytest.raises(
        ValueError, match="the probabilities of the chance node 'c' must sum to 1, not 1/2"
    ):
        solve_diagram(InfluenceDiagram([half, DECISION, VALUE]))
    lost = ValueNode("v", lambda d: float("nan"), ["d"])
    with pytest.raises(
        ValueError, match="the payoff of the value node 'v' must be a finite number, not nan"
    ):
        solve_diagram(InfluenceDiagram([DECISION, lost]))
    coins = [ChanceNode(f"coin {i}", COIN) for i in range(20)]
    monkeypatch.setattr("rollwise.decision_analysis.influence_diagram.MAX_WORLDS", 2000)
    with pytest.raises(ValueError, match="the diagram has more than 2,000 combinations of states;"):
        solve_diagram(InfluenceDiagram([*coins, DECISION, VALUE]))


def test_bad_queries() -> None:
    oil = oil_wildcatter()
    with pytest.raises(
        ValueError, match="'oil' is not a decision; the decisions are 'test', 'drill'"
    ):
        oil.with_information("report", before="oil")
    with pytest.raises(
        ValueError, match="'profit' is not a chance node; only the state of a chance"
    ):
        oil.with_information("profit", before="drill")
    with pytest.raises(ValueError, match="'sun' is not a chance node; only the state of a chance"):
        oil.with_information("sun", before="drill")
    with pytest.raises(
        ValueError, match="'report' depends on the decision 'test', so it cannot be"
    ):
        oil.with_information("report", before="test")
    solution = solve_diagram(oil)
    with pytest.raises(ValueError, match="the best option of 'drill' depends on more than test"):
        solution.best("drill", test="yes")
    with pytest.raises(ValueError, match="the decision 'drill' never occurs with report rain;"):
        solution.best("drill", report="rain")


def test_picture(tmp_path: Path) -> None:
    picture = umbrella().picture('the "umbrella"')
    assert r'label="the \"umbrella\""' in picture.dot
    shapes = dict(re.findall(r'^  "(\w+)" \[label=.*shape=(\w+)', picture.dot, re.MULTILINE))
    assert shapes == {
        "weather": "ellipse",
        "forecast": "ellipse",
        "umbrella": "box",
        "pleasure": "hexagon",
    }
    drawn = re.findall(r'"(\w+)" -> "(\w+)"( \[style=dashed\])?;', picture.dot)
    assert [(a, b, bool(dashed)) for a, b, dashed in drawn] == [
        (a, b, kind == "information") for a, b, kind in umbrella().arcs()
    ]
    assert r'"umbrella" [label="umbrella\ntake | leave"' in picture.dot
    picture.save(tmp_path / "umbrella.dot")
    assert (tmp_path / "umbrella.dot").read_text(encoding="utf-8") == picture.dot


def test_picture_is_laid_out() -> None:
    svg = oil_wildcatter().picture().svg()
    assert (svg.count('class="node"'), svg.count('class="edge"')) == (6, 6)
