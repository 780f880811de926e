"""The other views: each one on every screen, what it shows of a client, and what a developer can do there."""
import re

import pytest
from playwright.sync_api import Error, expect

from conftest import PHONE, TABLET, WALL, fill, follow, press
from sandbox import begin

VIEWS = ["Exchanges", "Lanes", "Sequence", "Conformance", "Devices", "Faults", "Worlds", "Accounts"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [PHONE, TABLET, WALL])
def test_everybody_can_use_every_view(page, sandbox, look, screen, scheme):
    sandbox.login()
    page.set_viewport_size(screen)
    page.emulate_media(color_scheme=scheme)
    for view in VIEWS:
        page.goto("/" if view == "Exchanges" else f"/console/{view.lower()}")
        if view == "Conformance":
            page.get_by_text("Expect something").click()
        look(page, view)
    page.goto("/")
    page.locator("#rows tr", has_text="Fetch the AuthN token").first.get_by_role("link").first.click()
    # Where there is no room beside the list, an exchange is a page of its own.
    page.wait_for_url(re.compile("open=" if screen is WALL else "/console/exchanges/"))
    assert page.get_by_label("Body of the answer").bounding_box()["y"] < screen["height"]


def test_each_view_opens_with_the_keyboard_alone(page):
    navigation = page.get_by_role("navigation")
    for view in VIEWS[1:]:
        page.goto("/")
        link = navigation.get_by_role("link", name=view)
        while not link.evaluate("link => link === document.activeElement"):
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement !== document.body"), f"{view} cannot be reached"
        assert link.evaluate("link => getComputedStyle(link).outlineStyle") != "none", "nobody sees the focus"
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("/console/"))
        expect(navigation.locator("[aria-current=page]")).to_contain_text(view)


def test_each_text_of_the_sequence_stands_at_its_arrow(page, sandbox):
    sandbox.login()
    page.goto("/console/sequence")
    places = page.evaluate("""[...document.querySelectorAll(".sequence li")].map((line) => {
      const [words, arrow] = [".words", ".arrow line"].map((part) => line.querySelector(part).getBoundingClientRect());
      return Math.min(Math.abs(words.left - arrow.left), Math.abs(arrow.right - words.right));
    })""")
    assert len(places) >= 10 and max(places) < 12, places
    lines = page.locator(".sequence li")
    for request in ["POST /o/client", "/regcode", "sessionDevice"]:
        expect(lines.filter(has_text=request).first).to_contain_text("App to Service")
    # The library asks for the login page before the browser opens it.
    logins = lines.filter(has_text="Begin the login").all_inner_texts()
    assert ["App to Service" in text for text in logins] == [True, False], logins
    follow(lines.get_by_role("link").first, "/console/exchanges/")
    expect(page.get_by_role("heading", name="Tokens")).to_be_visible()


def test_a_long_sequence_stays_readable_on_a_telephone(page, sandbox):
    sandbox.flood("/adobe-services/config/DEMO?[1-198]", "-H", f"Authorization: {sandbox.register()['Authorization']}")
    page.set_viewport_size(PHONE)
    page.goto("/console/sequence")
    expect(page.locator(".sequence li")).to_have_count(200)
    page.mouse.wheel(0, 4_000)
    # The names of the parties stay visible.
    expect(page.locator(".sequence .parties")).to_be_in_viewport()


