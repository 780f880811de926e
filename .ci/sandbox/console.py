"""Uses the sandbox's console like a developer; .ci/sandbox/console starts it with the address and the tool."""

import http.client
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

base, tve = sys.argv[1], sys.argv[2]
shots = os.environ["CONSOLE_SHOTS"]
store = tempfile.mkdtemp()
views = ["Exchanges", "Lanes", "Sequence", "Conformance", "Devices", "Faults", "Worlds", "Accounts"]
problems = []


def tool(*arguments, ends=0, dialect="classic"):
    """Runs tve against the sandbox; most steps below are those of the classic dialect."""
    done = subprocess.run(
        [tve, *arguments, "--service", base, "--directory", f"{store}/{dialect}"], capture_output=True, text=True, timeout=60,
        env={**os.environ, "TVE_DIALECT": dialect},
    )
    assert done.returncode == ends, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def login(*more, ends=0):
    return tool("login", "--provider", "demo-cable", "--headless", "viewer", "--password", "secret", *more, ends=ends)


def step(text):
    print("  " + text, flush=True)


def keep(page, name):
    page.screenshot(path=f"{shots}/{name}.png")


def check_accessibility(page, name):
    found = Axe().run(page)
    for violation in found.response["violations"]:
        for node in violation["nodes"]:
            problems.append(f"{name}: {violation['id']}: {node['target']} {node['failureSummary'][:200]}")
    # A page that is wider than the window has to be scrolled sideways.
    width, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    if width > room:
        problems.append(f"{name}: {width} px wide in a window of {room} px")


def tab_to(page, accessible_name, limit=80):
    """Presses Tab until an element with this name has the focus."""
    for _ in range(limit):
        page.keyboard.press("Tab")
        name = page.evaluate(
            "(document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || '').trim()"
        )
        if name.startswith(accessible_name):
            # Keyboard users must see where they are.
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", f"{accessible_name} shows no focus"
            return
    raise AssertionError(f"{accessible_name} cannot be reached by keyboard")


