"""The list of exchanges, and the exchange beside it."""
import datetime, re, subprocess

import pytest
from playwright.sync_api import expect

from conftest import follow, keys, press
from sandbox import begin


@pytest.fixture
def rows(page, sandbox):
    """The rows of the list, after the login of a viewer."""
    sandbox.login()
    page.goto("/")
    return page.locator("#rows tr")


@pytest.fixture
def detail(page):
    return page.locator("#detail")


@pytest.mark.browser_context_args(timezone_id="America/New_York")
def test_lists_a_login_while_it_happens_at_local_times(page, sandbox):
    page.goto("/")
    expect(page.get_by_role("heading", name="There are no exchanges yet")).to_be_visible()
    sandbox.login()
    rows = page.locator("#rows tr")
    for title in ["Register the application", "Send name and password", "Fetch the AuthN token"]:
        expect(rows.filter(has_text=title)).to_be_visible()
    address = re.compile(sandbox.base.removeprefix("http://"))
    expect(page).to_have_title(address)
    expect(page.get_by_role("banner")).to_contain_text(address)
    clock = rows.first.locator("time")
    utc = clock.get_attribute("datetime")
    assert utc in clock.get_attribute("title") and clock.inner_text()[:2] != utc[11:13]


def test_shows_an_exchange_in_flight_and_how_long_it_took(page, sandbox, rows, look):
    sandbox.change("/console/api/holds", step="config", seconds=600)
    begin(sandbox.get, "/adobe-services/config/DEMO")
    expect(rows.first).to_contain_text("in flight")
    look(page, "in flight")
    while not (held := sandbox.read("/console/api/holds")["held"]): pass
    sandbox.change(f"/console/api/holds/{held[0]['id']}/release")
    expect(rows.first.locator(".took")).to_have_text(re.compile(r"^[\d.]+ ms$"))


@pytest.mark.parametrize("width, tallest", [(1440, 60), (1280, 60), (390, 160)])
def test_a_row_has_two_lines_and_only_what_a_fault_changed_a_mark(page, sandbox, rows, width, tallest):
    sandbox.change("/console/api/faults", kind="denied", resource="DEMO-1")
    sandbox.tve("authorize", "DEMO-1", succeeds=False)
    sandbox.change("/console/api/faults", method="DELETE")
    sandbox.tve("authorize", "DEMO-1")
    page.set_viewport_size({"width": width, "height": 844})
    page.reload()
    marked = rows.filter(has=page.locator(".fault"))
    expect(marked).to_have_count(1)
    assert "Authorize" in marked.inner_text()
    assert max(row.bounding_box()["height"] for row in rows.all()) <= tallest
    assert width < 1280 or page.get_by_role("banner").bounding_box()["height"] < 60


@pytest.mark.browser_context_args(permissions=["clipboard-read", "clipboard-write"])
def test_hides_the_secrets_of_an_exchange_until_asked_for(page, rows, detail, look):
    rows.filter(has_text="Fetch the AuthN token").get_by_role("link").first.click()
    expect(detail).to_contain_text("Until when the login is valid.")
    expect(detail.locator("[data-until]").filter(has_text="in 29 d")).to_be_visible()
    assert "signatureInfo" not in detail.inner_html()
    look(page, "without secrets")
    detail.get_by_role("link", name="Show secrets").click()
    expect(detail.get_by_role("link", name="Hide secrets")).to_be_visible()
    expect(detail).to_contain_text("signatureInfo")
    press(detail, "Copy as curl", says="Copied.")
    command = page.evaluate("navigator.clipboard.readText()")
    answer = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=600).stdout
    assert "HTTP/1.1 200" in answer and "authnToken" in answer
    keys(page, "Escape")
    expect(detail).to_be_hidden()


@pytest.mark.parametrize("hold, release", [("hover", "Show .* new exchange"), ("pause", "Pause")])
def test_new_exchanges_wait_while_the_list_is_read(page, sandbox, rows, hold, release):
    rows.first.hover() if hold == "hover" else press(page, "Pause")
    top = rows.first.get_attribute("data-id")
    sandbox.tve("preauthorize", "DEMO-1")
    expect(page.get_by_role("button", name=re.compile("Show .* new exchange"))).to_be_visible()
    assert rows.first.get_attribute("data-id") == top, "a row moved under the pointer"
    press(page, re.compile(release))
    expect(rows.first).not_to_have_attribute("data-id", top)
    assert int(rows.first.get_attribute("data-id")) > int(top)


