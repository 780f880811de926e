"""Small samples of Swift, and what the operators make of them."""
import re

from copied_package import rendered
from operators import Source
from syntax import trees

# Each statement of a function, and its changes as "operator: code → effect".
SAMPLES = {
    "if a, b == 1 { f() }": [
        "negated condition: a", "removed condition: a → true", "negated condition: b == 1",
        "removed condition: b == 1 → true", "changed number: 1 → 0", "changed number: 1 → 2", "removed statement: f()"],
    "guard let a = b, !c else { return }": [
        "guard fails: let a = b → false", "negated condition: !c", "removed condition: !c → true"],
    "return a && b || c": [
        "negated condition: a", "removed condition: a → true", "negated condition: b", "removed condition: b → true",
        "negated condition: c", "removed condition: c → false"],
    "x = a < b ? true : false": [
        "removed statement: x = a < b ? true : false", "negated condition: a < b", "changed bound: a < b → <=",
        "changed constant: true → false", "changed constant: false → true"],
    "task.cancel()": ["removed cancel: task.cancel()"],
    "await pause(for: 2)": ["removed wait: await pause(for: 2)", "changed number: 2 → 1", "changed number: 2 → 3"],
    "send(from: a, to: b)": ["removed statement: send(from: a, to: b)", "swapped arguments: a, to: b"],
    'let s = "key \\(f("}")) of"': [],
    'let s = #"a"b\\(1)"#': ['emptied string: #"a"b\\(1)"# → ""'],
    'precondition(x, "y")': [],
    "#if os(macOS) || !DEBUG\nf()\n#else\ng()\n#endif": ["removed statement: g()"],
    "for x in y where x.z { }": ["negated condition: x.z"],
    "items.forEach { f($0) }": ["removed statement: items.forEach { f($0) }"],
    "do { try f() } catch E.a where x == y { g() }": [
        "removed statement: try f()", "negated condition: x == y", "removed statement: g()"],
    "func f() -> Bool { a }": ["returned early: func f() -> Bool → return false",
                               "returned early: func f() -> Bool → return true"],
    "func f() -> Int? { a }": ["returned early: func f() -> Int? → return nil"],
    "func f() { a() }": ["returned early: func f() → return", "removed statement: a()"],
    '@available(macOS, introduced: 14, message: "no") func f() -> Int { a() }': [],
}
# What the copy has in place of a statement.
COPIES = {
    "if a < b { f() }": "if negated(§, less(§, a /*<*/, b)) { if !isMutated(§) { f() } }",
    "guard let c = b else { return }": "guard !isMutated(§), let c = b else { return }",
    "return try await a.b() || c": "return try await negated(§, (isMutated(§) ? false : a.b())) || "
                                   "negated(§, (isMutated(§) ? false : c))",
    "var d: Bool { true }": "var d: Bool { if isMutated(§) { false } else { negated(§, true) } }",
}


def failures():
    """A sentence about each sample that is not as expected."""
    sentences, copies, whole = [], [], "func sample() -> Int {{\n{}\nreturn k }}".format
    samples = SAMPLES | {sample: [whole(expected)] for sample, expected in COPIES.items()}
    for (sample, expected), tree in zip(samples.items(), trees(list(map(whole, samples)))):
        changes = Source("sample", tree).changes
        for number, change in enumerate(changes, 1):
            change.number = number
        copies.append(rendered(tree.source, changes).decode())
        found = [str(change).split(": ", 2)[2] for change in changes]
        if sample in COPIES:
            found = [re.sub(r"\(\d+(?=[,)])", "(§", copies[-1])]
        if sorted(found) != sorted(expected):
            sentences.append(f"{sample}\n  makes    {found}\n  expected {expected}")
        if copies[-1].count("\n") != whole(sample).count("\n"):
            sentences.append(f"{sample}\n  has other lines than its copy: {copies[-1]}")
    trees(copies)  # ends this program if a copy is not Swift
    return sentences
