"""Plot the exact distribution of a final score.

The script needs matplotlib (the extra ``plot``):

    $ python examples/draw_a_distribution.py scores.png
    mean 149.85, median 152, P(200 or more) 0.0422: scores.png
"""

import sys

from matplotlib.figure import Figure

from rollwise import evaluate, plots

target = sys.argv[1] if len(sys.argv) > 1 else "scores.png"
evaluation = evaluate("optimal", "crag")
figure = Figure(figsize=(8, 4), layout="constrained")
plots.draw_distribution(figure.subplots(), evaluation)
figure.savefig(target)
distribution = evaluation.distribution
print(
    f"mean {distribution.mean:.2f}, median {distribution.median}, "
    f"P(200 or more) {distribution.at_least(200):.4f}: {target}"
)
