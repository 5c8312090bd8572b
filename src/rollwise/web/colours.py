"""The colours of faces, in games whose dice have them."""

from functools import cache

from rollwise.rules import Rules


@cache
def colours_of(rules: Rules) -> dict[int, int]:
    """Return the number of the colour of each face, from 0; nothing where dice have one colour.

    A game has colours if it has a flush: a box whose dice are all among some faces, or all among
    some others.
    """
    for category in rules.categories:
        pattern = category.pattern
        if pattern.kind == "either":
            among = [one.faces for one in pattern.of if one.kind == "among"]
            if len(among) == len(pattern.of):
                return {face: number for number, faces in enumerate(among) for face in faces}
    return {}