def test_a_lane_has_the_name_of_the_device_and_shows_what_is_in_flight(page, sandbox):
    sandbox.login()
    page.goto("/console/lanes")
    lane = page.locator(".lane").first
    lane.get_by_text("Name this device").click()
    sandbox.tve("preauthorize", "DEMO-1")
    # What is open stays open when the page loads its content again.
    expect(lane.get_by_role("listitem").first).to_contain_text("Preauthorize")
    lane.get_by_label("Name", exact=True).fill("Kitchen")
    press(lane, "Save")
    expect(lane.get_by_role("heading")).to_have_text("Kitchen")
    sandbox.change("/console/api/holds", step="authorizeDevice", seconds=600)
    held = begin(sandbox.tve, "authorize", "DEMO-2")
    expect(lane.get_by_text("1 in flight")).to_be_visible()
    while not (held_answers := sandbox.read("/console/api/holds")["held"]): pass
    sandbox.change(f"/console/api/holds/{held_answers[0]['id']}/release")
    held.result()
    expect(lane.get_by_text("1 in flight")).to_be_hidden()
    sandbox.tve("authorize", "DEMO-PLUS", succeeds=False)
    expect(lane.locator(".fault-line", has_text="DEMO-PLUS").first).to_contain_text("the viewer may not watch it")
    page.goto("/")
    expect(page.locator("#rows tr").first.locator(".device")).to_have_text("Kitchen")


def test_the_acceptance_list_changes_while_a_client_is_used(page, sandbox, look):
    page.goto("/console/conformance")
    row = page.locator("#CL21")
    expect(row).to_contain_class("notSeen")
    row.locator("summary").press("Enter")
    # To the service these are two installations on one device, of which each one registers.
    for dialect in ["classic", "v2"]:
        sandbox.login(dialect)
    for name, result in [("CL21", "pass"), ("CL7", "pass"), ("CL1", "fail")]:
        expect(page.locator(f"#{name}")).to_contain_class(result)
    # What is open stays open, and keeps the focus.
    expect(row.locator(".sequence")).to_be_visible()
    expect(row.locator("summary")).to_be_focused()
    sandbox.get("/api/v2/DEMO/profiles")
    expect(row).to_contain_class("fail")
    expect(row.get_by_text("profiles was sent without Authorization")).to_be_visible()
    for scheme in ["dark", "light"]:
        page.emulate_media(color_scheme=scheme)
        look(page, f"broken, {scheme}")
    page.get_by_label("Flow").select_option(index=1)
    page.wait_for_url(re.compile("flow=[0-9]"))
    expect(row).to_contain_class("pass")
    expect(page.locator("#verdict")).to_contain_text("No mandatory row fails.")
    page.locator("#choice").get_by_label("Device").select_option(index=1)
    page.wait_for_url(re.compile("device=[^&]"))
    expect(row).to_contain_class("pass")
    row.locator("summary").click()
    follow(row.locator(".sequence a").last, "/console/exchanges/")


def test_an_expectation_is_red_or_green_while_a_client_is_used(page, sandbox):
    page.goto("/console/conformance")
    own = page.locator("#own .row")
    for name, fields in {
        "asks once": {"At most, times": "1"},
        "waits": {"After the status": "429", "wait, seconds": "5"},
    }.items():
        page.get_by_text("Expect something").click()
        page.get_by_label("At the step").select_option("config")
        fill(page, {"What do you expect?": name, **fields})
        press(page, "Expect it")
        expect(own.filter(has_text=name)).to_contain_class("notSeen")
    assert sandbox.read("/console/api/world")["expectations"] == [
        {"name": "asks once", "step": "config", "atMost": 1},
        {"name": "waits", "step": "config", "status": 429, "pause": 5},
    ]
    sandbox.get("/adobe-services/config/DEMO")
    expect(own.first).to_contain_class("pass")
    sandbox.change("/console/api/faults", kind="throttled", step="config", requests=1)
    for _ in range(2):
        sandbox.get("/adobe-services/config/DEMO")
    for row in [own.first, own.last]:
        expect(row).to_contain_class("fail")
    own.first.locator("summary").click()
    press(page, "Remove the expectation asks once")
    expect(own).to_have_count(1)
    press(page, "Undo")
    expect(own).to_have_count(2)


@pytest.mark.parametrize("button, says", [
    ("End the login of viewer", "The login was ended."), ("Clock to its end: the login", "The clock has moved.")])
