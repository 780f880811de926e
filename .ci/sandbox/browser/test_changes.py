"""What changes the sandbox under open pages: faults, worlds, snapshots, restarts."""
import json, re

import pytest
from playwright.sync_api import expect

from conftest import fill, press
from sandbox import begin

CONFIG = "/adobe-services/config/DEMO"


def test_a_fault_meets_the_next_requests(page, sandbox, look):
    sandbox.login()
    page.goto("/console/faults")
    page.get_by_label("Step").select_option("authorizeDevice")
    page.get_by_label("Requests", exact=True).fill("2")
    press(page, "Turn on Too many requests")
    expect(page.locator(".faults li")).to_contain_text("the next 2 requests")
    expect(page.get_by_label("Step")).to_have_value("authorizeDevice")
    look(page, "on")
    with page.expect_download() as world:
        page.get_by_role("link", name="Save as a world file").click()
    assert json.load(open(world.value.path()))["faults"][0]["kind"] == "throttled"
    # The library retries once after a 429.
    assert re.search("Z100|429|many", sandbox.tve("authorize", "DEMO-1", succeeds=False), re.IGNORECASE)
    expect(page.locator(".faults li")).to_have_count(0)
    page.goto("/?status=fault")
    expect(page.locator("#rows tr")).to_have_count(2)
    expect(page.locator("#rows tr", has_text="Too many requests").first).to_contain_text("429")
    sandbox.tve("authorize", "DEMO-1")


def test_an_answer_is_held_edited_and_released(page, sandbox, look):
    page.goto("/console/faults")
    page.get_by_label("Step").select_option("config")
    stop = page.get_by_role("button", name="Stop holding answers")
    press(page, "Hold the next answer")
    expect(stop).to_be_visible()
    held = begin(sandbox.get, CONFIG)
    expect(page.locator("#holding")).to_have_text("1 answer is held")
    form = page.locator("form.held")
    fill(form, {"Status": "503", "Body, with its secrets": "later"})
    look(page, "held")
    press(form, "Release the answer of")
    assert (held.result().status_code, held.result().text) == (503, "later")
    expect(page.locator("#holding")).to_be_hidden()
    fill(page, {"At most, seconds": "1", re.compile("^After"): "2"})
    press(page, "Hold the next answer")
    expect(stop).to_be_visible()
    answer = sandbox.get(CONFIG)
    assert answer.status_code == 401 and answer.elapsed.total_seconds() > 0.9


def test_typing_goes_on_where_it_was_whatever_the_page_loads(page, sandbox):
    page.goto("/console/faults")
    seconds = page.get_by_label("At most, seconds")
    seconds.select_text()
    sandbox.change("/console/api/faults", kind="delay", amount=1, step="config", requests=1)
    expect(page.get_by_text("the next request")).to_be_visible()
    page.keyboard.insert_text("12")
    page.keyboard.press("ArrowLeft")
    sandbox.get(CONFIG)
    expect(page.get_by_text("the next request")).to_be_hidden()
    page.keyboard.insert_text("9")
    expect(seconds).to_have_value("192")


def test_two_tabs_change_the_world_and_both_changes_count(page, sandbox):
    other = page.context.new_page()
    for tab in [page, other]:
        tab.goto("/console/faults")
    page.get_by_label("A denial has").select_option("403")
    press(other, "Turn on Denied resource")
    expect(page.locator(".faults li")).to_have_count(1)
    expect(page.get_by_label("A denial has")).to_have_value("403")
    press(page, "Apply", says="of the service was changed.")
    expect(other.get_by_label("A denial has")).to_have_value("403")
    world = sandbox.read("/console/api/world")
    assert world["behavior"]["denialStatus"] == 403 and len(world["faults"]) == 1
    sandbox.login()
    sandbox.tve("authorize", "DEMO-PLUS", succeeds=False)
    page.goto("/")
    expect(page.locator("#rows tr", has_text="Denied: DEMO-PLUS").first).to_contain_text("403")


def test_a_world_is_edited_wrongly_and_rightly(page, sandbox, look):
    page.goto("/console/worlds")
    editor, alert = page.get_by_label("JSON, as"), page.get_by_role("alert")
    before = sandbox.get("/console/api/world").text
    wrong = json.loads(before)
    wrong["behavior"]["isThrotled"] = True
    wrong["requestors"][0]["providers"].append("nowhere")
    for text, mistakes in [(json.dumps(wrong), ["behavior.isThrotled", '"nowhere"']), ("[", ["Line 1, column 2"])]:
        editor.fill(text)
        press(page, "Check")
        for mistake in mistakes:
            expect(alert).to_contain_text(mistake)
        look(page, "wrong")
        press(page, "Apply", exact=True, says="Nothing was changed.")
        assert sandbox.get("/console/api/world").text == before
    right = json.loads(before)
    right["providers"][0]["displayName"] = "Renamed <b>Cable</b>"
    editor.fill(json.dumps(right))
    press(page, "Apply", exact=True, says="The world was applied.")
    assert "Renamed <b>Cable</b>" in sandbox.tve("providers")
    page.goto("/console/accounts")
    expect(page.get_by_text("Renamed <b>Cable</b>")).to_be_visible()


