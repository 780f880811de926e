// The computations of the console's scripts that need no page: durations, times, lines in JSON, and differences of lists.

const units = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];

// Returns a duration in its two largest units.
export function duration(seconds) {
  let rest = Math.floor(Math.abs(seconds));
  const parts = [];
  for (const [length, name] of units) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if ((count || parts.length) && parts.length < 2) parts.push(`${count} ${name}`);
  }
  return parts.join(" ") || "0 s";
}

// Returns the distance to the end of a lifetime as a text.
export function distance(until, now) {
  const seconds = Math.floor((until - now) / 1000);
  return seconds > 0 ? `in ${duration(seconds)}` : `ended ${duration(-seconds)} ago`;
}

const two = (number) => String(number).padStart(2, "0");

// Returns the time of day in the time zone of the browser.
export function clock(date, withMilliseconds = true) {
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return withMilliseconds ? `${time}.${String(date.getMilliseconds()).padStart(3, "0")}` : time;
}

// Returns the date and the time in the time zone of the browser.
export function localDate(date) {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock(date, false)}`;
}

// Reads JSON, and returns the line of each value by its path and the position of the first syntax error, if there is one.
// The paths have the form of those in the sandbox's sentences, such as providers[0].login.
export function jsonLines(text) {
  const lines = new Map();
  let place = 0;
  let line = 1;
  class Mistake extends Error {}
  const fail = (what) => { throw new Mistake(what); };
  function space() {
    while (place < text.length && " \t\r\n".includes(text[place])) { if (text[place] === "\n") line += 1; place += 1; }
  }
  function word(pattern, what) {
    pattern.lastIndex = place;
    const found = pattern.exec(text);
    if (!found) fail(what);
    place += found[0].length;
    return found[0];
  }
  const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
  const other = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
  function list(end, what, item) {
    place += 1;
    space();
    if (text[place] === end) { place += 1; return; }
    for (let count = 0; ; count += 1) {
      item(count);
      space();
      if (text[place] === end) { place += 1; return; }
      if (text[place] !== ",") fail(`a comma or ${end} is missing ${what}`);
      place += 1;
      space();
    }
  }
  function value(path, depth) {
    if (depth > 100) fail("the document is nested too deeply");
    space();
    if (!lines.has(path)) lines.set(path, line);
    if (text[place] === "{") {
      list("}", "in an object", () => {
        const at = line;
        const name = JSON.parse(word(string, "the name of a member must be a text in quotes"));
        const inner = path ? `${path}.${name}` : name;
        lines.set(inner, at);
        space();
        if (text[place] !== ":") fail("a colon is missing after the name of a member");
        place += 1;
        value(inner, depth + 1);
      });
    } else if (text[place] === "[") list("]", "in a list", (index) => value(`${path}[${index}]`, depth + 1));
    else if (text[place] === '"') word(string, "a text does not end in its line");
    else word(other, place < text.length ? "this is not a value" : "the document ends too early");
  }
  try {
    value("", 0);
    space();
    if (place < text.length) fail("something follows the end of the document");
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    const column = place - text.lastIndexOf("\n", place - 1);
    return { lines, mistake: { line, column, text: mistake.message } };
  }
  return { lines, mistake: null };
}

// Returns the sandbox's sentences about a document, each with its line.
export function withLines(text, problems) {
  const { lines, mistake } = jsonLines(text);
  if (mistake) return [`Line ${mistake.line}, column ${mistake.column}: ${mistake.text}.`];
  const placed = problems.map((problem) => {
    let path = /^(?:The value of )?([A-Za-z0-9_.[\]-]+)/.exec(problem)?.[1] ?? "";
    while (path && !lines.has(path)) path = path.replace(/(?:\.[^.[\]]*|\[\d*\])$|^[^.[\]]*$/, "");
    return { line: path ? lines.get(path) : Infinity, problem };
  });
  // A difference of two infinities is no number, so the lines are compared.
  placed.sort((one, other) => (one.line < other.line ? -1 : one.line > other.line ? 1 : 0));
  return placed.map(({ line, problem }) => (line === Infinity ? problem : `Line ${line}: ${problem}`));
}

// Returns the ids in the new list that are not in the shown one.
export function newIds(shown, found) {
  const known = new Set(shown);
  return found.filter((id) => !known.has(id));
}

// Returns a function that counts a mark in a text that arrives in pieces, even if the mark is divided between two pieces.
export function counter(mark) {
  let count = 0;
  let rest = "";
  return (piece) => {
    const parts = (rest + piece).split(mark);
    count += parts.length - 1;
    rest = parts.at(-1).slice(1 - mark.length);
    return count;
  };
}