def test_a_login_is_ended_and_the_app_is_told(page, sandbox, button, says):
    sandbox.login()
    page.goto("/console/devices")
    expect(page.get_by_text("No registration code is waiting.")).to_be_visible()
    expect(page.locator("section", has=page.get_by_role("heading", name="Used codes"))).to_contain_text("logged in")
    press(page, button, says)
    expect(page.get_by_text("No viewer is logged in.")).to_be_visible()
    sandbox.tve("authorize", "DEMO-1", succeeds=False)


def test_the_clock_is_set_and_set_back(page, look):
    page.goto("/console/devices")
    page.get_by_label("Date and time").fill("2030-01-02T03:04:05")
    press(page, "Set the clock", says="The clock was set.")
    expect(page.get_by_text("2030-01-02 03:04")).to_be_visible()
    look(page, "moved")
    press(page, "Back to the real time")
    expect(page.locator("#moved")).to_have_text("")


def test_the_login_page_keeps_the_name_and_a_login_can_be_cancelled(page, sandbox, look):
    television = {"requestor": "DEMO", "deviceId": "television", "format": "json"}
    answer = sandbox.post("/reggie/v1/DEMO/regcode", data=television, headers=sandbox.register())
    page.goto("/activate")
    fill(page, {"Code on your screen": answer.json()["code"]})
    press(page, "Continue")
    press(page, "Demo Cable")
    fill(page, {"User name": "viewer", "Password": "wrong"})
    press(page, "Log in")
    expect(page.get_by_role("alert")).to_have_text("The user name or password is not correct.")
    expect(page.get_by_label("User name")).to_have_value("viewer")
    expect(page.get_by_label("Password")).to_be_focused()
    look(page, "login")
    press(page, "Cancel")
    expect(page.get_by_role("heading", name="Cancelled")).to_be_visible()


STRANGER = "http://127.0.0.1:7000/"
# Of an answer that it may not see, a page has neither text nor status.
ATTEMPT = """async ([code, base]) => {
  const read = async (path, options) => {
    const answer = await fetch(base + path, options);
    return await answer.text() || answer.status || Promise.reject("nothing");
  };
  const load = (name, source) => new Promise((onload, onerror) => {
    document.body.append(Object.assign(document.createElement(name), { src: base + source, onload, onerror }));
  });
  await eval(code);
}"""


def test_a_page_of_another_origin_reads_and_changes_nothing(browser, sandbox):
    sandbox.register()
    # The browser would protect this machine too, but only where the viewer has not allowed the page to ask it.
    page = browser.new_context(permissions=["local-network-access"]).new_page()
    page.route(STRANGER, lambda route: route.fulfill(content_type="text/html", body="<title>Elsewhere</title>"))
    page.goto(STRANGER)
    # Web clients of the dialects need this; otherwise the refusals below would show nothing.
    page.evaluate(ATTEMPT, ["read('/openapi.json')", sandbox.base])
    for code in [
        "read('/')",
        "read('/sandbox/info')",
        "read('/sandbox/info', { credentials: 'include' })",
        "read('/sandbox/info', { mode: 'no-cors' })",
        "read('/console/api/exchanges')",
        "read('/sandbox/clients', { method: 'DELETE' })",
        "read('/console/api/worlds/bad-day', { method: 'POST', mode: 'no-cors' })",
        "new Promise((onopen, onerror) => Object.assign(new EventSource(base + '/console/api/events'), "
        "{ onopen, onerror }))",
        "load('script', '/console/assets/console.js')",
    ]:
        with pytest.raises(Error):
            page.evaluate(ATTEMPT, [code, sandbox.base])
    page.evaluate(ATTEMPT, ["load('iframe', '/')", sandbox.base])
    assert "TV Everywhere sandbox" not in page.frames[1].content()
    assert sandbox.read("/console/api/state")["clients"], "the applications are gone"
    assert not sandbox.read("/console/api/world")["faults"], "another world is in place"
