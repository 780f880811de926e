// The buttons and forms that change the sandbox. Changes run one after the other, each for the version that the page shows.
import { byId, changedFields, refresh, say, send, shown, state } from "./page.js";

// Changes run in the order of the clicks, so that the last one wins.
let last = Promise.resolve();
export function inTurn(work) {
  state.changing += 1;
  last = last.then(work, work).finally(() => { state.changing -= 1; });
  return last;
}

// The functions that undo a change, by its kind. Each of them reads the present state before the change.
const undos = {
  exchanges: () => () => change({ call: "POST /console/api/exchanges/restore", done: "The exchanges are back." }),
  async world() {
    const before = await send("GET /console/api/world");
    return before.problems.length ? null : (answer) => change({
      call: "PUT /console/api/world", body: before.text, version: answer.version, done: "The world is as it was." });
  },
  async clock() {
    const before = await send("GET /console/api/clock");
    return before.problems.length ? null : (answer) => change({
      call: "POST /console/api/clock", body: JSON.stringify({ by: (before.value.moved - answer.value.moved) / 1000 }),
      done: "The clock is where it was." });
  },
};

export async function change({ call, body, version, done, undo, opens, form }) {
  const back = undo ? await undos[undo]() : null;
  const answer = await send(call, body, version);
  if (answer.problems.length) {
    say(answer.problems.join(" "));
    if (answer.status === 412) await refresh();
    return answer;
  }
  if (answer.version) shown.world = answer.version;
  // A form in a part that was opened for it is done: the part closes, and is empty when it is opened again.
  const part = form?.closest("details");
  if (part) {
    form.reset();
    part.firstElementChild.focus({ preventScroll: true });
    part.open = false;
  }
  if (opens) document.dispatchEvent(new CustomEvent("open-exchange", { detail: answer.value.id }));
  else if (byId("rows")) document.dispatchEvent(new CustomEvent("reload-list"));
  else await refresh();
  if (done) say(done, back ? () => inTurn(() => back(answer)) : undefined);
  return answer;
}

const order = ({ api, body, done, undo, ifMatch, opens }) => ({
  call: api, body, done, undo, opens: opens !== undefined, version: ifMatch === undefined ? undefined : shown.world });

// Returns the fields of a form, and of the form that it shares: all of them, or those that it names.
function values(form) {
  const values = {};
  const shared = [...byId(form.dataset.with)?.elements ?? []];
  const named = form.dataset.takes?.split(" ") ?? shared.map((field) => field.name);
  for (const fields of [shared.filter((field) => named.includes(field.name)), form.elements]) {
    for (const field of fields) {
      if (!field.name || field.value === "") continue;
      values[field.name] = field.type === "number" ? Number(field.value)
        : field.type === "datetime-local" ? new Date(field.value).getTime() : field.value;
    }
  }
  return values;
}

// Returns a merge patch with only the members of the world's behavior that were changed.
export function delta(fields) {
  const behavior = {};
  for (const field of fields) {
    const path = field.name.split(".");
    const name = path.pop();
    const target = path.reduce((value, part) => (value[part] ??= {}), behavior);
    target[name] = field.type === "checkbox" ? field.checked : Number(field.value);
  }
  return { behavior };
}

function applyBehavior(form) {
  const fields = changedFields(form);
  if (!fields.length) return say("Nothing is different from what the service does.");
  const body = JSON.stringify(delta(fields));
  return inTurn(() => change({
    call: "PATCH /console/api/world", body, version: shown.world, undo: "world", done: "The behaviour of the service was changed." }));
}

// Sends the edited request of an exchange.
function replay(form) {
  const { method, target, headers, body } = form.elements;
  const lines = headers.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const wrong = lines.find((line) => line.indexOf(":") < 1);
  if (wrong) return say(`This is no header: ${wrong}`);
  const fields = lines.map((line) => ({ name: line.slice(0, line.indexOf(":")).trim(), value: line.slice(line.indexOf(":") + 1).trim() }));
  const edit = JSON.stringify({ method: method.value.trim(), target: target.value.trim(), headers: fields, body: body.value });
  return inTurn(() => change({ call: `POST /console/api/exchanges/${form.dataset.replay}/replay`, body: edit, opens: true, done: "The edited request was sent." }));
}

// Releases a held answer with a fault, with the edited status and body, or unchanged.
function release(form) {
  const { status, body, fault } = form.elements;
  const edited = {};
  if (status.value !== status.defaultValue) edited.status = Number(status.value);
  if (body && body.value !== body.defaultValue) edited.body = body.value;
  const order = fault.value ? { fault: { kind: fault.value } } : edited;
  return inTurn(() => change({ call: `POST /console/api/holds/${form.dataset.release}/release`, body: JSON.stringify(order), done: "The answer was released." }));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-api]");
  if (button) inTurn(() => change(order(button.dataset)));
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id === "scope-form") event.preventDefault();
  else if ("behavior" in form.dataset) { event.preventDefault(); applyBehavior(form); }
  else if (form.dataset.release) { event.preventDefault(); release(form); }
  else if (form.dataset.replay) { event.preventDefault(); replay(form); }
  else if (form.dataset.api) {
    event.preventDefault();
    const body = JSON.stringify(values(form));
    inTurn(() => change({ ...order(form.dataset), body, form }));
  }
});
