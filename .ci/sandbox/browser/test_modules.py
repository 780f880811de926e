"""The functions of the console's scripts that need no page."""
import pytest

# A feed with a clock and connections of its own.
FEED = """
  const told = [], sources = [], timers = [];
  let time = 0;
  const open = () => {
    sources.push({
      listeners: {}, closed: false,
      addEventListener(name, work) { this.listeners[name] = work; },
      close() { this.closed = true; },
    });
    return sources.at(-1);
  };
  const after = (work) => timers.push(work);
  const feed = new Feed((message) => told.push(message), { open, now: () => time, after });
  const run = (seconds) => { time += seconds * 1000; for (const work of timers.splice(0)) work(); };
  const hear = (state) => sources.at(-1).listeners.state({ data: JSON.stringify(state) });
  feed.start();
"""


@pytest.fixture
def call(page):
    """Runs code with the modules, and with a value as `it`; returns what the code returns."""
    page.goto("/")
    modules = "".join(
        f"const {names} = await import('/console/assets/{module}.js');\n"
        for names, module in [("text", "text"), ("{ delta }", "changes"), ("{ Feed }", "stream")])
    return lambda code, it=None: page.evaluate(f"async (it) => {{ {modules} {code} }}", it)


def test_a_duration_has_two_units_and_an_end_a_distance(call):
    durations = {0: "0 s", 59.9: "59 s", 60: "1 min 0 s", 3_661: "1 h 1 min", 90_000: "1 d 1 h", -61: "1 min 1 s"}
    for seconds, words in durations.items():
        assert call("return text.duration(it)", seconds) == words
    for end, now, words in [(61_000, 0, "in 1 min 1 s"), (0, 0, "ended 0 s ago"), (0, 5_500, "ended 6 s ago")]:
        assert call("return text.distance(...it)", [end, now]) == words


def test_a_mark_is_counted_wherever_a_piece_ends(call):
    for place in range(10):
        pieces = ["<x<<x y<x"[:place], "<x<<x y<x"[place:]]
        assert call("const count = text.counter('<x'); count(it[0]); return count(it[1])", pieces) == 3


def test_each_value_of_json_has_a_line(call):
    lines = call("return Object.fromEntries(text.jsonLines(it).lines)", '{\n"a": [\n1,\n{"b": "x\\n"}],\n"c": null\n}')
    assert lines.items() >= {"a": 2, "a[0]": 3, "a[1].b": 4, "c": 5}.items()
    world = '{\n"behavior": {\n"isThrotled": true\n},\n"providers": [\n{ "id": "a" }\n]\n}'
    said = ["behavior.isThrotled is not a known field.", "providers[0].login is missing.", "Something else."]
    assert call("return text.withLines(...it)", [world, said]) == [f"Line 3: {said[0]}", f"Line 6: {said[1]}", said[2]]
    said = ["The value of providers[0].id is not allowed.", "behavior: x", "There are 2 more."]
    assert call("return text.withLines(...it)", [world, said]) == [f"Line 2: {said[1]}", f"Line 6: {said[0]}", said[2]]
    assert len(call("return text.withLines('{', ['The document is not JSON.'])")) == 1


@pytest.mark.parametrize("wrong", [True, False])
def test_the_first_mistake_in_json_has_a_place(call, wrong):
    places = {
        "": (1, 1), "[": (1, 2), '{"a":1,}': (1, 8), '{\n"a" 1}': (2, 5), "[1\n2]": (2, 1), '"a\nb"': (1, 1),
        "1 2": (1, 3), "{\n'a': 1}": (2, 1), "[01]": (1, 3), "[" * 5_000: (1, 102),
    }
    right = dict.fromkeys(["0", "-1.5e+3", '"\\u00e9"', "[]", "{}", " [ true , false ] "])
    for json, place in (places if wrong else right).items():
        mistake = call("return text.jsonLines(it).mistake", json)
        assert (mistake and (mistake["line"], mistake["column"])) == place, json


def test_only_new_lines_are_shown_and_only_changed_fields_sent(call):
    assert call("return text.newIds(...it)", [["3", "2"], ["5", "4", "3"]]) == ["5", "4"]
    fields = [
        {"name": "isStrict", "type": "checkbox", "checked": True},
        {"name": "restV2.usesAbsoluteURLs", "type": "checkbox", "checked": False},
        {"name": "denialStatus", "value": "403"},
    ]
    behavior = {"isStrict": True, "restV2": {"usesAbsoluteURLs": False}, "denialStatus": 403}
    assert call("return delta(it)", fields) == {"behavior": behavior}


def test_a_feed_tells_a_late_tab_the_state_and_no_old_sentence(call):
    assert call(FEED + "hear({ world: 1, said: ['a'] }); return [...told, feed.last]") == [
        {"state": {"world": 1, "said": ["a"]}}, {"state": {"world": 1, "said": []}}]


def test_a_feed_loses_a_connection_that_ends_or_is_silent_and_tries_again(call):
    assert call(FEED + """
      const seen = [];
      const see = () => seen.push([told.length, sources.length, sources[0].closed]);
      hear({ said: [] });
      for (const seconds of [14, 2, 1]) { run(seconds); see(); }
      sources[1].listeners.error();
      run(1);
      see();
      // The end of a connection that was given up already says nothing.
      sources[0].listeners.error();
      hear({ said: [] });
      return [seen, told.slice(1)];
    """) == [
        [[1, 1, False], [2, 1, True], [2, 2, True], [2, 3, True]],
        [{"lost": 16_000}, {"state": {"said": []}}],
    ]
