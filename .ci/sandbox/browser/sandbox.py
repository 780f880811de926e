"""A sandbox process, and what developers, applications and viewers ask it."""
import concurrent.futures, contextlib, json, os, random, subprocess

import requests

TVE = os.environ["TVE_BINARY"]
begin = concurrent.futures.ThreadPoolExecutor().submit


class Sandbox(requests.Session):
    """A sandbox that can end and begin again at the same address; its requests may use the API of the console."""

    def __init__(self, folder, options):
        super().__init__()
        self.folder, self.options = folder, options
        first = 11_000 + 3_000 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
        for port in random.sample(range(first, first + 3_000), 9):
            # In a restart no other worker, Swift test or connection gets one of these. Browsers refuse 10080.
            self.base = f"http://127.0.0.1:{port}"
            with contextlib.suppress(json.JSONDecodeError):  # Another program has the port.
                return self.start()
        raise OSError("no sandbox has started")

    def start(self):
        command = [TVE, "sandbox", "--port", self.base.rsplit(":", 1)[1], "--json", *self.options]
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, text=True)
        started = json.loads(self.process.stdout.readline())
        self.base, self.token = started["baseURL"], started["changeToken"]
        # Somebody has to read the other lines while the sandbox writes them.
        self.lines = begin(self.process.stdout.readlines)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=600)
        for line in self.lines.result():
            assert json.loads(line) and not any(text in line for text in ("signatureInfo", "Bearer", "secret")), line

    def request(self, method, path, **options):
        headers = {"X-Sandbox-Token": self.token, **(options.pop("headers", None) or {})}
        return super().request(method, self.base + path, headers=headers, timeout=600, **options)

    def read(self, path):
        return self.get(path).json()

    def change(self, path, method="POST", **body):
        self.request(method, path, json=body).raise_for_status()

    def register(self):
        """Registers an application; returns the header of its requests."""
        statement = {"software_statement": self.read("/sandbox/info")["softwareStatement"]}
        client = self.post("/o/client/register", json=statement).json()
        token = self.post("/o/client/token", data={**client, "grant_type": "client_credentials"}).json()
        return {"Authorization": f"Bearer {token['access_token']}"}

    def flood(self, path, *options):
        """Sends as many requests as the range in the path says, fifty at once."""
        curl = ["curl", "-sS", "-Z", "--no-progress-meter", "--parallel-max", "50", "-o", "/dev/null", *options]
        subprocess.run([*curl, self.base + path], timeout=240, check=True)

    def tve(self, *arguments, succeeds=True, dialect="classic"):
        """Runs the tool, which is another device in each dialect; returns what it prints."""
        command = [TVE, *arguments, "--service", self.base, "--directory", f"{self.folder}/{dialect}"]
        environment = {**os.environ, "TVE_DIALECT": dialect, "TVE_TIMEOUT": "600"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)
        assert (done.returncode == 0) is succeeds, done
        return done.stdout + done.stderr

    def login(self, dialect="classic"):
        self.tve("login", "--provider", "demo-cable", "--headless", "viewer", "--password", "secret", dialect=dialect)
