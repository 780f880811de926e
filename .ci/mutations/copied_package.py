"""A copy of the package with all changes behind one switch, and its build; what does not compile is left out."""
import hashlib, json, os, re, shutil, subprocess
from pathlib import Path

import operators

ROOT = Path(__file__).resolve().parent.parent.parent
SCRATCH = (ROOT / os.environ.get("SCRATCH_PATH", ".build-mutations")).resolve()
TREE = SCRATCH / "tree"
# So often the compiler is asked what is wrong. At first each message costs one change, from the third round on all
# around it, and from the sixth on all that are near to it.
ROUNDS = 12

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
@usableFromInline func replaced(_ number: Int, _ other: Bool, _ value: Bool) -> Bool {
    isMutated(number) ? other : value
}
""" + "".join(
    f"@usableFromInline func {name}<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> Bool {{\n"
    f"    isMutated(number) ? a {other} b : a {operator} b\n}}\n" for operator, (other, name) in operators.BOUNDS.items())
# Bytes of the file that TVE_MUTATIONS_REACHED names.
SIZE = 65536
SWITCH = SWITCH.replace("SIZE", str(SIZE))


class BuildFailed(Exception):
    pass


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


class Package:
    def __init__(self):
        self.notes = SCRATCH / "uncompiled.json"
        SCRATCH.mkdir(exist_ok=True)
        self.uncompiled = set(json.loads(self.notes.read_text())) if self.notes.exists() else set()
        self.products = SCRATCH / "debug"

    @property
    def tests(self):
        return self.products / "swift-access-enablerPackageTests.xctest"

    def swift(self, *arguments, targets=None):
        environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
        if targets:
            environment["TVE_ONLY"] = ",".join(targets)
        command = ["swift", *arguments, "--package-path", str(TREE), "--scratch-path", str(SCRATCH)]
        return subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def write(self, changes):
        """Writes what differs, and returns where each change is in the files that have one."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
            capture_output=True).stdout.decode().split("\0")
        wanted = {name for name in [*listed, "Package.resolved"] if name and (ROOT / name).is_file()}
        by_file, places = {}, {}
        for change in changes:
            by_file.setdefault(change.file, []).append(change)
        texts = {}
        for file, here in by_file.items():
            texts[file], places[file] = operators.rendered((ROOT / file).read_text(), here)
        for module in {"/".join(file.split("/")[:2]) for file in by_file}:
            texts[f"{module}/IsMutated.swift"] = SWITCH
        for name in wanted | set(texts):
            content = texts[name].encode() if name in texts else (ROOT / name).read_bytes()
            copy = TREE / name
            if not copy.exists() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
                if name not in texts:
                    shutil.copymode(ROOT / name, copy)
        for copy in TREE.rglob("*"):
            name = str(copy.relative_to(TREE))
            if copy.is_file() and name not in wanted and name not in texts:
                copy.unlink()
        return texts, places

    def build(self, changes, targets, products=()):
        """Builds what the targets need, without what does not compile; returns the changes that are in it."""
        left = [c for c in changes if c.fingerprint not in self.uncompiled]
        if len(left) >= SIZE:
            raise BuildFailed(f"{len(left)} changes at once are too many; name fewer files")
        for round in range(ROUNDS):
            texts, places = self.write(left)
            done = SCRATCH / "built"
            state = digest(
                *(name + texts[name] for name in sorted(texts)), ",".join(sorted(targets)), tree_state())
            if done.exists() and done.read_text() == state:
                return left, state
            done.unlink(missing_ok=True)
            result = self.swift("build", "--build-tests", targets=targets)
            if result.returncode == 0:
                done.write_text(state)
                return left, state
            (SCRATCH / "messages").write_text(result.stdout)
            dropped = self.suspects(result.stdout, texts, places, left, round)
            if not dropped:
                raise BuildFailed(result.stdout[-6000:])
            print(f"{len(dropped)} changes do not compile; building again", flush=True)
            self.uncompiled |= {c.fingerprint for c in left if c.number in dropped}
            self.notes.write_text(json.dumps(sorted(self.uncompiled)))
            left = [c for c in left if c.number not in dropped]
        raise BuildFailed(f"after {ROUNDS} rounds the copy still does not compile")

    def suspects(self, output, texts, places, changes, round):
        """The changes that the compiler's messages are about."""
        by_number, dropped = {c.number: c for c in changes}, set()
        doubt = ["swapped arguments", "emptied string", "changed number", "changed bound"]
        for message in sorted(set(re.findall(r"^(/[^\n:]+):(\d+):(\d+): error: (.*)", output, re.M))):
            file = str(Path(message[0]).relative_to(TREE)) if message[0].startswith(str(TREE)) else ""
            if file not in places:
                continue
            lines = texts[file].encode().split(b"\n")
            line, column = int(message[1]), int(message[2])
            # The compiler counts bytes.
            begin = len(b"\n".join(lines[:line - 1]).decode()) + (line > 1)
            at = begin + len(lines[line - 1][:column - 1].decode(errors="ignore"))
            around = [(end - start, n) for start, end, n in places[file] if start <= at <= end]
            end_of_line = begin + len(lines[line - 1].decode())
            here = around or [(end - start, n) for start, end, n in places[file] if start <= end_of_line and end >= begin]
            if not here:
                # A message about a whole function or closure: of what is next to it.
                nearest = [(max(start - at, at - end), n) for start, end, n in places[file]]
                here = [min(nearest)] if nearest else []
            if here and "initializ" in message[3]:
                # At the end of an initializer: of any assignment in it.
                name = by_number[here[0][1]].function
                dropped |= {c.number for c in changes if c.file == file and c.function == name and (
                    c.operator.startswith(("removed", "if fails")) and line - 40 < c.line <= line)}
            if "reasonable time" in message[3]:
                # Of all values in an expression that begins here: each makes it harder.
                dropped |= {c.number for c in changes if c.file == file and line <= c.line < line + 12
                            and not c.operator.startswith("removed statement")}
            if round >= 5:
                function = {by_number[n].function for _, n in here}
                dropped |= {
                    c.number for c in changes if c.file == file and c.function in function and abs(c.line - line) < 8}
            if round >= 2:
                dropped |= {n for _, n in here}
            elif here:
                dropped.add(min(here, key=lambda h: (
                    doubt.index(by_number[h[1]].operator) if by_number[h[1]].operator in doubt else len(doubt), h[0]))[1])
        return dropped


def tree_state():
    """What else of the package a build depends on."""
    where = ["--", "Modules", "Tests", "Package.swift"]
    return "".join(
        subprocess.run(["git", *command, *where], cwd=ROOT, check=True, capture_output=True).stdout.decode(errors="replace")
        for command in (["ls-files", "-s"], ["diff", "HEAD"]))


def targets_of(package):
    """For each module the test targets that use it, its own first."""
    described = json.loads(subprocess.run(
        ["swift", "package", "dump-package", "--package-path", str(ROOT)], check=True, capture_output=True,
        text=True).stdout)
    needs = {t["name"]: {next(iter(d.values()))[0] for d in t["dependencies"]} for t in described["targets"]}
    tests = [t["name"] for t in described["targets"] if t["type"] == "test" and t["name"] != "ArchitectureTests"]

    def reaches(name, module, seen):
        if name == module:
            return True
        seen.add(name)
        return any(reaches(n, module, seen) for n in needs.get(name, ()) if n not in seen)

    def users(module):
        using = [t for t in tests if reaches(t, module, set())]
        return sorted(using, key=lambda t: (t != f"{module}Tests", len(needs[t])))

    return users
