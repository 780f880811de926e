"""Uses the sandbox's console like a developer; .ci/sandbox/console starts it with the tool and the address."""
import http.client, http.server, json, re, subprocess, sys, threading, time

from browser import (
    Service, check_accessibility, clear, expect, fill, follow, keep, press, problems, step, use, window)

base = sys.argv[2]
sandbox = Service(base)
tool, login = sandbox.tool, sandbox.login
views = ["Exchanges", "Lanes", "Sequence", "Conformance", "Devices", "Faults", "Worlds", "Accounts"]


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
    bearer = sandbox.register()
    connection = http.client.HTTPConnection(base.removeprefix("http://"), timeout=20)
    for number in range(3, count + 1):
        try:
            connection.request("GET", f"/adobe-services/config/DEMO?{number}", headers=bearer)
            answer = connection.getresponse()
            answer.read()
        except OSError as error:
            # Whether another connection is answered tells a lost connection from a sandbox that stands still.
            began = time.monotonic()
            sandbox.ask("/sandbox/info")
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
    ...Object.fromEntries(Object.entries({
      // What web clients of the dialects need is open: else nothing here would show anything.
      open: ["/openapi.json"],
      read: ["/sandbox/info"],
      cookies: ["/sandbox/info", { credentials: "include" }],
      console: ["/"],
      exchanges: ["/console/api/exchanges"],
      blind: ["/sandbox/info", { mode: "no-cors" }],
      remove: ["/sandbox/clients", { method: "DELETE" }],
      form: ["/console/api/worlds/bad-day", { method: "POST", mode: "no-cors" }],
    }).map(([name, [path, options]]) => [name, () => fetch(base + path, options)
      // Of an answer that it may not see, a page has neither text nor status.
      .then(async (answer) => await answer.text() || answer.status || Promise.reject())])),
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
    page = window(browser, height=800, permissions=["clipboard-read", "clipboard-write"])
    # A wrong world is refused with 400, which the browser logs.
    page.on("console", lambda message: problems.append(f"console: {message.text}")
            if message.type == "error" and "400 (Bad Request)" not in message.text else None)
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
    press(detail, "Copy as curl", says="Copied.")
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
    press(page, re.compile("Show .* new exchange"))
    expect(rows.first).not_to_have_attribute("data-id", top)
    assert int(rows.first.get_attribute("data-id")) > int(top)

    step("pausing keeps new exchanges back")
    page.mouse.move(5, 5)
    press(page, "Pause")
    top = rows.first.get_attribute("data-id")
    tool("preauthorize", "DEMO-1", "--fresh")
    expect(page.get_by_role("button", name=re.compile("Show .* new exchange"))).to_be_visible()
    assert rows.first.get_attribute("data-id") == top
    press(page, "Pause")
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
    follow(page.locator(".sequence li a").first, "/console/exchanges/")
    expect(page.get_by_role("heading", name="Tokens")).to_be_visible()

    step("rows of the acceptance list turn green while a client is used, and red")
    page.goto(base + "/console/conformance")
    row = page.locator("#CL21")
    expect(row).to_have_class(re.compile(r"\bnotSeen\b"))
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    login(dialect="v2")
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
    follow(row.locator(".sequence a").last, "/console/exchanges/")
    tool("logout", dialect="v2")

    step("a login is ended in the view of devices, and the app is told")
    page.goto(base + "/console/devices")
    press(page, "End the login of viewer at demo-cable", says="The login was ended.")
    expect(page.get_by_text("No viewer is logged in.")).to_be_visible()
    tool("authorize", "DEMO-1", ends=1)
    login()

    step("a fault is turned on, and the next exchange shows it")
    page.goto(base + "/console/faults")
    page.get_by_label("Step").select_option("authorizeDevice")
    page.get_by_label("Requests", exact=True).fill("2")
    press(page, "Turn on Too many requests")
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
    press(page, "Apply")
    expect(page.locator("#status")).to_contain_text("The behaviour of the service was changed.")
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
    press(page, "Check")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("behavior.isThrotled is not a known field.")
    expect(alert).to_contain_text('names the unknown provider "nowhere".')
    press(page, "Apply", exact=True, says="Nothing was changed.")
    keep(page, "world-wrong")
    check_accessibility(page, "a wrong world")
    assert "nowhere" not in sandbox.ask("/console/api/world")
    editor.fill("[")
    press(page, "Check")
    expect(alert).to_have_text("Line 1, column 2: the document ends too early.")
    del world["behavior"]["isThrotled"]
    world["requestors"][0]["providers"].remove("nowhere")
    world["providers"][0]["displayName"] = "Renamed <b>Cable</b>"
    editor.fill(json.dumps(world))
    press(page, "Apply", exact=True, says="The world was applied.")
    assert "Renamed <b>Cable</b>" in tool("providers")
    page.goto(base + "/console/accounts")
    expect(page.get_by_text("Renamed <b>Cable</b>")).to_be_visible()
    page.goto(base + "/console/worlds")
    for button in page.get_by_role("button", name=re.compile("Use this world")).all():
        title = button.get_attribute("aria-label").removeprefix("Use this world: ")
        button.click()
        expect(page.locator("#status")).to_have_text(f"{title}: applied.")

    step("what is in use is marked; viewers, the clock and a rewritten answer are set by form")
    press(page, "Use this world: Default")
    expect(page.get_by_role("heading", name="The current world: Default")).to_be_visible()
    expect(page.get_by_text("In use", exact=True)).to_have_count(1)
    page.goto(base + "/console/accounts")
    page.get_by_text("Add a viewer").click()
    form = page.get_by_role("form", name="Add a viewer")
    fill(form, {"User": "ann", "Password": "pass", "May watch, separated by commas": "DEMO-1, DEMO-PLUS"})
    press(form, "Save", says="The viewer was saved.")
    viewers = sandbox.read("/console/api/world")["viewers"]
    assert viewers[-1]["name"] == "ann" and viewers[-1]["resources"] == ["DEMO-1", "DEMO-PLUS"], viewers
    keep(page, "viewers")
    page.get_by_text("Change ann").click()
    press(page, "Remove the viewer ann")
    expect(page.get_by_text("Change ann")).to_have_count(0)
    page.goto(base + "/console/devices")
    page.get_by_label("Date and time").fill("2030-01-02T03:04:05")
    press(page, "Set the clock", says="The clock was set.")
    expect(page.get_by_text("2030-01-02 03:04")).to_be_visible()
    keep(page, "clock-set")
    press(page, "Back to the real time")
    expect(page.locator("#moved")).to_have_text("")
    page.goto(base + "/console/faults")
    page.get_by_label("Step").select_option("config")
    card = page.locator(".fault-card", has=page.get_by_role("heading", name="Rewritten answer"))
    fill(card, {"HTTP status": "418", "Body": "mine"})
    press(card, "Turn on Rewritten answer")
    expect(page.get_by_text("a body of 4 bytes")).to_be_visible()
    for _ in range(2):
        assert sandbox.request("/adobe-services/config/DEMO") == (418, "mine"), "The answer was not rewritten."
    press(page, "Turn off Rewritten answer")
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
        press(page, "Use this world: Bad day at the service")
    press(page, "Use this world: Default")
    # Time enough for a second request that would not wait.
    page.wait_for_timeout(300)
    with page.expect_response(slow):
        held[0].continue_()
    expect(page.locator("#status")).to_have_text("Default: applied.")
    page.unroute(slow)
    assert sandbox.read("/console/api/world")["faults"] == []

    step("a thousand exchanges at once")
    page.goto(base)
    page.mouse.move(5, 5)
    began = time.monotonic()
    # One connection after the other would take longer than the page.
    sandbox.flood("/adobe-services/config", 1000)
    page.wait_for_function("document.querySelector('#rows tr').innerText.includes('config/')")
    assert page.locator("#rows tr").count() <= 100
    assert sandbox.read("/console/api/exchanges?text=config/&limit=1")["total"] >= 1000
    page.get_by_label("Text").fill("config/77")
    expect(page.locator("#rows tr").filter(visible=True).first).to_contain_text("config/77")
    page.get_by_label("Text").fill("")
    step(f"  {time.monotonic() - began:.1f} s, and the page answers")
    keep(page, "thousand")

    step("every view on a telephone, a tablet and a large screen, in light and dark, for screen readers too")
    # With a thousand lines the checks would report the same a thousand times.
    page.goto(base)
    clear(page)
    login("--force")
    for scheme in ["light", "dark"]:
        for width in [390, 768, 1600]:
            small = window(browser, width, color_scheme=scheme)
            for name in views:
                small.goto(base if name == "Exchanges" else f"{base}/console/{name.lower()}")
                check_accessibility(small, f"{name}, {width} px, {scheme}")
                if (width == 390) == (scheme == "light"):
                    keep(small, f"{name.lower()}-{width}-{scheme}")
            small.goto(base)
            small.locator("#rows tr", has_text="Fetch the AuthN token").first.get_by_role("link").first.click()
            if width < 1100:
                small.wait_for_url(re.compile("/console/exchanges/"))
            else:
                expect(small.locator("#detail")).to_be_visible()
            check_accessibility(small, f"exchange, {width} px, {scheme}")
            if width == 390:
                keep(small, f"exchange-{width}-{scheme}")
            small.context.close()

    step("a sequence of 200 steps stays readable on a telephone")
    many = flow_of_many(200)
    phone = window(browser, 390)
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
    assert sandbox.read("/console/api/state")["clients"], "the applications are gone"
    assert not sandbox.read("/console/api/world")["faults"], "another world is in place"

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
    clear(page)
    assert sandbox.read("/console/api/exchanges")["total"] == 0
    assert not foreign, foreign


use(run)
