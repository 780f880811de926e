"""The operators: each makes small changes of a file that a test should notice.

A change is a list of edits that put calls around code, so that changes may be inside each other:
`isMutated(N)` says whether the change N is on, and the functions of `copied_package.SWITCH` choose a value.
"""
import re
from dataclasses import dataclass

# What each becomes, and the function of the copy that compares.
BOUNDS = {"<": ("<=", "less"), "<=": ("<", "lessOrEqual"), ">": (">=", "greater"), ">=": (">", "greaterOrEqual")}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^="}
# What stands left or right of an operand of && and ||, at its depth.
DELIMITERS = {",", "{", ";", ":"}
WORDS = {"return", "if", "guard", "while", "where", "case", "in", "throw", "else", "let", "var", "default", "switch", "for"}
BRANCHES = {"if", "while", "for", "switch", "guard", "catch"}
PREFIXES = {"try", "await", "unsafe"}
# What ends the program or speaks to a developer says the same with any text.
MESSAGES = {"fatalError", "precondition", "preconditionFailure", "assert", "assertionFailure", "print"}
NO_CALL = WORDS | {"func", "init", "subscript", "#selector", "#keyPath"}


@dataclass(eq=False)
class Change:
    file: str
    function: str
    operator: str
    code: str  # what changes, with each white space as one space
    effect: str  # what it becomes
    edits: list  # (start, end, text before, text after, text in place or None)
    line: int
    source: str  # the function's source
    ordinal: int = 0  # which of several equal ones of a function
    number: int = 0
    fingerprint: str = ""

    def __str__(self):
        return f"{self.file}:{self.line}: {self.function}: {self.operator}: {shorten(self.code)}" + (
            f" → {shorten(self.effect)}" if self.effect else "")


def shorten(text):
    return text if len(text) < 90 else text[:60] + " … " + text[-25:]


def one_line(text):
    return " ".join(text.split())


