"""What the tests of the console share: a sandbox for each one, a browser whose pages are watched, some gestures."""
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from sandbox import Sandbox

expect.set_options(timeout=60_000)  # It only ends tests that hang; the machine is busy.
PHONE, TABLET, DESK, WALL = [{"width": width, "height": 844} for width in (390, 768, 1280, 1600)]


@pytest.fixture
def options():
    return []


@pytest.fixture
def sandbox(tmp_path, options):
    sandbox = Sandbox(tmp_path, options)
    yield sandbox
    sandbox.stop()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    # There is no graphics processor here, and imitating one takes longer than drawing without.
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-software-rasterizer"]
    return {**browser_type_launch_args, "executable_path": "/usr/bin/chromium", "args": arguments}


@pytest.fixture
def browser_context_args(browser_context_args, sandbox):
    return {**browser_context_args, "base_url": sandbox.base, "viewport": DESK}


@pytest.fixture
def new_context(new_context, sandbox):
    """Windows whose pages have no errors, and ask nobody but the sandbox."""
    problems = []

    def check(request):
        if not request.url.startswith((sandbox.base, "data:", "blob:", "file:")):
            problems.append(request.url)

    def watched(**options):
        context = new_context(**options)
        context.set_default_timeout(60_000)
        context.on("weberror", lambda error: problems.append(str(error.error)))
        context.on("console", lambda line: line.type == "error" and problems.append(f"{line.text} {line.location}"))
        context.on("request", check)
        return context

    yield watched
    # The browser logs every refusal, that nobody answers during a restart, and that the provider's page has no icon.
    expected = re.compile("status of 4(00|12)|net::ERR_|favicon.ico")
    assert not [problem for problem in problems if not expected.search(problem)]


@pytest.fixture
def look(output_path):
    """Saves a picture of a page, and finds what not everybody can use."""

    def look(page, name):
        page.screenshot(path=f"{output_path}/{name}.png")
        violations = Axe().run(page).response["violations"]
        assert not [(name, violation["id"], violation["nodes"]) for violation in violations]
        width, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width <= room, f"{name} has to be scrolled sideways"

    return look


@pytest.fixture
def page(page, look):
    yield page
    look(page, "end")


def press(part, button, says=None, **options):
    """Clicks a button of a page or of a part of it, and waits for what the page says then."""
    part.get_by_role("button", name=button, **options).click()
    if says:
        expect(getattr(part, "page", part).locator("#status")).to_contain_text(says)


def fill(form, fields):
    for label, text in fields.items():
        form.get_by_label(label).fill(text)


def follow(link, address):
    link.click()
    link.page.wait_for_url(re.compile(address))


def keys(page, *names):
    for name in names:
        page.keyboard.press(name)
