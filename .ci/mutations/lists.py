"""The two lists beside this file: changes without an effect, and changes that no operator makes. An entry is a line:

    equivalent:  file | function | operator | a piece of the code or its effect | reason
    written:     file | function | row, or walk | code => other code | what it breaks

`=> do` stands before whole statements, `=>` before an expression. The code is found once in its function.
"""
import re
from pathlib import Path

import operators
import swift_source

FOLDER = Path(__file__).resolve().parent
MODULES = FOLDER.parent.parent / "Modules"


def entries(name):
    for number, line in enumerate((FOLDER / name).read_text().splitlines(), 1):
        if line.strip() and not line.startswith("//"):
            parts = [part.strip() for part in line.split(" | ")]
            if len(parts) != 5 or not all(parts):
                raise SystemExit(f"error: {name}:{number}: not five parts with | between them")
            yield f"{name}:{number}", *parts


class Equivalents:
    def __init__(self):
        self.entries = list(entries("equivalent"))

    def matching(self, change):
        return [place for place, file, function, operator, code, _ in self.entries
                if (change.file, change.function, change.operator) == (f"Modules/{file}", function, operator)
                and operators.one_line(code) in f"{change.code} → {change.effect}"]

    def lost(self, changes, files):
        """Entries that match nothing, of the files that were read."""
        matched = {place for change in changes for place in self.matching(change)}
        return [f"{place}: matches nothing: {file} | {function} | {operator} | {code}"
                for place, file, function, operator, code, _ in self.entries
                if place not in matched and (f"Modules/{file}" in files or not (MODULES / file).exists())]


def written(files, walks):
    """The changes of `written` in some files, and a sentence about each that fits its source no more."""
    found, lost, sources = [], [], {}
    for place, file, name, needs, code, title in entries("written"):
        path = f"Modules/{file}"
        # Only a run with the walk can judge what needs it.
        if (MODULES / file).exists() and (path not in files or needs == "walk" and not walks):
            continue
        if path not in sources:
            sources[path] = swift_source.read((MODULES / file).read_text()) if (MODULES / file).exists() else None
        source, (old, new) = sources[path], code.split(" => ", 1)
        functions = [f for f in source.functions if f.name == name] if source else []
        piece = re.compile(r"\s+".join(map(re.escape, old.split())))
        spans = [(f, source.tokens[f.first].start + m.start(), source.tokens[f.first].start + m.end())
                 for f in functions for m in piece.finditer(source.slice(f.first, f.end))]
        if len(spans) != 1:
            lost.append(f"{place}: the code is {len(spans)} times in {name} of {file}: {title}")
            continue
        function, start, end = spans[0]
        if new == "do" or new.startswith("do "):
            edit = (start, end, f"if isMutated(§) {{ {new[3:]} }} else {{ ", " }", None)
        else:
            edit = (start, end, f"(isMutated(§) ? ({new}) : (", "))", None)
        found.append(operators.Change(
            path, name, "written", title, "", [edit], source.text.count("\n", 0, start) + 1,
            operators.one_line(source.slice(function.first, function.end))))
    return found, lost
