// The field for notes. It is saved during typing and updated in other tabs, and never overwrites what another tab has saved.
import { ask, byId, say, send, state } from "./page.js";

let version;
let timer;
let saving = Promise.resolve();

const field = () => byId("notes");
const isDirty = () => field().value !== field().defaultValue;

function note(text, buttons = []) {
  const place = byId("notes-note");
  place.hidden = !text;
  place.textContent = text;
  for (const [name, work] of buttons) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    button.addEventListener("click", work);
    place.append(" ", button);
  }
}

async function read() {
  const answer = await ask("/console/api/notes").catch(() => null);
  if (!answer?.ok) return null;
  return { version: Number(answer.headers.get("ETag").replaceAll('"', "")), text: (await answer.json()).text };
}

function take({ version: number, text }) {
  version = number;
  field().defaultValue = text;
  field().value = text;
  note("");
}

async function write() {
  clearTimeout(timer);
  const text = field().value;
  if (!isDirty()) return;
  const answer = await send("PUT /console/api/notes", JSON.stringify({ text }), version);
  if (answer.status === 412) {
    return note("The notes were changed in another window. Yours are kept here.", [
      ["Load the saved notes", async () => { const saved = await read(); if (saved) take(saved); }],
      ["Save mine anyway", () => { version = answer.version; note(""); save(); }],
    ]);
  }
  if (answer.problems.length) return say(answer.problems.join(" "));
  version = answer.version;
  field().defaultValue = text;
  note("");
  byId("notes-saved").textContent = "Saved.";
}

function save() {
  saving = saving.then(write, write);
  return saving;
}

// Loads the notes that another tab may have saved.
export async function followNotes() {
  if (!field() || state.known?.changes === followNotes.seen) return;
  followNotes.seen = state.known?.changes;
  await saving;
  const saved = await read();
  if (!saved || saved.version === version || isDirty()) return;
  take(saved);
}

export function begin() {
  if (!field()) return;
  version = Number(field().dataset.version);
  field().addEventListener("input", () => {
    byId("notes-saved").textContent = "";
    clearTimeout(timer);
    timer = setTimeout(save, 800);
  });
  field().addEventListener("change", save);
  // Unsaved notes are saved before the session is exported, so that the file contains them.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest('a[data-filtered="/console/api/session"]');
    if (!link || !isDirty()) return;
    event.preventDefault();
    await save();
    if (!isDirty()) link.click();
  });
  addEventListener("beforeunload", (event) => { if (isDirty()) event.preventDefault(); });
}