class Finder:
    """Finds the changes of one file."""

    def __init__(self, file, source):
        self.file, self.source, self.found = file, source, []
        self.tokens, self.depth = source.tokens, source.depth
        self.negated = set()  # where conditions begin that are negated already
        self.branches = set(self.find_branches())
        for statement in source.statements:
            self.conditions(statement)
            self.removals(statement)
        for function in source.functions:
            self.returns_early(function)
        inside = [index for index in range(len(self.tokens)) if source.function(index)]
        # An operand of && is also a comparison: what knows more about a condition comes first.
        for find in (self.operands, self.ternary, self.comparison, self.literal, self.arguments):
            for index in inside:
                find(index)
        counts = {}
        self.found.sort(key=lambda c: (c.edits[0][0], c.edits[0][1], c.operator, c.effect))
        for change in self.found:
            key = (change.function, change.operator, change.code, change.effect)
            change.ordinal = counts[key] = counts.get(key, 0) + 1

    def add(self, operator, first, end, effect, edits):
        around = self.source.function(first)
        start = self.tokens[first].start
        self.found.append(Change(
            self.file, around.name if around else "", operator, one_line(self.source.slice(first, end)), effect, edits,
            self.source.text.count("\n", 0, start) + 1, one_line(self.source.slice(around.first, around.end)) if around else ""))

    def span(self, first, end):
        return self.tokens[first].start, self.tokens[end - 1].end

    def wrap(self, first, end, before, after=")"):
        return (*self.span(first, end), before, after, None)

    # Conditions of if, guard, while, for … where.

    def conditions(self, statement):
        first, end = statement.first, statement.end
        at = first
        while at < end:
            word = self.tokens[at].text
            if word in ("if", "guard", "while") and self.tokens[at].kind == "word":
                stop = "else" if word == "guard" else "{"
                brace = self.source.find(at, end, stop)
                if brace:
                    self.clauses(at + 1, brace, word)
                    at = brace
                    continue
            if word == "where" and statement.head == "for":
                brace = self.source.find(at, end, "{") or end
                self.leaf(at + 1, brace)
            at = self.source.following(at)

    def parts(self, first, end):
        """What stands between commas."""
        begin = first
        for at in [*self.depth(first, end), end]:
            if at == end or self.tokens[at].kind == ",":
                yield begin, at
                begin = at + 1

    def clauses(self, first, end, word):
        parts = list(self.parts(first, end))
        for begin, stop in parts:
            if stop <= begin or self.tokens[begin].text.startswith("#"):
                continue
            if self.tokens[begin].text in ("let", "var", "case"):
                start = self.tokens[begin].start
                self.add(f"{word} fails", begin, stop, "false", [(start, start, "!isMutated(§), ", "", None)])
            else:
                self.simple(begin, stop, "true" if word == "guard" or len(parts) > 1 else "")

    def simple(self, first, end, neutral=""):
        """A condition, if it is without && and ||, whose operands are found by themselves."""
        if not any(self.tokens[i].text in ("&&", "||") for i in self.depth(first, end)):
            self.leaf(first, end, neutral)

    def leaf(self, first, end, neutral=""):
        """A condition negated, and neutral where that removes a guard or one of several conditions."""
        while first < end and self.tokens[first].text in PREFIXES:
            first += 1
        if first >= end or first in self.negated:
            return
        self.negated.add(first)
        self.add("negated condition", first, end, "", [self.wrap(first, end, "negated(§, ")])
        if neutral:
            self.add("removed condition", first, end, neutral, [self.wrap(first, end, f"replaced(§, {neutral}, ")])

    def extent(self, index, stops):
        """The first token and the end of what an operator's neighbours belong to, between stops of the same depth."""
        def stop(i, right):
            token = self.tokens[i]
            if token.kind in DELIMITERS:
                return token.kind != "{" or right and i in self.branches
            if token.kind == "operator":
                return token.spaced and token.text in stops or token.text == "->"
            return token.kind == "word" and token.text in WORDS
        first = index
        while first > 0:
            before = first - 1
            token = self.tokens[before]
            if token.kind in ("(", "[", "{") or stop(before, False) or self.begins_statement(first):
                break
            first = token.partner if token.kind in PAIRS_CLOSED else before
        end = index + 1
        while end < len(self.tokens):
            token = self.tokens[end]
            if token.kind in PAIRS_CLOSED or stop(end, True) or self.begins_statement(end):
                break
            end = self.source.following(end)
        while first < index and self.tokens[first].text in PREFIXES:
            first += 1
        return first, end

    def find_branches(self):
        """The { that begin a branch and are no trailing closure."""
        for statement in self.source.statements:
            for at in self.depth(statement.first, statement.end):
                if self.tokens[at].kind == "word" and self.tokens[at].text in BRANCHES:
                    yield self.source.find(at, statement.end, "{")

    def begins_statement(self, index):
        return self.tokens[index].first and not self.source.continues(index)

    def operands(self, index):
        """The operands of && and ||."""
        token = self.tokens[index]
        if token.kind == "operator" and token.text in ("&&", "||"):
            first, end = self.extent(index, ASSIGNMENTS | {"?", "&&", "||"})
            neutral = "true" if token.text == "&&" else "false"
            self.leaf(first, index, neutral)
            self.leaf(index + 1, end, neutral)

    def ternary(self, index):
        token = self.tokens[index]
        if token.kind == "operator" and token.text == "?" and token.spaced:
            self.simple(self.extent(index, ASSIGNMENTS | {"?"})[0], index)

    def comparison(self, index):
        token = self.tokens[index]
        if token.kind != "operator" or not token.spaced or token.text not in {"==", "!=", *BOUNDS}:
            return
        first, end = self.extent(index, ASSIGNMENTS | {"?", "&&", "||"})
        if token.text not in BOUNDS:
            return self.leaf(first, end)
        other, name = BOUNDS[token.text]
        self.add("changed bound", first, end, other, [
            (*self.span(first, end), f"{name}(§, ", ")", None), (token.start, token.end, "", "", ",")])

    # Statements.

    def removals(self, statement):
        first, end = statement.first, statement.end
        if statement.block == "type" or statement.head in KEPT or self.tokens[first].text in COMPOUND_HEADS:
            return
        depth = list(self.depth(first, end))
        texts = [self.tokens[i].text for i in depth]
        assigns = any(self.tokens[i].text in ASSIGNMENTS and self.tokens[i].kind == "operator" for i in depth)
        # An initializer that leaves something without a value does not compile.
        around = self.source.function(first)
        if around and around.name.endswith("init") and (assigns or texts[0] == "self"):
            return
        # The value of an operator is used.
        calls = self.tokens[end - 1].kind in (")", "}") and not any(self.tokens[i].spaced for i in depth)
        if not (assigns or calls) or statement.alone and not assigns and statement.result not in ("", "?", "Void"):
            return
        # The only expression of a closure is its value, unless it looks like an effect.
        is_value = statement.block == "closure" and statement.alone or statement.value
        if is_value and not assigns and not {"await", "cancel"} & set(texts):
            return
        called = {texts[i - 1] for i in range(1, len(depth)) if self.tokens[depth[i]].kind == "("}
        if called & MESSAGES:
            return
        operator = "removed cancel" if "cancel" in called else "removed wait" if "await" in texts else "removed statement"
        stop = end - 1 if self.tokens[end - 1].kind == ";" else end
        self.add(operator, first, stop, "", [self.wrap(first, stop, "if !isMutated(§) { ", " }")])

    def returns_early(self, function):
        if function.body < 0 or function.result == "?":
            return
        body, end = function.body + 1, self.tokens[function.body].partner
        if end <= body:
            return
        result = function.result
        values = ["return false", "return true"] if result == "Bool" else (
            ["return nil"] if result.endswith("?") else ["return"] if result in ("", "Void") else
            ["return []"] if result.startswith("[") and ":" not in result else [])
        inside = [s for s in self.source.statements if body <= s.first and s.end <= end]
        own = next((s for s in inside if s.first == body), None)
        implicit = result not in ("", "Void") and own and own.alone and own.end == end and own.head not in KEPT
        if implicit and own.head in ("if", "switch"):
            implicit = not any(self.tokens[i].text == "return" for i in range(body, end))
        start = self.tokens[function.body].end
        for value in values:
            if own and own.alone and own.head == "return" and one_line(self.source.slice(own.first, own.end)) == value:
                continue
            self.add("returned early", function.first, function.body, value, [
                (start, start, f" if isMutated(§) {{ {value} }}; ", "return " if implicit else "", None)])

    # Values.

    def literal(self, index):
        token = self.tokens[index]
        before = self.tokens[index - 1] if index else token
        if token.kind == "number" and before.kind != "." and before.text != "$":
            if decimal := re.fullmatch(r"([\d_]+)(\.[\d_]+)?", token.text):
                value = int(decimal[1].replace("_", ""))
                for other in ([value + 1] if value == 0 else [value - 1, value + 1]):
                    self.replace("changed number", index, f"{other}{decimal[2] or ''}")
        elif token.text in ("true", "false") and token.kind == "word":
            text = "!isMutated(§)" if token.text == "true" else "isMutated(§)"
            self.add("changed constant", index, index + 1, "false" if token.text == "true" else "true",
                     [(token.start, token.end, "", "", text)])
        elif token.kind == "string" and len(token.text) > 2 and not token.text.startswith('"""') and (
                not re.search(r"[\s]", token.text)) and not self.is_message(index):
            self.replace("emptied string", index, '""')

    def is_message(self, index):
        opened = next((i for i in range(index - 1, -1, -1) if self.tokens[i].kind == "(" and self.tokens[i].partner > index), 0)
        return opened and self.tokens[opened - 1].text in MESSAGES

    def replace(self, operator, index, other):
        self.add(operator, index, index + 1, other, [self.wrap(index, index + 1, f"(isMutated(§) ? {other} : ")])

    def arguments(self, index):
        """Two neighbouring arguments of a call that change places."""
        token = self.tokens[index]
        if token.kind != "(" or index == 0 or self.tokens[index - 1].end != token.start:
            return
        name = self.tokens[index - 1]
        if name.kind != "word" and name.text not in (")", "]", ">", "?", "!") or name.text in NO_CALL | MESSAGES:
            return
        if index > 1 and self.tokens[index - 2].text in ("func", "case", "macro"):
            return
        values = []
        for first, end in self.parts(index + 1, token.partner):
            labelled = first + 1 < end and self.tokens[first].kind == "word" and self.tokens[first + 1].kind == ":"
            values.append((first + 2 if labelled else first, end))
        for (first, end), (other, other_end) in zip(values, values[1:]):
            texts = self.source.slice(first, end), self.source.slice(other, other_end)
            kinds = {self.tokens[i].kind for i, stop in ((first, end), (other, other_end)) if stop - i == 1}
            if texts[0] == texts[1] or not all(texts) or {"string", "number"} <= kinds or any(
                    # No value, of several lines, of another kind, or text for people.
                    text == "_" or text[0] == "&" or re.search(r"[\n{]|\b(let|var|await|try)\b", text)
                    or text[0] in ".[" and kinds & {"string", "number"} or text[0] == '"' and " " in text for text in texts):
                continue
            self.add("swapped arguments", first, other_end, "", [
                self.wrap(first, end, f"(isMutated(§) ? ({texts[1]}) : ", ")"),
                self.wrap(other, other_end, f"(isMutated(§) ? ({texts[0]}) : ", ")")])


