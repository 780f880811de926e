// Unit tests of the console's modules; .ci/sandbox/console-day.py runs them in a page of the console, whose modules they
// import. Each returns nothing, or throws.
async () => {
  const load = (name) => import(`/console/assets/${name}.js`);
  const text = await load("text");
  const { Feed } = await load("stream");
  const { delta } = await load("changes");
  const equal = (found, wanted) => {
    const [one, other] = [found, wanted].map((value) => JSON.stringify(value));
    if (one !== other) throw new Error(`${one} is not ${other}`);
  };

  // A feed with a clock and connections of its own.
  function feed() {
    const told = [];
    const sources = [];
    const timers = [];
    let time = 0;
    const made = new Feed((message) => told.push(message), {
      open() {
        const source = { listeners: {}, closed: false, addEventListener(name, work) { this.listeners[name] = work; }, close() { this.closed = true; } };
        sources.push(source);
        return source;
      },
      now: () => time,
      after: (work) => timers.push(work),
    });
    const run = (seconds) => { time += seconds * 1000; for (const work of timers.splice(0)) work(); };
    const hear = (state) => sources.at(-1).listeners.state({ data: JSON.stringify(state) });
    return { made, told, sources, run, hear };
  }

  const tests = {
    countsAMark_whereverAPieceEnds() {
      const all = "<x<<x y<x";
      for (let place = 0; place <= all.length; place += 1) {
        const count = text.counter("<x");
        count(all.slice(0, place));
        equal(count(all.slice(place)), 3);
      }
    },
    saysADurationInTwoUnits() {
      for (const [seconds, words] of [[0, "0 s"], [59.9, "59 s"], [60, "1 min 0 s"], [3_661, "1 h 1 min"], [90_000, "1 d 1 h"], [-61, "1 min 1 s"]]) equal(text.duration(seconds), words);
    },
    saysHowFarAnEndIs() {
      equal(text.distance(61_000, 0), "in 1 min 1 s");
      equal(text.distance(0, 0), "ended 0 s ago");
      equal(text.distance(0, 5_500), "ended 6 s ago");
    },
    findsTheLineOfEachValue() {
      const { lines, mistake } = text.jsonLines('{\n"a": [\n1,\n{"b": "x\\n"}],\n"c": null\n}');
      equal(mistake, null);
      equal(["a", "a[0]", "a[1].b", "c"].map((path) => lines.get(path)), [2, 3, 4, 5]);
    },
    findsTheFirstMistake() {
      for (const [json, line, column] of [["", 1, 1], ["[", 1, 2], ['{"a":1,}', 1, 8], ['{\n"a" 1}', 2, 5], ["[1\n2]", 2, 1], ['"a\nb"', 1, 1], ["1 2", 1, 3], ["{\n'a': 1}", 2, 1], ["[01]", 1, 3]]) {
        const { mistake } = text.jsonLines(json);
        equal([json, mistake?.line, mistake?.column], [json, line, column]);
      }
      for (const json of ["0", "-1.5e+3", '"\\u00e9"', "[]", "{}", ' [ true , false ] ']) equal(text.jsonLines(json).mistake, null);
      if (!text.jsonLines("[".repeat(5_000)).mistake) throw new Error("A deep document has no end.");
    },
    namesTheLineOfASentence() {
      const json = '{\n"behavior": {\n"isThrotled": true\n},\n"providers": [\n{ "id": "a" }\n]\n}';
      equal(text.withLines(json, ["behavior.isThrotled is not a known field.", "providers[0].login is missing.", "Something else."]),
        ["Line 3: behavior.isThrotled is not a known field.", "Line 6: providers[0].login is missing.", "Something else."]);
      equal(text.withLines(json, ["Something else.", "The value of providers[0].id is not allowed.", "behavior: x", "There are 2 more."]),
        ["Line 2: behavior: x", "Line 6: The value of providers[0].id is not allowed.", "Something else.", "There are 2 more."]);
      equal(text.withLines("{", ["The document is not JSON."]).length, 1);
    },
    findsNewLines() { equal(text.newIds(["3", "2"], ["5", "4", "3"]), ["5", "4"]); },
    sendsOnlyWhatWasChanged() {
      equal(delta([{ name: "isStrict", type: "checkbox", checked: true }, { name: "restV2.usesAbsoluteURLs", type: "checkbox", checked: false }, { name: "denialStatus", value: "403" }]),
        { behavior: { isStrict: true, restV2: { usesAbsoluteURLs: false }, denialStatus: 403 } });
    },
    tellsALateTabTheState_andNoOldSentence() {
      const { made, told, hear } = feed();
      made.start();
      hear({ world: 1, said: ["a"] });
      equal(told, [{ state: { world: 1, said: ["a"] } }]);
      equal(made.last, { state: { world: 1, said: [] } });
    },
    losesAConnection_thatEndsOrIsSilent_andTriesAgain() {
      const { made, told, sources, run, hear } = feed();
      made.start();
      hear({ said: [] });
      run(14);
      equal([told.length, sources.length], [1, 1]);
      run(2);
      equal([told.at(-1), sources[0].closed], [{ lost: 16_000 }, true]);
      run(1);
      equal(sources.length, 2);
      sources[1].listeners.error();
      run(1);
      equal([told.length, sources.length], [2, 3]);
      // The end of a connection that was given up already says nothing.
      sources[0].listeners.error();
      hear({ said: [] });
      equal(told.at(-1), { state: { said: [] } });
    },
  };

  const failures = [];
  for (const [name, test] of Object.entries(tests)) {
    try { await test(); } catch (error) { failures.push(`${name}: ${error.message}`); }
  }
  return { count: Object.keys(tests).length, failures };
}
