"""The operators: each makes small changes of a source that a test should notice. A change is a list of edits that put
calls around code; `§` stands for its number. `copied_package.SWITCH` has the functions that are called."""
import re
from dataclasses import dataclass
from typing import NamedTuple

from syntax import SERVICE, Node, digest

# What each becomes, and the function of the copy that compares.
BOUNDS = {"<": ("<=", "less"), "<=": ("<", "lessOrEqual"), ">": (">=", "greater"), ">=": (">", "greaterOrEqual")}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^="}
# What ends the program or speaks to a developer says the same with any text.
MESSAGES = {"fatalError", "precondition", "preconditionFailure", "assert", "assertionFailure", "print"}
# The conditions of `#if` that hold on Linux with the traits that are on by default.
ACTIVE = {"os(Linux)", "DEBUG"} | {f"canImport({name})" for name in (
    "Foundation", "FoundationNetworking", "FoundationXML", "FoundationEssentials", "Glibc", "Dispatch")}
FUNCTIONS = {"functionDecl", "variableDecl", "initializerDecl", "deinitializerDecl", "subscriptDecl"}
EFFECTS = {"tryExpr", "awaitExpr", "unsafeExpr"}
LITERALS = {"integerLiteralExpr": "number", "floatLiteralExpr": "number", "stringLiteralExpr": "string"}


class Edit(NamedTuple):
    """Texts around some bytes of a source."""
    start: int
    end: int
    before: str
    after: str = ""


@dataclass(eq=False)
class Change:
    file: str
    function: Node
    operator: str
    start: int
    end: int
    effect: str  # what it becomes
    edits: list
    number: int = 0

    def __post_init__(self):
        source = self.function.source
        self.code = " ".join(source[self.start:self.end].decode().split())
        self.line = source.count(b"\n", 0, self.start) + 1
        self.package = SERVICE if self.file.startswith(f"{SERVICE}/") else ""
        self.folder = "/".join(self.file.split("/")[:3 if self.package else 2])
        self.module = self.folder.split("/")[-1]
        # The same as long as the function is the same.
        self.fingerprint = digest(
            self.file, self.function.title, self.operator, self.effect, self.start - self.function.start,
            self.edits[0].before, self.end - self.start, self.function.text)

    def __str__(self):
        texts = [text if len(text) < 90 else text[:60] + " … " + text[-25:] for text in (self.code, self.effect)]
        return f"{self.file}:{self.line}: {self.function.title}: {self.operator}: " + " → ".join(filter(None, texts))


def wrap(node, before, after=")"):
    return Edit(node.start, node.end, before, after)


