"""A copy of the package with all changes behind one switch, and its build; what does not compile is left out."""
import functools, json, os, re, shutil, subprocess, sys

from syntax import ROOT, SCRATCH, SERVICE, Notes, digest

TREE = SCRATCH / "tree"
# The packages by their folders.
PACKAGES = {"": "swift-access-enabler", SERVICE: "tve-verifier"}
# So often the compiler is asked what is wrong. At first each message costs one change, from the third round on all
# around it, and from the sixth on those near to it, in each round some lines more.
ROUNDS = 12
NUMBER = re.compile(rb"\b(?:isMutated|negated|less|lessOrEqual|greater|greaterOrEqual)\((\d+)\b")
SIZE = 65536  # the most changes at once
# `TVE_MUTATION=N` turns on the change N. `TVE_MUTATIONS_REACHED` names a file in which the byte N tells that a process
# came by the change N: only tests that come by can notice it.
SWITCH = """import Foundation

private let activeMutation = ProcessInfo.processInfo.environment["TVE_MUTATION"].flatMap { Int($0) } ?? 0

private nonisolated(unsafe) let reachedMutations: UnsafeMutablePointer<UInt8>? = {
    guard let path = ProcessInfo.processInfo.environment["TVE_MUTATIONS_REACHED"] else { return nil }
    let file = open(path, O_RDWR)
    guard file >= 0, let map = mmap(nil, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), map != MAP_FAILED
    else { return nil }
    return map.assumingMemoryBound(to: UInt8.self)
}()

// Changed code may be inlinable.
@usableFromInline func isMutated(_ number: Int) -> Bool {
    if let reachedMutations { reachedMutations[number] = 1 }
    return activeMutation == number
}
@usableFromInline func negated(_ number: Int, _ value: Bool) -> Bool { isMutated(number) != value }
""".replace("SIZE", str(SIZE)) + "".join(
    f"@usableFromInline func {name}<T: Comparable>(_ number: Int, _ left: T, _ right: T) -> Bool {{\n"
    f"    isMutated(number) ? left {other} right : left {symbol} right\n}}\n"
    for name, symbol, other in [
        ("less", "<", "<="), ("lessOrEqual", "<=", "<"), ("greater", ">", ">="), ("greaterOrEqual", ">=", ">")])


def rendered(text, changes):
    """The text with all changes, which has as many lines as before."""
    pieces = []
    for change in changes:
        # A bound is inside all others of its place, because its operator becomes a comma.
        number, is_bound = change.number, change.operator == "changed bound"
        for start, end, *texts in change.edits:
            before, after = (text.replace("§", str(number)).encode() for text in texts)
            # At one place all that ends there comes first, then what is between two bytes; the longest is outside.
            pieces.append((start, 1, end > start, -end, is_bound, number, before))
            pieces.append((end, end == start, 0, -start, -is_bound, -number, after))
    output, position = bytearray(), 0
    for place, *_, piece in sorted(pieces):
        output += text[position:place] + piece
        position = place
    return bytes(output + text[position:])


def write(changes):
    """Writes what differs, and returns the texts of the copy."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\0")
    resolved = "Package.resolved", f"{SERVICE}/Package.resolved"
    files = {name: ROOT / name for name in [*listed, *resolved] if (ROOT / name).is_file()}
    texts = {name: path.read_bytes() for name, path in files.items()}
    for file, folder in {(change.file, change.folder) for change in changes}:
        texts[file] = rendered(texts[file], [change for change in changes if change.file == file])
        texts[f"{folder}/IsMutated.swift"] = SWITCH.encode()
    for name, text in texts.items():
        copy = TREE / name
        if not copy.exists() or copy.read_bytes() != text:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(text)
            if name in files:
                shutil.copymode(files[name], copy)
    for copy in TREE.rglob("*"):
        if copy.is_file() and str(copy.relative_to(TREE)) not in texts:
            copy.unlink()
    # The service's tests use the traits of the client's package.
    traits = f"{SERVICE}/Tests/TVETestTraits"
    if not (TREE / traits).is_symlink():
        (TREE / traits).symlink_to((ROOT / traits).readlink())
    return texts


def build(package, changes, targets):
    """Builds what the targets need; returns the changes that compile, and a digest of the copy."""
    uncompiled, built = Notes("uncompiled"), Notes("built")
    only = ",".join(sorted(targets))
    environment = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"} | ({} if package == SERVICE else {"TVE_ONLY": only})
    for round in range(ROUNDS):
        changes = [change for change in changes if change.fingerprint not in uncompiled]
        if len(changes) >= SIZE:
            sys.exit(f"error: {len(changes)} changes at once are too many; name fewer files")
        texts = write(changes)
        parts = [part for name, text in sorted(texts.items()) for part in (name, text)
                 if name.startswith(("Modules/", "Tests/", "Package."))]
        state = digest(package, only, *parts)
        if built.get(package) == state:
            return changes, state
        built[package] = ""
        result = subprocess.run(
            ["swift", "build", "--build-tests", "--package-path", TREE / package, "--scratch-path", SCRATCH],
            env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode == 0:
            built[package] = state
            return changes, state
        (SCRATCH / "messages").write_text(result.stdout)
        dropped = suspects(result.stdout, texts, changes, round)
        if not dropped:
            sys.exit(f"error: the copy does not compile:\n{result.stdout[-6000:]}")
        print(f"{len(dropped)} changes do not compile; building again", flush=True)
        for change in dropped:
            uncompiled[change.fingerprint] = True
    sys.exit(f"error: after {ROUNDS} rounds the copy still does not compile")


def suspects(output, texts, changes, round):
    """The changes that the compiler's messages are about."""
    by_number, dropped = {change.number: change for change in changes}, set()
    for path, line, column in set(re.findall(r"^(/[^\n:]+):(\d+):(\d+): error: ", output, re.M)):
        file, line = os.path.relpath(path, TREE), int(line)
        nearby = [change for change in changes if change.file == file]
        if not nearby:
            continue
        rows = {row: list(NUMBER.finditer(text)) for row, text in enumerate(texts[file].split(b"\n"), 1)}
        # A message about a whole function or closure is about what is next to it.
        nearest = min(filter(rows.get, rows), key=lambda row: abs(row - line))
        here = [(match.start(), by_number[int(match[1])]) for match in rows[nearest]]
        if round < 2:
            here = [min(here, key=lambda place: abs(place[0] - int(column)))]
        dropped.update(change for _, change in here)
        if round >= 5:
            dropped.update(change for change in nearby if abs(change.line - line) < 8 * (round - 4)
                           and change.function == here[0][1].function)
    return dropped


def users(package, modules):
    """The test targets that use each module, its own first."""
    command = ["swift", "package", "dump-package", "--package-path", ROOT / package]
    targets = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["targets"]
    needs = {target["name"]: [next(iter(need.values()))[0] for need in target["dependencies"]] for target in targets}
    tests = [target["name"] for target in targets if target["type"] == "test" and target["name"] != "ArchitectureTests"]

    @functools.cache
    def reached(name):
        return {name}.union(*map(reached, needs.get(name, ())))

    return {module: sorted((test for test in tests if module in reached(test)),
                           key=lambda test: (test != f"{module}Tests", len(needs[test]))) for module in modules}