PAIRS_CLOSED = {")", "]", "}"}
COMPOUND_HEADS = {"if", "guard", "while", "for", "switch", "do", "repeat", "defer"}
# Statements that are no call and no assignment.
KEPT = {
    "label", "return", "throw", "let", "var", "func", "break", "continue", "import",
    "struct", "class", "enum", "actor", "extension", "protocol", "typealias", "init", "deinit", "subscript", "case",
    "associatedtype",
}


def changes(file, source):
    return Finder(file, source).found


def rendered(text, changed):
    """The text with all changes, and where each change is in it: (start, end, number), as many lines as before."""
    places, at_start, at_end = [], {}, {}
    for change in changed:
        for start, end, *texts in change.edits:
            texts = [text and text.replace("§", str(change.number)) for text in texts]
            # A bound is inside all others of the same place, because its operator becomes a comma.
            event = (start, end, *texts, change.number, change.operator == "changed bound")
            at_start.setdefault(start, []).append(event)
            if end > start:
                at_end.setdefault(end, []).append(event)
    pieces, length, i, began = [], 0, 0, {}

    def put(piece):
        nonlocal length
        pieces.append(piece)
        length += len(piece)

    for point in sorted(set(at_start) | set(at_end) | {len(text)}):
        if point > i:
            put(text[i:point])
            i = point
        for event in sorted(at_end.get(point, []), key=lambda e: (-e[0], -e[6], -e[5])):
            put(event[3])
            places.append((began[event[:6]], length, event[5]))
        # The longest is outside; a place between two characters is before all that begins there.
        for event in sorted(at_start.get(point, []), key=lambda e: (e[1] > e[0], -e[1], e[6], e[5])):
            began[event[:6]] = length
            put(event[2])
            if event[1] == event[0]:
                places.append((length - len(event[2]), length, event[5]))
                if event[3] and event is [e for e in at_start[point] if e[3]][-1]:
                    put(event[3])
            elif event[4] is not None:
                put(event[4])
                i = event[1]
    return "".join(pieces), places