class Source:
    """The functions and the changes of one file."""

    def __init__(self, file, tree):
        self.file, self.functions, self.changes = file, [], []
        self.function = None  # the function or property around a node, which is inside no other one
        self.conditions = set()
        self.search(tree, "")

    def search(self, node, type_name):
        around = self.function
        if node.memberBlock:
            type_name = f"{type_name}.{(node.extendedType or node.name).text}".strip(".")
        if node.kind in FUNCTIONS:
            name, body, result = described(node)
            if not around:
                self.function, node.title = node, f"{type_name}.{name}".strip(".")
                self.functions.append(node)
            if body and body.nodes:
                self.returned_early(node, body, result)
        if self.function:
            self.find(node)
        nodes = node.nodes
        # An attribute is no code, and a text for people has no code that a test should look at.
        if node.kind in ("attribute", "stringLiteralExpr"):
            nodes = []
        if node.kind == "ifConfigDecl":
            nodes = [clause.elements for clause in node.clauses.nodes if holds(clause.condition)][:1]
        for inner in filter(None, nodes):
            self.search(inner, type_name)
        self.function = around

    def find(self, node):
        match node.kind:
            case "ifExpr" | "guardStmt" | "whileStmt": self.clauses(node)
            case "repeatStmt" | "whereClause" | "ternaryExpr": self.condition(node.condition)
            case "infixOperatorExpr": self.infix(node)
            case "codeBlockItem": self.removed(node.item)
            case "integerLiteralExpr" | "floatLiteralExpr": self.number(node)
            case "booleanLiteralExpr":
                other = "false" if node.text == "true" else "true"
                self.add("changed constant", node, other, wrap(node, "negated(§, "))
            case "stringLiteralExpr": self.emptied(node)
            case "functionCallExpr": self.swapped(node)

    def add(self, operator, code, effect, *edits, end=None):
        self.changes.append(Change(self.file, self.function, operator, code.start, end or code.end, effect, edits))

    def replaced(self, operator, node, other):
        self.add(operator, node, other, wrap(node, f"(isMutated(§) ? {other} : "))

    def clauses(self, node):
        word = node.kind.removesuffix("Expr").removesuffix("Stmt")
        for clause in node.conditions.nodes:
            condition = clause.condition
            if condition.kind in ("optionalBindingCondition", "matchingPatternCondition"):
                self.add(f"{word} fails", condition, "false", Edit(clause.start, clause.start, "!isMutated(§), "))
            elif condition.kind != "availabilityCondition":
                self.condition(condition, "true" if word == "guard" or len(node.conditions.nodes) > 1 else "")

    def condition(self, node, neutral=""):
        """Negates a condition, and replaces it where that removes a guard or one of several conditions."""
        node = without_effects(node)
        # The operands of && and || are conditions by themselves.
        if node in self.conditions or operator_of(node) in ("&&", "||"):
            return
        self.conditions.add(node)
        self.add("negated condition", node, "", wrap(node, "negated(§, "))
        if neutral:
            self.replaced("removed condition", node, neutral)

    def infix(self, node):
        symbol = operator_of(node)
        if symbol in ("&&", "||"):
            for operand in (node.leftOperand, node.rightOperand):
                self.condition(operand, "true" if symbol == "&&" else "false")
        elif symbol in ("==", "!="):
            self.condition(node)
        elif symbol in BOUNDS:
            other, function = BOUNDS[symbol]
            self.add("changed bound", node, other, wrap(node, f"{function}(§, "), wrap(node.operator, "/*", "*/,"))

    def removed(self, item):
        """Removes an assignment, or a call whose value is not used."""
        statement = without_effects(item)
        is_assignment, called = operator_of(statement) in ASSIGNMENTS, called_by(statement)
        if not is_assignment and (not called or called in MESSAGES):
            return
        # An initializer that leaves something without a value does not compile.
        if self.function.kind == "initializerDecl" and (is_assignment or called == "init"):
            return
        operator = "removed cancel" if called == "cancel" else "removed wait" if waits(item) else "removed statement"
        # The only expression of a closure is its value, unless it looks like an effect.
        taker = value_taker(item.parent)
        if is_assignment or not taker or taker.kind == "closureExpr" and operator != "removed statement":
            self.add(operator, item, "", wrap(item, "if !isMutated(§) { ", " }"))

    def returned_early(self, node, body, result):
        values = {"": [""], "Void": [""], "Bool": ["false", "true"]}.get(result) or (
            ["nil"] if result.endswith("?") else ["[]"] if result.startswith("[") and ":" not in result else [])
        first = body.nodes[0].item
        # A body that is one expression is the value.
        is_value = result not in ("", "Void") and len(body.nodes) == 1 and (
            first.kind.endswith("Expr") or first.kind == "expressionStmt" and "return" not in first.text)
        for value in values:
            before, after = f"if isMutated(§) {{ return {value} }}; " + "return " * is_value, ""
            # There may be two of these.
            if is_value and result == "Bool":
                before, after = f"if isMutated(§) {{ {value} }} else {{ ", " }"
            edits = Edit(first.start, first.start, before), Edit(first.end, first.end, after)
            if first.text.removeprefix("return").strip() != value:
                self.add("returned early", node, f"return {value}".strip(), *edits, end=body.parent.start)

    def number(self, node):
        if decimal := re.fullmatch(r"([\d_]+)(\.[\d_]+)?", node.text):
            value = int(decimal[1].replace("_", ""))
            for other in [value - 1, value + 1] if value else [1]:
                self.replaced("changed number", node, f"{other}{decimal[2] or ''}")

    def emptied(self, node):
        """Empties a text that no person reads."""
        call = node
        while call and call.kind != "functionCallExpr":
            call = call.parent
        if re.fullmatch(r'#*"[^\s"]\S*', node.text) and not (call and called_by(call) in MESSAGES):
            self.replaced("emptied string", node, '""')

    def swapped(self, call):
        """Lets two neighbouring arguments of a call change places."""
        values = [argument.expression for argument in call.arguments.nodes if called_by(call) not in MESSAGES]
        for one, other in zip(values, values[1:]):
            texts, literals = {one.text, other.text}, LITERALS.keys() & {one.kind, other.kind}
            if len(texts) == 2 and len({LITERALS[kind] for kind in literals}) < 2 and not any(
                    # No value, an operator, of several lines, of another kind, or text for people.
                    re.search(r'^(_|[-+*/%<=>!&|^?~]+)$|^(&|".* )|[\n{]|\b(let|var|await|try)\b', text)
                    or literals and text.startswith((".", "[")) for text in texts):
                self.add("swapped arguments", one, "", wrap(one, f"(isMutated(§) ? ({other.text}) : "),
                         wrap(other, f"(isMutated(§) ? ({one.text}) : "), end=other.end)


def holds(condition):
    """Whether a condition of `#if` holds; that of `#else` is None."""
    if not condition:
        return True
    text = re.sub(r"\w+(\(\w+\))?", lambda word: str(word[0] in ACTIVE), condition.text)
    return eval(text.replace("&&", "and").replace("||", "or").replace("!", "not "))


def operator_of(node):
    return node.operator.text if node.kind == "infixOperatorExpr" else ""


def called_by(node):
    """The name of the function that a call calls."""
    function = node.calledExpression if node.kind == "functionCallExpr" else None
    return (function.declName or function).text if function else ""


def without_effects(node):
    return without_effects(node.expression) if node.kind in EFFECTS else node


def waits(node):
    inner = node.expression if node.kind in EFFECTS else node.rightOperand
    return node.kind == "awaitExpr" or bool(inner) and waits(inner)


def described(function):
    """The name of a function or property, its statements if it has some and its result is known, and the result."""
    if function.kind == "functionDecl":
        returns = function.signature.returnClause
        return function.name.text, function.body and function.body.statements, returns.type.text if returns else ""
    if function.kind != "variableDecl":
        return function.kind.removesuffix("ializerDecl").removesuffix("Decl"), None, ""
    binding = function.bindings.nodes[0]
    accessors = binding.accessorBlock and binding.typeAnnotation and binding.accessorBlock.accessors
    if not accessors or accessors.kind != "codeBlockItemList":
        return binding.pattern.text, None, ""
    return binding.pattern.text, accessors, binding.typeAnnotation.type.text


def value_taker(item):
    """The function, closure or accessor whose value is its only statement."""
    block = item.parent.parent
    owner = block.parent if block.kind == "codeBlock" else block
    is_getter = owner.kind == "accessorDecl" and owner.accessorSpecifier.text == "get"
    has_result = owner.kind == "functionDecl" and described(owner)[2] not in ("", "Void")
    takes = is_getter or has_result or owner.kind in ("closureExpr", "accessorBlock")
    return owner if takes and len(item.parent.nodes) == 1 else None
