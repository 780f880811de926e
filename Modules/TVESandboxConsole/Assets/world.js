// The editor of a world. It preserves unsaved text, names the lines of errors, and does not overwrite a change made elsewhere.
import { byId, refresh, say, send, shown } from "./page.js";
import { inTurn } from "./changes.js";
import { withLines } from "./text.js";

const key = "tve-sandbox-world";

function note(text, buttons = []) {
  const place = byId("world-note");
  place.hidden = !text;
  place.textContent = text;
  for (const [name, work] of buttons) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", work);
    place.append(" ", button);
  }
}

async function load() {
  sessionStorage.removeItem(key);
  byId("world").value = byId("world").defaultValue;
  await refresh();
  note("");
}

function overtaken() {
  note("The world was changed elsewhere since you began. Your text is kept.", [
    ["Load the current world", load],
    ["Apply mine anyway", () => { byId("world-form").dataset.version = shown.world; note(""); edit(false); }],
  ]);
}

function tell(problems) {
  const list = document.createElement("ul");
  for (const problem of problems) {
    const line = document.createElement("li");
    line.textContent = problem;
    list.append(line);
  }
  byId("world-problems").replaceChildren(...(problems.length ? [list] : []));
}

async function editWorld(text, checksOnly) {
  const form = byId("world-form");
  const answer = await send(
    checksOnly ? "POST /console/api/world/check" : "PUT /console/api/world", text, checksOnly ? undefined : form.dataset.version);
  if (answer.status === 412) {
    tell([]);
    overtaken();
    return say(answer.problems.join(" "));
  }
  tell(answer.status === 400 ? withLines(text, answer.problems) : answer.problems);
  if (answer.problems.length) return say("Nothing was changed.");
  if (checksOnly) return say("The world is valid.");
  sessionStorage.removeItem(key);
  // The applied text is no longer unsaved.
  if (byId("world").value === text) byId("world").defaultValue = text;
  if (answer.version) shown.world = answer.version;
  await refresh();
  note("");
  say("The world was applied.");
}

// The text is read now, because a change that is still in progress may replace the editor.
function edit(checksOnly) {
  const text = byId("world").value;
  return inTurn(() => editWorld(text, checksOnly));
}

function keep() {
  const form = byId("world-form");
  sessionStorage.setItem(key, JSON.stringify({ text: byId("world").value, version: form.dataset.version }));
}

export function begin() {
  if (!byId("world-form")) return;
  document.addEventListener("overtaken", (event) => { if (event.target.id === "world-form") overtaken(); });
  const draft = JSON.parse(sessionStorage.getItem(key) ?? "null");
  if (draft && draft.text !== byId("world").value) {
    const isOld = draft.version !== byId("world-form").dataset.version;
    byId("world").value = draft.text;
    byId("world-form").dataset.version = draft.version;
    if (isOld) overtaken(); else note("This is your unsaved text.", [["Load the current world", load]]);
  }
  document.addEventListener("input", (event) => { if (event.target.id === "world") keep(); });
  document.addEventListener("click", (event) => { if (event.target.id === "world-check") edit(true); });
  document.addEventListener("submit", (event) => {
    if (event.target.id === "world-form") { event.preventDefault(); edit(false); }
  });
  document.addEventListener("change", async (event) => {
    if (event.target.id !== "world-file" || !event.target.files[0]) return;
    byId("world").value = await event.target.files[0].text();
    keep();
    edit(true);
  });
}
