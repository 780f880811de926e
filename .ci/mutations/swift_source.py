"""Swift text as tokens and statements: enough to know what is code, where a statement ends and what it belongs to."""
import re
from dataclasses import dataclass, field

# The marks of optionals and generic types stand alone: `[String: [Int]?]?`, `Set<Array<Int>>`.
OPERATOR = r"""\.\.[.<] | (?:\?\?|<=|>=|<<=?|>>=?)(?![-/=+!*%<>&|^~?]) | [?<>] | [-/=+!*%&|^~](?:(?!//)[-/=+!*%<>&|^~?])*"""
TOKEN = re.compile(rf"""
    (?P<space>\s+|//[^\n]*) | (?P<comment>/\*) | (?P<string>\#*") | (?P<attribute>@\w*)
    | (?P<directive>\#(if|elseif|else|endif)\b([^\n]*))
    | (?P<word>\#\w*|`?[A-Za-z_$][\w$]*`?)
    | (?P<number>0[xob][0-9A-Fa-f_]+|\d[\d_]*(\.\d[\d_]*)?([eE][-+]?\d+)?)
    | (?P<regex>/(?=[^\s/])(\\.|[^/\n\\])+/) | (?P<operator>{OPERATOR}) | (?P<bracket>.)""", re.X)
OPERATOR = re.compile(f"(?P<operator>{OPERATOR})", re.X)
PAIRS = {"(": ")", "[": "]", "{": "}"}
# On Linux, with the traits that are on by default.
ACTIVE = {"Client", "Sandbox", "CommandLine", "DEBUG"}
IMPORTABLE = {"Foundation", "FoundationNetworking", "FoundationXML", "FoundationEssentials", "Glibc", "Testing", "Dispatch"}
TYPES = {"struct", "class", "enum", "actor", "extension", "protocol"}
ACCESSORS = {"get", "set", "willSet", "didSet", "_read"}
COMPOUND = {"if", "guard", "while", "for", "switch", "do", "repeat", "defer", "catch", "else"}
CONTINUES = {"else", "catch", "where", "as", "is", "in", "throws", "async"}
MODIFIERS = {
    "public", "private", "fileprivate", "internal", "package", "open", "static", "final", "mutating", "nonmutating",
    "override", "required", "convenience", "lazy", "weak", "unowned", "nonisolated", "isolated", "dynamic", "indirect",
    "borrowing", "consuming", "sending", "async", "unsafe", "set",
}


@dataclass
class Token:
    kind: str  # word, number, string, regex, operator, or the bracket, comma … itself
    text: str
    start: int
    end: int
    first: bool = False  # in its line
    spaced: bool = False  # white space on both sides: a binary operator
    partner: int = -1  # the index of the other bracket


class NotSwift(Exception):
    pass


def string_end(text, at):
    """The end of the literal that begins here, with what is interpolated into it."""
    hashes = len(re.match(r"#*", text[at:]).group())
    quote = '"""' if text.startswith('"""', at + hashes) else '"'
    mark, close, i = "\\" + "#" * hashes, quote + "#" * hashes, at + hashes + len(quote)
    while i < len(text):
        if text.startswith(close, i):
            return i + len(close)
        if text.startswith(mark, i):
            i += len(mark)
            if text[i] == "(":
                i = parentheses_end(text, i)
                continue
        i += 1
    raise NotSwift("a string without end")


def parentheses_end(text, at):
    """The end of what is in the parentheses that begin here."""
    depth = 0
    while True:
        if re.match(r'#*"', text[at:at + 8]):
            at = string_end(text, at)
            continue
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
        if depth == 0:
            return at


def comment_end(text, at):
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    raise NotSwift("a comment without end")


