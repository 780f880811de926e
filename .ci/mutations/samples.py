"""Small samples of Swift, and what each operator makes of them."""
import re

import operators
import swift_source

# Source → each change as "operator: code → effect". The samples are bodies of one function unless they declare one.
SAMPLES = {
    'if a, b == 1 { f() }': [
        "if: negated condition: a", "removed condition: a → true", "negated condition: b == 1",
        "removed condition: b == 1 → true", "changed number: 1 → 0", "changed number: 1 → 2", "removed statement: f()"],
    'guard let a = b, !c else { return }': [
        "guard fails: let a = b → false", "negated condition: !c", "removed condition: !c → true"],
    'let x = a && b || c': None,
    'x = a < b ? true : false': [
        "removed statement: x = a < b ? true : false", "negated condition: a < b", "changed bound: a < b → <=",
        "changed constant: true → false", "changed constant: false → true"],
    'task.cancel()': ["removed cancel: task.cancel()"],
    'await pause(for: 2)': [
        "removed wait: await pause(for: 2)", "changed number: 2 → 1", "changed number: 2 → 3"],
    'send(from: a, to: b)': ["removed statement: send(from: a, to: b)", "swapped arguments: a, to: b"],
    'let s = "key \\(f("}")) of"': [],
    'let s = #"a"b\\(1)"#': ['emptied string: #"a"b\\(1)"# → ""'],
    '// f()\n/* g() /* h() */ */': [],
    'precondition(x, "y")': [],
    'let t: Set<Array<Int>?> = u.0': [],
    '#if os(macOS)\nf()\n#else\ng()\n#endif': ["removed statement: g()"],
    'return a == nil': ["negated condition: a == nil"],
    'switch a { case .b where c > 0: f()\ndefault: break }': None,
    'for x in y where x.z { g(x) }': ["negated condition: x.z", "removed statement: g(x)"],
    'a.b = c\n    .map { $0 }\n    ?? d': ["removed statement: a.b = c .map { $0 } ?? d"],
    'func f() -> Bool { a }': [
        "returned early: func f() -> Bool → return false", "returned early: func f() -> Bool → return true"],
    'func f() -> Int? { a }': ["returned early: func f() -> Int? → return nil"],
    'func f() { a() }': ["returned early: func f() → return", "removed statement: a()"],
    '@available(macOS, introduced: 14, message: "no") func f() -> Int { a() }': [],
    'items.filter { $0 == a || $0.isB() }.each()': [
        "removed statement: items.filter { $0 == a || $0.isB() }.each()", "negated condition: $0 == a",
        "removed condition: $0 == a → false", "negated condition: $0.isB()", "removed condition: $0.isB() → false"],
    'func f() -> C { switch a { case .b: g()\ncase .c: h()\nreturn i } }': ["removed statement: h()"],
    'let x = if a { b() } else { c() }': None,
    'do { try f() } catch E.a where x == y { g() }': [
        "removed statement: try f()", "negated condition: x == y", "removed statement: g()"],
    'import A\nenum E: String { case a = "b"; case c }': [],
}
# What the copy has in place of a statement.
COPIES = {
    'if a < b { f() }': 'if negated(§, less(§, a , b)) { if !isMutated(§) { f() } }',
    'guard let a = b else { return }': 'guard !isMutated(§), let a = b else { return }',
    'return try await a.b() && c': 'return try await negated(§, replaced(§, true, a.b())) && negated(§, replaced(§, true, c))',
}


def check():
    failures = 0

    def expect(sample, found, expected):
        nonlocal failures
        if found != expected:
            failures += 1
            print(f"{sample!r}\n  makes    {found}\n  expected {expected}")

    for sample, expected in SAMPLES.items():
        whole = sample if "func " in sample or "import" in sample else f"func sample() -> Int {{\n{sample}\nreturn k }}"
        source = swift_source.read(whole)
        found = operators.changes("sample", source)
        names = [f"{c.operator}: {c.code}" + (f" → {c.effect}" if c.effect else "") for c in found]
        if expected is not None:
            expect(sample, sorted(names), sorted(n.removeprefix("if: ") for n in expected))
        for number, change in enumerate(found, 1):
            change.number = number
        text, places = operators.rendered(whole, found)
        swift_source.read(text)
        expect(sample, text.count("\n"), whole.count("\n"))
        expect(sample, {n for _, _, n in places}, {c.number for c in found})
    for sample, expected in COPIES.items():
        whole = f"func sample() -> Int {{ {sample}; return k }}"
        found = operators.changes("sample", swift_source.read(whole))
        for number, change in enumerate(found, 1):
            change.number = number
        text, _ = operators.rendered(whole, found)
        expect(sample, re.sub(r"\(\d+(?=[,)])", "(§", text), whole.replace(sample, expected))
    print(f"{len(SAMPLES) + len(COPIES)} samples, {failures} failures")
    return 1 if failures else 0