def test_an_unsaved_text_survives_and_does_not_overwrite_other_changes(page, sandbox, look):
    page.goto("/console/worlds")
    editor, note = page.get_by_label("JSON, as"), page.locator("#world-note")
    mine = editor.input_value().replace("Demo Cable", "My Cable")
    editor.fill(mine)
    page.reload()
    expect(note).to_contain_text("This is your unsaved text.")
    expect(editor).to_have_value(mine)
    sandbox.change("/console/api/faults", kind="throttled")
    expect(note).to_contain_text("The world was changed elsewhere")
    look(page, "overtaken")
    press(page, "Apply", exact=True, says="Nothing was changed.")
    expect(editor).to_have_value(mine)
    assert "My Cable" not in sandbox.get("/console/api/world").text
    press(page, "Load the current world")
    expect(note).to_be_hidden()
    assert "My Cable" not in editor.input_value() and "throttled" in editor.input_value()


def test_of_two_quick_clicks_the_last_one_counts(page, sandbox):
    page.goto("/console/worlds")
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
    assert sandbox.read("/console/api/world")["faults"] == []


@pytest.mark.parametrize("shared_worker", ["SharedWorker", "undefined"])
def test_every_tab_is_alive_even_after_the_one_that_led(context, sandbox, shared_worker):
    context.add_init_script(f"globalThis.SharedWorker = {shared_worker}")
    tabs = [context.new_page() for _ in range(8)]
    for tab in tabs:
        tab.goto("/console/faults")
    for count, kind in [(1, "dropped"), (2, "cutBody")]:
        sandbox.change("/console/api/faults", kind=kind, step="config")
        for tab in tabs:
            expect(tab.locator(".faults li")).to_have_count(count)
            expect(tab.locator("nav .badge")).to_contain_text(str(count))
        tabs.pop(0).close()


@pytest.mark.parametrize("options, kept", [([], 0), (["--state", "state"], 1)])
def test_a_restart_is_seen_and_only_a_state_is_kept(page, sandbox, options, kept, look):
    sandbox.login()
    page.goto("/console/faults")
    press(page, "Turn on Too many requests")
    expect(page.locator(".faults li")).to_have_count(1)
    token = sandbox.token
    sandbox.stop()
    expect(page.locator("#lost")).to_have_text(re.compile(r"^Not connected since \d\d:\d\d:\d\d\."))
    expect(page.get_by_role("button", name="Turn on Too many requests")).to_be_disabled()
    look(page, "lost")
    sandbox.start()
    assert sandbox.token != token
    expect(page.locator("#lost")).to_be_hidden()
    if kept:
        expect(page.locator("#status")).to_have_text("The sandbox was started again, and goes on with its state.")
    expect(page.locator(".faults li")).to_have_count(kept)
    press(page, "Turn on Too many requests")
    expect(page.locator(".faults li")).to_have_count(kept + 1)
    assert len(sandbox.read("/console/api/state")["logins"]) == kept
    sandbox.change("/console/api/faults", method="DELETE")
    # The app finds out by itself that a sandbox without a state has forgotten it.
    sandbox.tve("authorize", "DEMO-1", succeeds=bool(kept))
    page.goto("/")
    expect(page.locator("#rows .mark", has_text="The sandbox was started again.")).to_have_count(kept)
    expect(page.locator("#rows tr", has_text="Send name and password")).to_have_count(kept)


@pytest.mark.parametrize("options", [["--state", "state"]])
def test_a_snapshot_is_saved_once_and_restored(page, sandbox, look):
    sandbox.login()
    page.goto("/console/worlds")
    for says in [None, "There is a snapshot with this name already."]:
        page.get_by_label("Name").fill("logged in")
        press(page, "Save a snapshot", says)
        expect(page.get_by_role("button", name="Restore the snapshot logged in")).to_be_visible()
    look(page, "snapshots")
    login = sandbox.read("/console/api/state")["logins"][0]["id"]
    sandbox.change(f"/console/api/logins/{login}/end")
    sandbox.change("/console/api/worlds/bad-day")
    sandbox.tve("authorize", "DEMO-2", succeeds=False)
    press(page, "Restore the snapshot logged in")
    expect(page.get_by_role("button", name="Restore the snapshot before the last restore")).to_be_visible()
    expect(page.get_by_label("JSON, as")).not_to_have_value(re.compile("wrongClock"))
    sandbox.tve("authorize", "DEMO-2")
    with open(f"{sandbox.folder}/state/logged in.snapshot", "r+b") as file:
        file.seek(200)
        file.write(b"\0")
    press(page, "Restore the snapshot logged in", "is damaged and was left as it is.")
    press(page, "Delete the snapshot logged in")
    expect(page.get_by_role("button", name="Restore the snapshot logged in")).to_have_count(0)
    page.goto("/")
    expect(page.locator("#rows")).to_contain_text('The snapshot "logged in" was restored.')
