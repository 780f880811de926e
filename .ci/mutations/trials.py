"""Runs tests with a change switched on, only those that come by it, until one fails."""
import json, os, re, signal, subprocess, threading, time
from concurrent.futures import ThreadPoolExecutor

from copied_package import ROOT, SCRATCH, SIZE, digest

# A change that makes tests wait is noticed: so many seconds after the sum of their usual times. They were measured one
# by one, each with the start of a process, so that together they take much less than that sum.
LIMIT = 10
FAILED = re.compile(r"✘.* recorded an issue")  # the sign may have a colour
SEEDS = 300
# Seconds from which a test is slow.
SLOW = 1.5
RUNNING = set()


class Tests:
    """The tests of one target: which changes each comes by, and how long each takes."""

    def __init__(self, package, target, state, without):
        self.package, self.target, self.without = package, target, without
        self.program = [str(package.tests), "--testing-library", "swift-testing"]
        folder = ROOT / "Tests" / target
        sources = [p for p in sorted(folder.rglob("*.swift")) if not self.excluded(p.name)]
        self.hash = digest(*(p.read_text() for p in sources), *without)
        self.notes = SCRATCH / f"reached-{digest(target, state, self.hash)}.json"
        self.known = json.loads(self.notes.read_text()) if self.notes.exists() else {}

    def excluded(self, name):
        return any(re.search(pattern, name) for pattern in self.without)

    def command(self, tests):
        names = "|".join(re.escape(test) for test in tests)
        command = [*self.program, "--filter", f"^{self.target}\\.({names})(/|$)"]
        for pattern in self.without:
            # A test's id ends with the file and line that declare it.
            command += ["--skip", f"/[^/]*({pattern})[^/]*:\\d+:\\d+$"]
        return command

    def learn(self, jobs):
        """Runs each test alone and without a change. Returns the tests that fail as they are."""
        listed = subprocess.run([*self.program, "--list-tests"], capture_output=True, text=True).stdout
        tests = sorted({m[1] for m in re.finditer(rf"^{self.target}\.(.+)$", listed, re.M)} - set(self.known))
        failing, lock = [], threading.Lock()

        def one(test, again=True):
            file = SCRATCH / f"reached-{os.getpid()}-{digest(test)}"
            file.write_bytes(bytes(SIZE))
            passes, seconds, _ = run(self.command([test]), 600, {"TVE_MUTATIONS_REACHED": str(file)})
            reached = [i for i, byte in enumerate(file.read_bytes()) if byte]
            file.unlink()
            if not passes:
                return one(test, False) if again else failing.append(test)
            with lock:
                self.known[test] = {"seconds": seconds, "reached": reached}
                self.notes.write_text(json.dumps(self.known))

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, tests))
        return failing

    def notice(self, change):
        """How the tests notice a change: failed, late, or an empty text."""
        reaching = [(known["seconds"], test) for test, known in self.known.items() if change.number in known["reached"]]
        # The slow ones only if all others pass.
        for chosen in ([r for r in reaching if r[0] < SLOW], [r for r in reaching if r[0] >= SLOW]):
            if chosen:
                limit = LIMIT + sum(seconds for seconds, _ in chosen)
                command = self.command([test for _, test in chosen])
                passes, _, late = run(command, limit, {"TVE_MUTATION": str(change.number)})
                if not passes:
                    return "late" if late else "failed"
        return ""


def run(command, limit, variables):
    """Whether a program succeeds, in how many seconds, and whether its time was over. Ends it at the first failure."""
    began = time.monotonic()
    process = subprocess.Popen(
        command, env=dict(os.environ, **variables), cwd=ROOT, text=True, errors="replace", stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True)
    RUNNING.add(process.pid)
    late = threading.Event()

    def end(because=None):
        if because:
            because.set()
        end_group(process.pid)

    timer = threading.Timer(limit, end, [late])
    timer.start()
    failed = False
    for line in process.stdout:
        if FAILED.search(line):
            failed = True
            break
    if failed:
        end()
    process.stdout.close()
    code = process.wait()
    timer.cancel()
    end()
    RUNNING.discard(process.pid)
    return not failed and code == 0 and not late.is_set(), time.monotonic() - began, late.is_set()


def end_group(id):
    try:
        os.killpg(id, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end_all(*_):
    """Ends this program and what it runs, which is in groups of processes of its own."""
    for id in list(RUNNING):
        end_group(id)
    os._exit(130)


def walk(package, change):
    """Whether a random walk notices a change."""
    for dialect in ("classic", "restV2"):
        for kind in ([], ["--session"]):
            command = [str(package.products / "TVERandomWalk"), dialect, "1", str(SEEDS), *kind]
            passes, _, late = run(command, 600, {"TVE_MUTATION": str(change.number)})
            if not passes:
                return "late" if late else "failed"
    return ""


class Results:
    """What is known of changes, each as soon as it is known, so that a stopped run goes on."""

    def __init__(self):
        self.path = SCRATCH / "results.jsonl"
        self.known, self.lock = {}, threading.Lock()
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue  # a line that a kill has cut
                self.known[entry["key"]] = entry["result"]
        self.file = self.path.open("a")

    def get(self, key):
        return self.known.get(key)

    def put(self, key, result):
        with self.lock:
            self.known[key] = result
            self.file.write(json.dumps({"key": key, "result": result}) + "\n")
            self.file.flush()