def test_obeys_the_keyboard(page, rows, detail, look):
    keys(page, "Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the exchanges"
    keys(page, "Enter", "Tab")
    expect(rows.first.locator(".open")).to_be_focused()
    second, third = [rows.nth(place).get_attribute("data-id") for place in (1, 2)]
    keys(page, "j", "Enter")
    page.wait_for_url(re.compile(f"[?&]open={second}$"))
    keys(page, "n")
    page.wait_for_url(re.compile(f"[?&]open={third}$"))
    expect(page.locator("#rows tr.chosen")).to_have_attribute("data-id", third)
    keys(page, "Escape", "?")
    expect(detail).to_be_hidden()
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    look(page, "keys")
    keys(page, "Escape", "/")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("[name=text]")).to_be_focused()
    keys(page, "Control+k", *"dev")
    expect(page.locator("#palette li").first).to_have_text("View: Devices")
    look(page, "palette")
    keys(page, "Enter")
    page.wait_for_url(re.compile("/console/devices"))


def test_the_address_is_the_state_after_reload_back_and_copy(page, sandbox, rows, detail):
    sandbox.tve("authorize", "DEMO-1")
    page.get_by_label("Text").fill("demo-1")
    expect(page.locator("#count")).to_have_text(re.compile(r"^\d+ of \d+ exchanges match the filter$"))
    page.wait_for_url(re.compile("text=demo-1"))
    # The list may still be that of an earlier filter, so its length alone says nothing.
    matching = int(page.locator("#count").inner_text().split()[0])
    rows.filter(has_text="Authorize a resource").locator(".open").click()

    def expect_the_same(other):
        expect(other.get_by_label("Text")).to_have_value("demo-1")
        expect(other.locator("#detail")).to_contain_text("AuthZ token")
        expect(other.locator("#rows tr")).to_have_count(matching)

    expect_the_same(page)
    copy = page.context.new_page()
    copy.goto(page.url)
    expect_the_same(copy)
    page.reload()
    expect_the_same(page)
    page.get_by_label("Text").fill("")
    expect(rows.nth(5)).to_be_visible()
    page.go_back()
    expect_the_same(page)
    page.go_back()
    expect(detail).to_be_hidden()
    expect(page.get_by_label("Text")).to_have_value("demo-1")
    page.get_by_label("Text").fill("no such thing anywhere")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()


def test_removed_exchanges_come_back_unless_they_are_forgotten(page, sandbox, rows):
    count = page.locator("#count").inner_text()
    press(page, "Clear")
    expect(page.get_by_role("heading", name="There are no exchanges yet")).to_be_visible()
    assert sandbox.read("/console/api/exchanges")["total"] == 0
    press(page, "Undo")
    expect(page.locator("#count")).to_have_text(count)


def test_sends_a_request_again_edited_and_compares_both(page, sandbox, rows, detail):
    sandbox.tve("authorize", "DEMO-1")
    rows.filter(has_text="Authorize a resource").locator(".open").click()
    expect(detail).to_contain_text("AuthZ token")
    original = re.search(r"open=(\d+)", page.url)[1]
    detail.get_by_role("link", name="Show secrets").click()
    detail.filter(has=page.get_by_role("link", name="Hide secrets")).get_by_text("Edit and send again").click()
    target = detail.get_by_label("Path and query")
    target.fill(target.input_value() + "?again=1")
    press(detail, "Send", exact=True)
    expect(detail.locator(".target")).to_contain_text("?again=1")
    detail.get_by_label("Compare with exchange").fill(original)
    press(detail, "Compare")
    page.wait_for_url(re.compile("/console/compare"))
    expect(page.locator(".differs").first).to_contain_text("?again=1")


def test_notes_are_saved_while_typed_and_never_overwritten(page, sandbox, look):
    other = page.context.new_page()
    for tab in [page, other]:
        tab.goto("/")
        tab.get_by_text("Notes", exact=True).click()
    page.get_by_label("Notes").fill("First.")
    expect(page.locator("#notes-saved")).to_have_text("Saved.")
    expect(other.get_by_label("Notes")).to_have_value("First.")
    # Both write before either has heard of the other.
    other.route("**/notes", lambda route: route.abort() if route.request.method == "GET" else route.continue_())
    page.get_by_label("Notes").fill("Second.")
    expect(page.locator("#notes-saved")).to_have_text("Saved.")
    other.get_by_label("Notes").fill("Third.")
    expect(other.locator("#notes-note")).to_contain_text("The notes were changed in another window.")
    expect(other.get_by_label("Notes")).to_have_value("Third.")
    assert sandbox.read("/console/api/notes")["text"] == "Second."
    look(other, "conflict")
    press(other, "Save mine anyway")
    expect(page.get_by_label("Notes")).to_have_value("Third.")