def tokens(text):
    """All tokens of a file but comments, attributes, directives and what another system compiles."""
    found, i, first, branches = [], 0, True, []
    while i < len(text):
        match = TOKEN.match(text, i)
        if match.lastgroup == "regex" and found and found[-1].text != "return" and (
                found[-1].kind in ("word", "number", "string", ")", "]", "}")):
            match = OPERATOR.match(text, i)
        kind, begin, i = match.lastgroup, i, match.end()
        if kind == "space":
            first |= "\n" in match[0]
        elif kind == "comment":
            i = comment_end(text, begin)
        elif kind == "attribute":
            # What an attribute says is no code.
            i = parentheses_end(text, i) if text[i:i + 1] == "(" else i
        elif kind == "directive":
            name, condition = re.match(r"#(\w+)(.*)", match[0]).groups()
            done = name != "if" and branches.pop()[1]
            if name != "endif":
                now = not done and (name == "else" or holds(condition))
                branches.append((now, done or now))
        else:
            if kind == "string":
                i = string_end(text, begin)
            if all(active for active, _ in branches):
                spaced = kind == "operator" and text[begin - 1:begin].isspace() and text[i:i + 1].isspace()
                found.append(Token(match[0] if kind == "bracket" else kind, text[begin:i], begin, i, first, spaced))
            first = False
    opened = []
    for index, token in enumerate(found):
        if token.kind in PAIRS:
            opened.append(index)
        elif token.kind in PAIRS.values():
            if not opened or PAIRS[found[opened[-1]].kind] != token.kind:
                raise NotSwift(f"{token.text} at {token.start} closes nothing")
            token.partner = opened.pop()
            found[token.partner].partner = index
    if opened:
        raise NotSwift(f"{found[opened[-1]].text} at {found[opened[-1]].start} is not closed")
    return found


def holds(condition):
    condition = condition.split("//")[0]
    condition = re.sub(r"os\((\w+)\)", lambda m: str(m[1] == "Linux"), condition)
    condition = re.sub(r"canImport\((\w+)\)", lambda m: str(m[1] in IMPORTABLE), condition)
    condition = re.sub(r"(swift|compiler)\([^)]*\)", "True", condition)
    condition = re.sub(r"\b(?!True|False)\w+(\([^)]*\))?", lambda m: str(m[0] in ACTIVE), condition)
    return bool(eval(condition.replace("&&", " and ").replace("||", " or ").replace("!", " not ").strip()))


@dataclass
class Statement:
    """A statement by the indices of its first token and the one after its last."""
    first: int
    end: int
    head: str  # its first word that is no modifier
    alone: bool = False  # the only one of its block
    block: str = "code"  # code, closure, type, or switch: what it stands in
    result: str = ""  # in a function's own body: what the function returns
    value: bool = False  # of a branch of an expression: all of it is the branch's value


@dataclass
class Function:
    name: str
    first: int
    end: int
    body: int = -1  # the index of its {
    result: str = ""  # empty for nothing, ? where it cannot be known


