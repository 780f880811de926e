"""A sandbox process, and what applications, viewers and the API of its console ask it."""
import concurrent.futures, json, os, subprocess

import requests

TVE = os.environ["TVE_BINARY"]
begin = concurrent.futures.ThreadPoolExecutor().submit


class Sandbox:
    """A sandbox that can end and begin again at the same address."""

    def __init__(self, folder, options):
        self.folder, self.options, self.base = folder, options, "http://127.0.0.1:0"
        self.start()

    def start(self):
        port = self.base.rsplit(":", 1)[1]
        self.process = subprocess.Popen(
            [TVE, "sandbox", "--port", port, "--json", *self.options], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        started = json.loads(self.process.stdout.readline())
        self.base, self.token = started["baseURL"], started["changeToken"]
        # Somebody has to read the other lines while the sandbox writes them.
        self.lines = begin(self.process.stdout.readlines)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        for line in self.lines.result():
            json.loads(line)
            assert not any(secret in line for secret in ("signatureInfo", "Bearer", "secret")), line

    def ask(self, path, method="GET", **options):
        """Uses the API of the console, as a page of the console does."""
        headers = {"X-Sandbox-Token": self.token}
        answer = requests.request(method, self.base + path, headers=headers, timeout=60, **options)
        answer.raise_for_status()
        return answer

    def read(self, path):
        return self.ask(path).json()

    def change(self, path, method="POST", **body):
        self.ask(path, method, json=body)

    def request(self, path):
        """Sends a request of an application; returns status and body of its answer."""
        answer = requests.get(self.base + path, timeout=60)
        return answer.status_code, answer.text

    def register(self):
        """Registers an application; returns the header of its requests."""
        statement = self.read("/sandbox/info")["softwareStatement"]
        client = self.ask("/o/client/register", "POST", json={"software_statement": statement}).json()
        form = {name: client[name] for name in ("client_id", "client_secret")}
        token = self.ask("/o/client/token", "POST", data={"grant_type": "client_credentials", **form}).json()
        return {"Authorization": f"Bearer {token['access_token']}"}

    def flood(self, path, *options):
        """Sends as many requests at once as the range in the path says."""
        subprocess.run(
            ["curl", "-sS", "-Z", "--no-progress-meter", "--parallel-max", "50", "-o", "/dev/null", *options,
             self.base + path], timeout=240, check=True)

    def tve(self, *arguments, ends=0, dialect="classic"):
        """Runs the tool as a device of its own for each dialect; returns what it prints."""
        done = subprocess.run(
            [TVE, *arguments, "--service", self.base, "--directory", f"{self.folder}/{dialect}"], capture_output=True,
            text=True, timeout=60, env={**os.environ, "TVE_DIALECT": dialect})
        assert done.returncode == ends, done
        return done.stdout + done.stderr

    def login(self, dialect="classic"):
        self.tve("login", "--provider", "demo-cable", "--headless", "viewer", "--password", "secret", dialect=dialect)