def test_a_session_is_one_file_that_opens_without_a_sandbox(page, rows, new_context, look, tmp_path):
    page.get_by_text("Notes", exact=True).click()
    page.get_by_label("Notes").fill("It should play DEMO-1!")
    # What was typed a moment before is in the file.
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the session").click()
    download.value.save_as(tmp_path / "session.html")
    reader = new_context(offline=True).new_page()
    asked = []
    reader.on("request", lambda request: asked.append(request.url))
    reader.goto(f"file://{tmp_path}/session.html")
    assert len(asked) == 1, asked
    reader.locator("details.exchange summary", has_text="Fetch the AuthN token").first.click()
    expect(reader.get_by_text("Until when the login is valid.").first).to_be_visible()
    expect(reader.get_by_text("It should play DEMO-1!")).to_be_visible()
    assert "signatureInfo" not in reader.content() and reader.locator("textarea, input, button").count() == 0
    look(reader, "session")


@pytest.mark.parametrize("shown, hidden", [("Classic", "REST v2"), ("REST v2", "Classic")])
def test_lists_one_dialect_even_of_what_comes_later(page, sandbox, rows, shown, hidden):
    sandbox.login("v2")
    page.get_by_label("Dialect").select_option(shown)
    expect(rows.locator(".dialect", has_text=hidden)).to_have_count(0)
    for dialect in ["classic", "v2"]:
        sandbox.tve("authorize", "DEMO-1", dialect=dialect)
    expect(rows.filter(has_text="Granted: DEMO-1").first).to_be_visible()
    assert set(rows.locator(".dialect").all_text_contents()) == {shown}


@pytest.mark.browser_context_args(timezone_id="America/New_York")
def test_a_page_that_is_open_for_a_day_stays_right_and_small(page, sandbox, rows, detail):
    devices = page.context.new_page()
    devices.goto("/console/devices")
    before, sizes = sandbox.read("/console/api/exchanges")["total"], []
    for hour in range(2, 25, 2):
        sandbox.change("/console/api/clock", by=7_200)
        sandbox.flood("/adobe-services/config/[1-50]")
        expect(page.locator("#count")).to_have_text(f"{before + 25 * hour} exchanges")
        sizes.append(page.locator("*").count())
    # After 200 exchanges the list is as long as it may be.
    assert max(sizes) < 1.1 * sizes[4], sizes
    expect(page.locator("#moved")).to_have_text("Clock +1 d 0 h")
    time = rows.first.locator("time")
    utc = datetime.datetime.fromisoformat(time.get_attribute("datetime"))
    assert abs(utc.timestamp() - sandbox.read("/console/api/clock")["now"] / 1000) < 60
    assert time.inner_text()[:8] == page.evaluate("it => new Date(it).toLocaleTimeString('en-GB')", utc.isoformat())
    expect(devices.locator("#logins [data-until]")).to_have_text(re.compile("^in 28 d 23 h"))
    rows.first.locator(".open").click()
    expect(detail).to_contain_text("/adobe-services/config/")


@pytest.mark.parametrize("options", [["--state", "state"]])
def test_a_search_in_five_thousand_exchanges_takes_less_than_200_ms(page, sandbox, detail):
    page.goto("/")
    begin(sandbox.flood, "/adobe-services/config/[1-5000]")
    # The list can be used while they come.
    page.get_by_label("Text").fill("config/77")
    page.locator("#rows .open", has_text="config/77").first.click()
    expect(detail).to_contain_text("config/77")
    keys(page, "Escape")
    page.get_by_label("Text").fill("")
    page.mouse.move(5, 5)
    expect(page.locator("#count")).to_have_text("5000 exchanges")
    assert page.locator("#rows tr").count() <= 100
    searches = ["config/4321", "no such thing", "service provider"] * 100
    answers = (sandbox.get("/", params={"fragment": 1, "text": text}) for text in searches)
    # A shared machine is never quiet for long, so that one answer in time is enough.
    assert any(answer.elapsed.total_seconds() < 0.2 for answer in answers)
    page.get_by_label("Text").fill("config/4321")
    expect(page.locator("#count")).to_have_text(re.compile("^1 of "))
    page.get_by_label("Text").fill("")
    follow(page.get_by_role("link", name="Older"), "before=")
    expect(page.get_by_role("link", name="Newest")).to_be_visible()
    sandbox.stop()
    sandbox.start()
    expect(page.locator("#count")).to_contain_text("5000 exchanges")
