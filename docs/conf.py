"""How the pages of this folder become a site: ``python -m sphinx -W docs build/site/docs``.

Offline, with all that a page needs beside it. What is generated from the program (commands, keys of
rule files, names) is put in while a page is read; ``directives/generated.py`` says where, and
``directives/lessons.py`` what of the lessons is run and drawn.
"""

import logging
import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS), str(DOCS.parent / "src")]

from rollwise import __version__  # noqa: E402 (found beside this file, installed or not)

logging.getLogger("rollwise").setLevel(logging.WARNING)  # no messages about compiled kernels

project = "rollwise"
author = "The rollwise authors"
project_copyright = f"{author}, MIT license"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "directives.dice",
    "directives.generated",
    "directives.lessons",
    "directives.mathml",
    "directives.access",
]
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["directives", "templates"]
templates_path = ["templates"]
smartquotes = False
highlight_language = "text"

autodoc_typehints = "none"  # numpydoc's sections tell them
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

html_math_renderer = "mathml"
html_theme = "furo"
html_favicon = "../src/rollwise/client/icon.svg"
html_title = "rollwise"
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "play.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}  # those of the theme, and the link to the games
html_static_path = ["style"]
html_css_files = ["site.css"]
html_search_scorer = str(DOCS / "directives" / "search_scorer.js")
html_show_sphinx = False
html_copy_source = False

man_pages = [("reference/commands", "rollwise", "roll-and-keep dice games, solved", author, 1)]
