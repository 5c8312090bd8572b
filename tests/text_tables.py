"""Tables of tests as indented text, which is easier to read than nested tuples."""


def indented(text: str) -> list[tuple[str, str]]:
    """Return each indented line of a text with the line above it that is not indented."""
    pairs, heading = [], ""
    for line in text.strip().splitlines():
        if line.startswith(" "):
            pairs.append((heading, " ".join(line.split())))
        elif not line.startswith("#"):
            heading = line
    return pairs
