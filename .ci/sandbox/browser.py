"""What the checks of the console share: a sandbox and its applications, a browser, and what a developer does in a page."""
import json, os, re, subprocess, sys, tempfile, urllib.error, urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

tve = sys.argv[1]
problems = []


class Service:
    """A sandbox, with the tool and the applications that use it."""

    def __init__(self, base, token=""):
        self.base, self.token, self.store = base, token, tempfile.mkdtemp()

    def ask(self, path, method="GET", body=None, **headers):
        data = json.dumps(body).encode() if isinstance(body, dict) else body
        request = urllib.request.Request(
            self.base + path, method=method, data=data, headers={"X-Sandbox-Token": self.token, **headers})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    def read(self, *arguments, **headers):
        return json.loads(self.ask(*arguments, **headers))

    def request(self, path):
        """A request of an application: status and body of its answer."""
        try:
            answer = urllib.request.urlopen(self.base + path, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        return answer.status, answer.read().decode()

    def register(self):
        """Registers an application; returns the header of its requests."""
        statement = {"software_statement": self.read("/sandbox/info")["softwareStatement"]}
        client = self.read("/o/client/register", "POST", statement, **{"Content-Type": "application/json"})
        form = f"grant_type=client_credentials&client_id={client['client_id']}&client_secret={client['client_secret']}"
        return {"Authorization": f"Bearer {self.read('/o/client/token', 'POST', form.encode())['access_token']}"}

    def flood(self, path, count):
        subprocess.run(
            ["curl", "-sS", "-Z", "--no-progress-meter", "--parallel-max", "50", "-o", "/dev/null",
             f"{self.base}{path}/[1-{count}]"], timeout=240, check=True)

    def tool(self, *arguments, ends=0, dialect="classic"):
        """Runs tve; most steps are those of the classic dialect."""
        done = subprocess.run(
            [tve, *arguments, "--service", self.base, "--directory", f"{self.store}/{dialect}"], capture_output=True,
            text=True, timeout=60, env={**os.environ, "TVE_DIALECT": dialect})
        assert done.returncode == ends, (arguments, done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def login(self, *more, dialect="classic"):
        self.tool("login", "--provider", "demo-cable", "--headless", "viewer", "--password", "secret", *more, dialect=dialect)


def step(text):
    print("  " + text, flush=True)


def watch(page):
    page.on("pageerror", lambda error: problems.append(f"page: {error}"))
    return page


def window(browser, width=1280, height=844, **options):
    return watch(browser.new_context(viewport={"width": width, "height": height}, **options).new_page())


def keep(page, name):
    page.screenshot(path=f"{os.environ['CONSOLE_SHOTS']}/{name}.png")


def check_accessibility(page, name):
    for violation in Axe().run(page).response["violations"]:
        for node in violation["nodes"]:
            problems.append(f"{name}: {violation['id']}: {node['target']} {node['failureSummary'][:200]}")
    # A page that is wider than the window has to be scrolled sideways.
    width, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    if width > room:
        problems.append(f"{name}: {width} px wide in a window of {room} px")


def press(part, button, says=None, **options):
    """Clicks a button of a page or of a part of it, and waits for what the page says then."""
    part.get_by_role("button", name=button, **options).click()
    if says:
        expect(getattr(part, "page", part).locator("#status")).to_have_text(says)


def clear(page):
    press(page, "Clear")
    expect(page.get_by_role("heading", name="There are no exchanges yet")).to_be_visible()


def fill(form, fields):
    for label, text in fields.items():
        form.get_by_label(label).fill(text)


def follow(link, address):
    link.click()
    link.page.wait_for_url(re.compile(address))


def keys(page, *names):
    for name in names:
        page.keyboard.press(name)


def use(run):
    """Runs a function with a browser; ends with 1 if a page had a problem."""
    with sync_playwright() as playwright, playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--host-resolver-rules=MAP evil.example 127.0.0.1"]) as chromium:
        run(chromium)
    for problem in dict.fromkeys(problems):
        print("  ! " + problem)
    sys.exit(1 if problems else 0)
