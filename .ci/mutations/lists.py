"""The two lists beside this file: changes without an effect, and changes that no operator makes. An entry is a line:

    equivalent:  file | function | operator | a piece of the code or its effect | reason
    written:     file | function | row, or walk | code => other code | what it breaks

`=> do` stands before whole statements, `=>` before an expression. The code is found once in its function.
"""
import functools, re

from operators import Change, Edit
from syntax import FOLDER


@functools.cache
def entries(name):
    lines = [line.split(" | ") for line in (FOLDER / name).read_text().splitlines() if not line.startswith("//")]
    for parts in lines:
        if len(parts) != 5:
            raise SystemExit(f"error: {name}: not five parts with | between them: {' | '.join(parts)}")
    return [(f"{name}: {' | '.join(parts)}", f"Modules/{parts[0]}", *parts[1:]) for parts in lines]


def files():
    return sorted({file for name in ("equivalent", "written") for _, file, *_ in entries(name)})


def excuses(change):
    """The entries of `equivalent` that are about a change."""
    about = (change.file, change.function.title, change.operator)
    return {place for place, *parts, code, _ in entries("equivalent")
            if tuple(parts) == about and code in f"{change.code} → {change.effect}"}


def unused(changes, files):
    """A sentence about each entry of `equivalent` that is about no change of its file."""
    used = {place for change in changes for place in excuses(change)}
    return [f"{place}: this matches nothing" for place, file, *_ in entries("equivalent")
            if file in files and place not in used]


def written(source, walks):
    """The changes of `written` in a source, and a sentence about each that fits it no more."""
    found, lost = [], []
    for place, file, name, needs, code, title in entries("written"):
        # Only a run with the walk can judge what needs it.
        if file != source.file or needs == "walk" and not walks:
            continue
        old, new = code.split(" => ")
        piece = re.compile(r"\s+".join(map(re.escape, old.split())).encode())
        spans = [(function, *match.span()) for function in source.functions if function.title == name
                 for match in piece.finditer(function.source[:function.end], function.start)]
        if len(spans) != 1:
            lost.append(f"{place}: the code is {len(spans)} times in this function")
            continue
        function, start, end = spans[0]
        before, after = f"(isMutated(§) ? ({new}) : (", "))"
        if new.startswith("do "):
            before, after = f"if isMutated(§) {{ {new[2:]} }} else {{ ", " }"
        found.append(Change(file, function, "written", start, end, title, [Edit(start, end, before, after)]))
    return found, lost