def flow_of_many(count):
    """An application that requests the configuration repeatedly; returns the number of exchanges."""

    def ask(path, data=None, headers=None):
        request = urllib.request.Request(base + path, data=data, headers=headers or {})
        return json.load(urllib.request.urlopen(request, timeout=20))

    statement = ask("/sandbox/info")["softwareStatement"]
    client = ask("/o/client/register", json.dumps({"software_statement": statement}).encode(), {"Content-Type": "application/json"})
    form = f"grant_type=client_credentials&client_id={client['client_id']}&client_secret={client['client_secret']}"
    token = ask("/o/client/token", form.encode())["access_token"]
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=20)
    for number in range(3, count + 1):
        try:
            connection.request("GET", f"/adobe-services/config/DEMO?{number}", headers={"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            answer.read()
        except OSError as error:
            # Whether another connection is answered tells a lost connection from a sandbox that stands still.
            began = time.monotonic()
            ask("/sandbox/info")
            raise AssertionError(f"request {number}: {error!r}; another connection: {time.monotonic() - began:.3f} s")
        assert answer.status == 200, (number, answer.status)
    return count


def other_origin():
    """The address of an empty page that does not belong to the sandbox."""

    class Empty(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!DOCTYPE html><title>Elsewhere</title>")

        def log_message(self, *arguments):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Empty)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


# Attempts of a hostile page; each must end with "refused", otherwise with what it got.
ATTEMPTS = """async (base) => {
  const tries = {
    // What web clients of the dialects need is open: else nothing here would show anything.
    open: () => fetch(base + "/openapi.json").then((answer) => answer.text()),
    read: () => fetch(base + "/sandbox/info").then((answer) => answer.text()),
    cookies: () => fetch(base + "/sandbox/info", { credentials: "include" }).then((answer) => answer.text()),
    console: () => fetch(base + "/").then((answer) => answer.text()),
    exchanges: () => fetch(base + "/console/api/exchanges").then((answer) => answer.text()),
    blind: () => fetch(base + "/sandbox/info", { mode: "no-cors" }).then((answer) => answer.text()).then((text) => text || Promise.reject()),
    remove: () => fetch(base + "/sandbox/clients", { method: "DELETE" }).then((answer) => answer.status),
    form: () => fetch(base + "/console/api/worlds/bad-day", { method: "POST", mode: "no-cors" }).then(() => Promise.reject()),
    events: () => new Promise((take, refuse) => {
      const source = new EventSource(base + "/console/api/events");
      source.onopen = () => take("open");
      source.onerror = refuse;
    }),
    frame: () => new Promise((take, refuse) => {
      const frame = document.createElement("iframe");
      frame.src = base + "/";
      frame.onload = () => { try { take(frame.contentDocument.title || Promise.reject()); } catch { refuse(); } };
      document.body.append(frame);
    }),
    script: () => new Promise((take, refuse) => {
      const script = document.createElement("script");
      script.src = base + "/console/assets/console.js";
      script.onload = () => take("loaded");
      script.onerror = refuse;
      document.body.append(script);
    }),
  };
  const outcomes = {};
  for (const [name, attempt] of Object.entries(tries)) {
    outcomes[name] = await attempt().then((got) => `got ${String(got).slice(0, 40)}`, () => "refused");
  }
  return outcomes;
}"""


def run(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    # A wrong world is refused with 400, which the browser logs.
    page.on("console", lambda message: problems.append(f"console: {message.text}")
            if message.type == "error" and "400 (Bad Request)" not in message.text else None)
    page.on("pageerror", lambda error: problems.append(f"page: {error}"))
    foreign = []
    page.on("request", lambda request: foreign.append(request.url) if not request.url.startswith((base, "data:")) else None)

    step("a newcomer sees what to do")
    page.goto(base)
    expect(page.get_by_role("heading", name="There are no exchanges yet")).to_be_visible()
    keep(page, "empty")

    step("a login is seen live")
    login()
    rows = page.locator("#rows tr")
    expect(rows.filter(has_text="Fetch the AuthN token")).to_be_visible()
    expect(rows.filter(has_text="Send name and password")).to_be_visible()
    assert "Register the application" in rows.last.inner_text() or "/sandbox/info" in rows.last.inner_text()
    keep(page, "exchanges")

    step("one exchange opens beside the list, its secrets hidden until asked for")
    rows.filter(has_text="Fetch the AuthN token").get_by_role("link").first.click()
    detail = page.locator("#detail")
    expect(detail).to_contain_text("AuthN token")
    expect(detail).to_contain_text("Until when the login is valid.")
    expect(detail.locator("[data-until]").filter(has_text=re.compile(r"in 29 d"))).to_be_visible()
    assert "signatureInfo" not in detail.inner_html()
    keep(page, "exchange-opened")
    detail.get_by_role("link", name="Show secrets").click()
    expect(detail.get_by_role("link", name="Hide secrets")).to_be_visible()
    expect(detail).to_contain_text("signatureInfo")
    keep(page, "exchange")
    detail.get_by_role("button", name="Copy as curl").click()
    expect(page.get_by_role("status")).to_have_text("Copied.")
    command = page.evaluate("navigator.clipboard.readText()")
    assert command.startswith("curl -i --globoff 'http://127.0.0.1:"), command[:80]
    answer = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=20).stdout
    assert "HTTP/1.1 200" in answer and "authnToken" in answer, answer[:200]
    page.keyboard.press("Escape")
    expect(detail).to_be_hidden()

    step("the list is filtered, and nothing moves under the pointer")
    page.get_by_label("Text").fill("assertion")
    page.get_by_label("Text").fill("sendmail")
    expect(rows.filter(visible=True)).to_have_count(0)
    page.get_by_label("Text").fill("provider's answer")
    expect(rows.filter(visible=True)).to_have_count(1)
    page.get_by_label("Text").fill("")
    page.get_by_label("Dialect").select_option("pages")
    expect(rows.filter(visible=True)).to_have_count(3)
    page.get_by_label("Dialect").select_option("")
    page.locator("#rows tr").first.hover()
    top = rows.first.get_attribute("data-id")
    tool("status")
    tool("preauthorize", "DEMO-1")
    expect(page.get_by_role("button", name=re.compile("Show .* new exchange"))).to_be_visible()
    assert rows.first.get_attribute("data-id") == top, "a line moved under the pointer"
    page.get_by_role("button", name=re.compile("Show .* new exchange")).click()
    expect(rows.first).not_to_have_attribute("data-id", top)
    assert int(rows.first.get_attribute("data-id")) > int(top)

    step("pausing keeps new exchanges back")
    page.mouse.move(5, 5)
    page.get_by_role("button", name="Pause").click()
    top = rows.first.get_attribute("data-id")
    tool("preauthorize", "DEMO-1", "--fresh")
    expect(page.get_by_role("button", name=re.compile("Show .* new exchange"))).to_be_visible()
    assert rows.first.get_attribute("data-id") == top
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#rows tr").first).not_to_have_attribute("data-id", top)

    step("each view opens by keyboard alone")
    for name in views[1:]:
        page.goto(base)
        tab_to(page, name)
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("/console/"))
        expect(page.get_by_role("navigation").locator("[aria-current=page]")).to_contain_text(name)
        keep(page, name.lower())
    page.goto(base)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the exchanges"

    step("the sequence leads to its exchanges")
    page.goto(base + "/console/sequence")
    assert page.locator(".sequence li").count() >= 10
    page.locator(".sequence li a").first.click()
    page.wait_for_url(re.compile("/console/exchanges/"))
    expect(page.get_by_role("heading", name="Tokens")).to_be_visible()

    step("rows of the acceptance list turn green while a client is used, and red")
    page.goto(base + "/console/conformance")
    row = page.locator("#CL21")
    expect(row).to_have_class(re.compile(r"\bnotSeen\b"))
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    tool("login", "--provider", "demo-cable", "--headless", "viewer", "--password", "secret", dialect="v2")
    expect(row).to_have_class(re.compile(r"\bpass\b"), timeout=20_000)
    expect(page.locator("#CL7")).to_have_class(re.compile(r"\bpass\b"))
    # The two stores registered the same device twice.
    expect(page.locator("#CL1")).to_have_class(re.compile(r"\bfail\b"))
    # What is open stays open, and keeps the focus.
    expect(row.locator(".sequence")).to_be_visible()
    assert page.evaluate("document.activeElement.parentElement.id") == "CL21"
    keep(page, "conformance-live")
    answer = page.request.get(base + "/api/v2/DEMO/profiles")
    assert answer.status >= 400, answer.status
    expect(row).to_have_class(re.compile(r"\bfail\b"), timeout=20_000)
    expect(row.get_by_text("profiles was sent without Authorization")).to_be_visible()
    for name in ["light", "dark"]:
        page.emulate_media(color_scheme=name)
        check_accessibility(page, f"a broken row, {name}")
        keep(page, f"conformance-broken-{name}")
    page.emulate_media(color_scheme="light")
    page.get_by_label("Flow").select_option(index=1)
    page.wait_for_url(re.compile("flow=[0-9]"))
    expect(row).to_have_class(re.compile(r"\bpass\b"))
    expect(page.locator("#verdict")).to_contain_text("No mandatory row fails.")
    page.locator("#choice").get_by_label("Device").select_option(index=1)
    page.wait_for_url(re.compile("device=[^&]"))
    expect(row).to_have_class(re.compile(r"\bpass\b"))
    row.locator("summary").click()
    row.locator(".sequence a").last.click()
    page.wait_for_url(re.compile("/console/exchanges/"))
    tool("logout", dialect="v2")

    step("a login is ended in the view of devices, and the app is told")
    page.goto(base + "/console/devices")
    page.get_by_role("button", name="End the login of viewer at demo-cable").click()
    expect(page.get_by_role("status")).to_have_text("The login was ended.")
    expect(page.get_by_text("No viewer is logged in.")).to_be_visible()
    tool("authorize", "DEMO-1", ends=1)
    login()

    step("a fault is turned on, and the next exchange shows it")
    page.goto(base + "/console/faults")
    page.get_by_label("Step").select_option("authorizeDevice")
    page.get_by_label("Requests", exact=True).fill("2")
    page.get_by_role("button", name="Turn on Too many requests").click()
    expect(page.locator(".faults li")).to_have_count(1)
    expect(page.locator(".faults")).to_contain_text("the next 2 requests")
    assert page.get_by_label("Step").input_value() == "authorizeDevice", "the next fault is for another step"
    keep(page, "faults-on")
    with page.expect_download() as scenario:
        page.get_by_role("link", name="Save as a world file").click()
    saved = json.load(open(scenario.value.path()))
    assert saved["faults"][0]["kind"] == "throttled", saved
    # The library retries once after a 429.
    said = tool("authorize", "DEMO-1", ends=1)
    assert "Z100" in said or "429" in said or "many" in said.lower(), said
    page.goto(base)
    expect(page.locator("#rows tr", has_text="Too many requests").first).to_contain_text("429")
    page.get_by_label("Status").select_option("fault")
    expect(page.locator("#rows tr").filter(visible=True)).to_have_count(2)
    keep(page, "fault")
    assert "Turn off" not in page.goto(base + "/console/faults").text()
    tool("authorize", "DEMO-1")

    step("the service's behavior is changed and changed back")
    page.get_by_label("A denial has").select_option("403")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("status")).to_contain_text("The behaviour of the service was changed.")
    tool("authorize", "DEMO-PLUS", ends=1)
    page.goto(base)
    expect(page.locator("#rows tr").first).to_contain_text("403")

    step("a world is edited wrongly and rightly")
    page.goto(base + "/console/worlds")
    editor = page.get_by_label("JSON, as")
    world = json.loads(editor.input_value())
    world["behavior"]["isThrotled"] = True
    world["requestors"][0]["providers"].append("nowhere")
    editor.fill(json.dumps(world))
    page.get_by_role("button", name="Check").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("behavior.isThrotled is not a known field.")
    expect(alert).to_contain_text('names the unknown provider "nowhere".')
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("Nothing was changed.")
    keep(page, "world-wrong")
    check_accessibility(page, "a wrong world")
    assert "nowhere" not in urllib.request.urlopen(base + "/console/api/world").read().decode()
    editor.fill("[")
    page.get_by_role("button", name="Check").click()
    expect(alert).to_have_text("Line 1, column 2: the document ends too early.")
    del world["behavior"]["isThrotled"]
    world["requestors"][0]["providers"].remove("nowhere")
    world["providers"][0]["displayName"] = "Renamed <b>Cable</b>"
    editor.fill(json.dumps(world))
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("The world was applied.")
    assert "Renamed <b>Cable</b>" in tool("providers")
    page.goto(base + "/console/accounts")
    expect(page.get_by_text("Renamed <b>Cable</b>")).to_be_visible()
    page.goto(base + "/console/worlds")
    for button in page.get_by_role("button", name=re.compile("Use this world")).all():
        title = button.get_attribute("aria-label").removeprefix("Use this world: ")
        button.click()
        expect(page.get_by_role("status")).to_have_text(f"{title}: applied.")

    step("what is in use is marked; viewers, the clock and a rewritten answer are set by form")
    page.get_by_role("button", name="Use this world: Default").click()
    expect(page.get_by_role("heading", name="The current world: Default")).to_be_visible()
    expect(page.get_by_text("In use", exact=True)).to_have_count(1)
    page.goto(base + "/console/accounts")
    page.get_by_text("Add a viewer").click()
    form = page.get_by_role("form", name="Add a viewer")
    form.get_by_label("User").fill("ann")
    form.get_by_label("Password").fill("pass")
    form.get_by_label("May watch, separated by commas").fill("DEMO-1, DEMO-PLUS")
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("The viewer was saved.")
    viewers = json.load(urllib.request.urlopen(base + "/console/api/world"))["viewers"]
    assert viewers[-1]["name"] == "ann" and viewers[-1]["resources"] == ["DEMO-1", "DEMO-PLUS"], viewers
    keep(page, "viewers")
    page.get_by_text("Change ann").click()
    page.get_by_role("button", name="Remove the viewer ann").click()
    expect(page.get_by_text("Change ann")).to_have_count(0)
    page.goto(base + "/console/devices")
    page.get_by_label("Date and time").fill("2030-01-02T03:04:05")
    page.get_by_role("button", name="Set the clock").click()
    expect(page.get_by_role("status")).to_have_text("The clock was set.")
    expect(page.get_by_text("2030-01-02 03:04")).to_be_visible()
    keep(page, "clock-set")
    page.get_by_role("button", name="Back to the real time").click()
    expect(page.locator("#moved")).to_have_text("")
    page.goto(base + "/console/faults")
    page.get_by_label("Step").select_option("config")
    card = page.locator(".fault-card", has=page.get_by_role("heading", name="Rewritten answer"))
    card.get_by_label("HTTP status").fill("418")
    card.get_by_label("Body").fill("mine")
    card.get_by_role("button", name="Turn on Rewritten answer").click()
    expect(page.get_by_text("a body of 4 bytes")).to_be_visible()
    for _ in range(2):
        try:
            urllib.request.urlopen(base + "/adobe-services/config/DEMO")
            raise AssertionError("The answer was not rewritten.")
        except urllib.error.HTTPError as answer:
            assert (answer.code, answer.read()) == (418, b"mine")
    page.get_by_role("button", name="Turn off Rewritten answer").click()
    expect(page.locator(".faults li")).to_have_count(0)
    page.goto(base)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    check_accessibility(page, "keys")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.goto(base + "/console/worlds")

    step("of two quick clicks the last one counts, even when the first request is slow")
    slow = re.compile("/console/api/worlds/bad-day$")
    held = []
    page.route(slow, lambda route: held.append(route))
    with page.expect_request(slow):
        page.get_by_role("button", name="Use this world: Bad day at the service").click()
    page.get_by_role("button", name="Use this world: Default").click()
    # Time enough for a second request that would not wait.
    page.wait_for_timeout(300)
    with page.expect_response(slow):
        held[0].continue_()
    expect(page.get_by_role("status")).to_have_text("Default: applied.")
    page.unroute(slow)
    assert json.load(urllib.request.urlopen(base + "/console/api/world"))["faults"] == []

    step("a thousand exchanges at once")
    page.goto(base)
    page.mouse.move(5, 5)
    began = time.monotonic()
    # One connection after the other would take longer than the page.
    flood = subprocess.run(
        ["curl", "-sS", "-Z", "--no-progress-meter", "--parallel-max", "50", "-o", "/dev/null", f"{base}/adobe-services/config/[1-1000]"],
        timeout=120,
    )
    assert flood.returncode == 0
    page.wait_for_function("document.querySelector('#rows tr').innerText.includes('config/')")
    assert page.locator("#rows tr").count() <= 100
    assert json.load(urllib.request.urlopen(base + "/console/api/exchanges?text=config/&limit=1"))["total"] >= 1000
    page.get_by_label("Text").fill("config/77")
    expect(page.locator("#rows tr").filter(visible=True).first).to_contain_text("config/77")
    page.get_by_label("Text").fill("")
    step(f"  {time.monotonic() - began:.1f} s, and the page answers")
    keep(page, "thousand")

    step("every view on a telephone, a tablet and a large screen, in light and dark, for screen readers too")
    # With a thousand lines the checks would report the same a thousand times.
    page.goto(base)
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("heading", name="There are no exchanges yet")).to_be_visible()
    login("--force")
    for scheme in ["light", "dark"]:
        for width in [390, 768, 1600]:
            other = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
            small = other.new_page()
            for name in views:
                small.goto(base if name == "Exchanges" else f"{base}/console/{name.lower()}")
                check_accessibility(small, f"{name}, {width} px, {scheme}")
                if (width == 390) == (scheme == "light"):
                    keep(small, f"{name.lower()}-{width}-{scheme}")
            small.goto(base)
            link = small.locator("#rows tr", has_text="Fetch the AuthN token").first.get_by_role("link").first
            link.click()
            if width < 1100:
                small.wait_for_url(re.compile("/console/exchanges/"))
            else:
                expect(small.locator("#detail")).to_be_visible()
            check_accessibility(small, f"exchange, {width} px, {scheme}")
            if width == 390:
                keep(small, f"exchange-{width}-{scheme}")
            other.close()

    step("a sequence of 200 steps stays readable on a telephone")
    many = flow_of_many(200)
    phone = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    phone.goto(base + "/console/sequence")
    assert phone.locator(".sequence li").count() == many
    check_accessibility(phone, "a long sequence")
    phone.mouse.wheel(0, 4_000)
    # The names of the parties stay visible.
    expect(phone.locator(".sequence .parties")).to_be_in_viewport()
    keep(phone, "sequence-long")

    step("a page of another origin reads and changes nothing")
    stranger = browser.new_context().new_page()
    stranger.goto(other_origin())
    outcomes = stranger.evaluate(ATTEMPTS, base)
    assert outcomes.pop("open").startswith("got"), "the service refuses other origins"
    assert len(outcomes) == 10 and all(outcome == "refused" for outcome in outcomes.values()), outcomes
    assert json.load(urllib.request.urlopen(base + "/console/api/state"))["clients"], "the applications are gone"
    assert not json.load(urllib.request.urlopen(base + "/console/api/world"))["faults"], "another world is in place"

    step("a name of a stranger that leads to this machine is answered nothing")
    port = base.rsplit(":", 1)[1]
    for path in ["/", "/sandbox/info", "/console/api/exchanges"]:
        answer = stranger.goto(f"http://evil.example:{port}{path}")
        assert answer.status == 421, (path, answer.status)

    step("without scripts the pages can be read and filtered")
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(base + "/?status=failed")
    assert plain.locator("#rows tr").count() > 0
    plain.goto(base + "/console/sequence")
    assert plain.locator(".sequence li").count() > 5

    step("clearing forgets")
    page.goto(base)
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("heading", name="There are no exchanges yet")).to_be_visible()
    assert json.load(urllib.request.urlopen(base + "/console/api/exchanges"))["total"] == 0
    assert not foreign, foreign


with sync_playwright() as playwright:
    chromium = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox", "--host-resolver-rules=MAP evil.example 127.0.0.1"]
    )
    try:
        run(chromium)
    finally:
        chromium.close()
for problem in dict.fromkeys(problems):
    print("  ! " + problem)
sys.exit(1 if problems else 0)
