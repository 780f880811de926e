"""Swift sources as trees, and what a run keeps for the next one."""
import hashlib, json, os, subprocess, sys, threading
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
SERVICE = "Modules/VerificationService"  # a package of its own
SCRATCH = (ROOT / os.environ.get("SCRATCH_PATH", ".build-mutations")).resolve()
SCRATCH.mkdir(parents=True, exist_ok=True)
LOCK = threading.Lock()
# Some trees are deep.
sys.setrecursionlimit(10_000)


class Node:
    """A node of a tree. Its nodes are attributes by their roles, as in `node.condition`, or None."""

    def __init__(self, source, parent, role, kind, start, end, nodes):
        self.source, self.parent, self.role, self.kind, self.start, self.end = source, parent, role, kind, start, end
        self.nodes = [Node(source, self, *node) for node in nodes]

    def __getattr__(self, role):
        return next((node for node in self.nodes if node.role == role), None)

    @property
    def text(self):
        return self.source[self.start:self.end].decode()


def trees(texts):
    """The trees of some sources, from the program of syntax.swift, which is compiled in a few seconds if it is new."""
    target = subprocess.run(["swiftc", "-print-target-info"], check=True, stdout=subprocess.PIPE).stdout
    libraries = json.loads(target)["paths"]["runtimeResourcePath"] + "/host"
    source = FOLDER / "syntax.swift"
    program = SCRATCH / f"syntax-{digest(libraries, source.read_text())}"
    if not program.exists():
        subprocess.run([
            "swiftc", "-O", "-swift-version", "6", source, "-o", program, "-I", libraries, "-L", libraries, "-Xlinker",
            "-rpath", "-Xlinker", libraries, "-lSwiftParser", "-lSwiftSyntax", "-lSwiftOperators"], check=True)
    result = subprocess.run([program], input=json.dumps(texts).encode(), check=True, stdout=subprocess.PIPE)
    return [Node(text.encode(), None, *tree) for text, tree in zip(texts, json.loads(result.stdout))]


def digest(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:16]


class Notes(dict):
    """What is known, in a file that is written with each fact, so that a stopped run goes on."""

    def __init__(self, name):
        self.path = SCRATCH / f"{name}.json"
        super().__init__(json.loads(self.path.read_text()) if self.path.exists() else {})

    def __setitem__(self, key, fact):
        with LOCK:
            super().__setitem__(key, fact)
            new = self.path.with_suffix(".new")
            new.write_text(json.dumps(self))
            new.replace(self.path)
