"""Runs tests with a change switched on, only those that come by it, until one fails."""
import os, re, resource, signal, subprocess, threading, time
from concurrent.futures import ThreadPoolExecutor

from copied_package import PACKAGES, SIZE
from syntax import ROOT, SCRATCH, SERVICE, Notes, digest

WALK = SCRATCH / "debug/TVERandomWalk"
SEEDS = 300
# A change that makes tests wait is noticed: so many seconds after the sum of their usual times. They were measured one
# by one, each with the start of a process, so that together they take much less than that sum.
LIMIT = 10
# The most seconds of a test without a change, and of a walk.
LONGEST = 600
# The status of a run in which no test is left. The list of tests has those of the files that are left out, too.
NO_TEST = 69
FAILED = re.compile(r"✘.* recorded an issue")  # the sign may have a colour
RUNNING = set()
# Tests of the service open thousands of connections.
resource.setrlimit(resource.RLIMIT_NOFILE, 2 * resource.getrlimit(resource.RLIMIT_NOFILE)[1:])


def for_each(package, values, work):
    # Tests of the service start servers and have short time limits.
    with ThreadPoolExecutor(1 if package == SERVICE else 2) as pool:
        return list(pool.map(work, values))


def fails(command, limit, successes=(0,), **variables):
    """Whether a program fails or takes too long. Ends it at the first failure of a test."""
    process = subprocess.Popen(
        ["timeout", "--signal=KILL", str(limit), *command], env=os.environ | variables, cwd=ROOT, text=True,
        errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    RUNNING.add(process.pid)
    failed = any(FAILED.search(line) for line in process.stdout) or process.wait() not in successes
    end_session(process.pid)
    process.wait()
    RUNNING.discard(process.pid)
    return failed


def end_session(id):
    """Ends what a run of tests has started too, which is in groups of processes of its own."""
    subprocess.run(["pkill", "--signal", "KILL", "--session", str(id)])


def end_all(*_):
    """Ends this program and what it runs."""
    for id in list(RUNNING):
        end_session(id)
    os._exit(130)


class Tests:
    """The tests of one target: which changes each comes by, and how long each takes."""

    def __init__(self, package, target, state, without):
        self.target, self.without, self.lock, self.failing = target, without, threading.Lock(), None
        self.package, tests = package, f"debug/{PACKAGES[package]}PackageTests.xctest"
        self.program = [SCRATCH / tests, "--testing-library", "swift-testing"]
        sources = [path.read_text() for path in sorted((ROOT / package / "Tests" / target).rglob("*.swift"))
                   if not any(re.search(pattern, path.name) for pattern in without)]
        self.version = digest(target, *without, *sources)
        self.known = Notes(f"reached-{digest(state, self.version)}")

    def command(self, tests):
        names = "|".join(map(re.escape, tests))
        # A test's id ends with the file and line that declare it.
        skipped = [word for pattern in self.without for word in ("--skip", f"/[^/]*({pattern})[^/]*:\\d+:\\d+$")]
        return [*self.program, "--filter", f"^{self.target}\\.({names})(/|$)", *skipped]

    def learn(self):
        """Runs each new test alone and without a change. Those that fail twice are left out."""
        listed = subprocess.run([*self.program, "--list-tests"], stdout=subprocess.PIPE, text=True).stdout
        tests = set(re.findall(rf"^{self.target}\.(.+)$", listed, re.M))
        for _ in range(2):
            for_each(self.package, sorted(tests - self.known.keys()), self.learn_one)
        self.failing = [f"{self.target}.{test}" for test in tests - self.known.keys()]

    def learn_one(self, test):
        file = SCRATCH / f"reached-{os.getpid()}-{digest(test)}"
        file.write_bytes(bytes(SIZE))
        began = time.monotonic()
        successes = [0] + [NO_TEST] * bool(self.without)
        if not fails(self.command([test]), LONGEST, successes, TVE_MUTATIONS_REACHED=str(file)):
            reached = [number for number, byte in enumerate(file.read_bytes()) if byte]
            self.known[test] = {"seconds": time.monotonic() - began, "reached": reached}
        file.unlink()

    def notice(self, change):
        with self.lock:
            if self.failing is None:
                self.learn()
        reaching = {test: known["seconds"] for test, known in self.known.items() if change.number in known["reached"]}
        limit = LIMIT + sum(reaching.values())
        return bool(reaching) and fails(self.command(reaching), limit, TVE_MUTATION=str(change.number))


def walk(change):
    """Whether a random walk notices a change."""
    return any(fails([WALK, dialect, "1", str(SEEDS), *kind], LONGEST, TVE_MUTATION=str(change.number))
               for dialect in ("classic", "restV2") for kind in ([], ["--session"]))