@dataclass
class Source:
    text: str
    tokens: list
    statements: list = field(default_factory=list)
    functions: list = field(default_factory=list)

    def __post_init__(self):
        self.block(0, len(self.tokens), "type", "", "")

    def slice(self, first, end):
        return self.text[self.tokens[first].start:self.tokens[end - 1].end] if end > first else ""

    def function(self, index):
        """The outermost function or property around a token."""
        around = [f for f in self.functions if f.first <= index < f.end]
        return max(around, key=lambda f: f.end - f.first) if around else None

    def following(self, index):
        """The next token of the same depth."""
        token = self.tokens[index]
        return token.partner + 1 if token.kind in PAIRS else index + 1

    def depth(self, first, end):
        """The tokens of the depth of the first one, each bracket with all that is in it."""
        at = first
        while at < end:
            yield at
            at = self.following(at)

    def find(self, first, end, text):
        """The first token with this text at the depth of the first one, or None."""
        return next((i for i in self.depth(first, end) if self.tokens[i].text == text), None)

    def continues(self, index):
        """Whether a token at the beginning of a line goes on with the line before."""
        token, before = self.tokens[index], self.tokens[index - 1]
        if token.kind in (".", ",", ":", ")", "]", "{") or token.text in CONTINUES:
            return True
        if token.kind == "operator" and (token.spaced or token.text in ("?", ":")):
            return True
        return before.kind in (",", ":", ".") or before.kind == "operator" and (before.spaced or before.text == "->")

    def block(self, first, end, kind, type_name, result, value=False):
        """Divides what is between two braces into statements, and reads the blocks inside them.

        With `value` a statement that is alone may be the block's value, or that of a case.
        """
        found, at = [], first
        while at < end:
            start, label = at, kind == "switch" and self.tokens[at].text in ("case", "default")
            at = self.following(at)
            if label:
                while at < end and self.tokens[at - 1].kind != ":":
                    at = self.following(at)
            else:
                while at < end and self.tokens[at - 1].kind != ";":
                    token = self.tokens[at]
                    if token.first and not self.continues(at):
                        break
                    at = self.following(at)
            head = start
            # `open` and `set` may also be variables: a modifier stands before a word.
            while head < at - 1 and self.tokens[head].text in MODIFIERS:
                after = self.following(head + 1) if self.tokens[head + 1].kind == "(" else head + 1
                if after >= at or self.tokens[after].kind != "word":
                    break
                head = after
            found.append(Statement(start, at, "label" if label else self.tokens[head].text, False, kind, result))
        for before, statement, after in zip([None, *found], found, [*found[1:], None]):
            statement.alone = len(found) == 1
            statement.value = value and (before is None or before.head == "label") and (
                after is None or after.head == "label")
            if statement.head != "label":
                self.inside(statement, type_name)
        self.statements += found

    def inside(self, statement, type_name):
        first, end, head = statement.first, statement.end, statement.head
        words = [t.text for t in self.tokens[first:end]]
        if head == "class" and "func" in words[:4]:
            head = "func"
        at = first
        while at < end and self.tokens[at].text != head:
            at += 1
        if head in TYPES:
            name = self.tokens[at + 1].text
            if brace := self.find(at, end, "{"):
                outer = f"{type_name}.{name}" if type_name and head != "extension" else name
                self.block(brace + 1, self.tokens[brace].partner, "type", outer, "")
            return
        if head in ("func", "init", "deinit", "subscript"):
            name = self.tokens[at + 1].text if head == "func" else head
            function = Function(f"{type_name}.{name}".strip("."), first, end)
            brace = self.find(at, end, "{")
            if head != "func":
                function.result = "?"
            elif arrow := self.find(at, brace or end, "->"):
                function.result = self.slice(arrow + 1, self.find(arrow, brace or end, "where") or brace or end).strip()
            self.functions.append(function)
            if brace:
                function.body = brace
                self.block(brace + 1, self.tokens[brace].partner, "code", type_name, function.result)
            return
        if head in ("var", "let") and statement.block == "type":
            function = Function(f"{type_name}.{self.tokens[at + 1].text}".strip("."), first, end, -1, "?")
            self.functions.append(function)
            brace, colon = self.find(at, end, "{"), self.find(at, end, ":")
            if brace and not self.find(at, end, "=") and self.tokens[brace + 1].text not in ACCESSORS:
                function.result = self.slice(colon + 1, brace).strip() if colon else "?"
                function.body = brace
                self.block(brace + 1, self.tokens[brace].partner, "code", type_name, function.result)
                return
        # Every other brace holds statements: of a branch, an accessor, or, anywhere in an expression, a closure.
        branches = {i for i in self.depth(first, end) if head in COMPOUND}
        value = head not in ("if", "switch", "do") or statement.value or statement.alone and (
            statement.block == "closure" or statement.result not in ("", "?", "Void"))
        i = first
        while i < end:
            token = self.tokens[i]
            if token.kind == "{":
                begin = i + 1
                if head == "switch" and self.following(i) >= end:
                    self.block(begin, token.partner, "switch", type_name, "?", value)
                else:
                    kind = "code" if i in branches or statement.block == "type" else "closure"
                    inner = value and head in ("if", "switch", "do")
                    self.block(self.closure_body(begin, token.partner), token.partner, kind, type_name, "?", inner)
                i = token.partner + 1
            elif token.text == "switch" and i > first:
                if brace := self.find(i, end, "{"):
                    self.block(brace + 1, self.tokens[brace].partner, "switch", type_name, "?", True)
                i = self.tokens[brace].partner + 1 if brace else i + 1
            else:
                i += 1

    def closure_body(self, first, end):
        """Where the statements of a closure begin, after its parameters."""
        i = first
        while i < end and not (i > first and self.tokens[i].first):
            if self.tokens[i].text == "in":
                return i + 1
            if self.tokens[i].text in ("for", "if", "guard", "=", "return", "let", "var"):
                break
            i = self.following(i)
        return first


def read(text):
    return Source(text, tokens(text))
