// The parts that all views share: the state from the stream, requests, messages, and the content of the page.
import { clock, distance, duration, localDate } from "./text.js";

export const byId = (id) => document.getElementById(id);
const meta = (name) => document.querySelector(`meta[name="${name}"]`).content;
const [exchanges, changes, world] = meta("sandbox-state").split(" ").map(Number);

// The state of the sandbox that the page knows, and the versions of the data that the page shows.
export const state = { token: meta("sandbox-token"), lost: null, own: 0, changing: 0, offset: Number(meta("sandbox-now")) - Date.now() };
export const shown = { exchanges, changes, world };

let clearing;

// Shows a message, with a button that undoes the change if that is possible.
export function say(text, undo) {
  byId("status").textContent = text;
  const place = byId("undo");
  place.hidden = !undo;
  place.onclick = undo ? () => { place.hidden = true; undo(); } : null;
  clearTimeout(clearing);
  clearing = setTimeout(() => { byId("status").textContent = ""; place.hidden = true; }, undo ? 20_000 : 8_000);
}

// Sends a request with a time limit.
export const ask = (path, options) => fetch(path, { ...options, signal: AbortSignal.timeout(30_000) });

// Sends a request, which is usually a change. The result contains the problems as sentences, the new version of the world, and
// the body of the answer.
export async function send(call, body, version) {
  const [method, path] = call.split(" ");
  if (state.lost && method !== "GET") return { problems: ["The sandbox does not answer: nothing was changed."] };
  const headers = { "X-Sandbox-Token": state.token };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  // The stream also reports the changes of this page, which the page has already announced itself.
  const isTold = method !== "GET" && !/\/(check|replay)$/.test(path);
  if (isTold) state.own += 1;
  let answer = null;
  try {
    answer = await ask(path, { method, headers, body });
  } catch { /* The sandbox does not answer. */ }
  if (isTold && !answer?.ok) state.own -= 1;
  if (!answer) return { problems: ["The sandbox does not answer. Is it still running?"] };
  const tag = answer.headers.get("ETag");
  const text = await answer.text().catch(() => "");
  const isJSON = answer.headers.get("Content-Type")?.startsWith("application/json");
  let value = null;
  try { value = isJSON ? JSON.parse(text) : null; } catch { /* The answer was cut off. */ }
  const problems = answer.ok ? [] : value?.problems ?? [value?.error ?? `The sandbox answered with HTTP ${answer.status}.`];
  return { problems, status: answer.status, version: tag ? Number(tag.replaceAll('"', "")) : undefined, text, value };
}

// MARK: - Completing the sandbox's HTML

// Shows times in the time zone of the browser and lifetimes, and disables buttons while changes are impossible.
export function dress(root = document) {
  for (const time of root.querySelectorAll("time[datetime]:not([title])")) {
    const date = new Date(time.dateTime);
    time.title = `${time.dateTime} (UTC)`;
    time.textContent = "clock" in time.dataset ? clock(date) : localDate(date);
  }
  for (const zone of root.querySelectorAll(".zone")) zone.textContent = "";
  for (const button of root.querySelectorAll("[data-api]:is(button), form[data-api] button, [data-behavior] button, [data-replay] button, [data-release] button, #world-apply, #notes")) {
    button.disabled = Boolean(state.lost);
  }
  tick(root);
}

export function tick(root = document) {
  const now = Date.now() + state.offset;
  for (const element of root.querySelectorAll("[data-until]")) put(element, distance(Number(element.dataset.until), now));
  for (const element of root.querySelectorAll("[data-until-here]")) put(element, distance(Number(element.dataset.untilHere), Date.now()));
  for (const element of root.querySelectorAll("[data-since]")) {
    put(element, `in flight, ${duration(Math.max(0, now - Number(element.dataset.since)) / 1000)}`);
  }
}

function put(element, text) { if (element.textContent !== text) element.textContent = text; }

// Updates the bar about a lost connection and the clock in the header.
export function showState() {
  const bar = byId("lost");
  const text = state.lost
    ? `Not connected since ${clock(new Date(state.lost), false)}. This page shows what was known then; changes are off until the sandbox answers again.` : "";
  if (bar.textContent !== text) bar.textContent = text;
  document.documentElement.classList.toggle("lost", Boolean(state.lost));
  const moved = Number(byId("moved").dataset.moved);
  put(byId("moved"), moved ? `Clock ${moved > 0 ? "+" : "−"}${duration(moved / 1000)}` : "");
}

// MARK: - Reloading the content

const isChanged = (field) => {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT") return [...field.options].some((option, place) => option.selected !== (option.defaultSelected || (place === 0 && ![...field.options].some((other) => other.defaultSelected))));
  return field.type !== "hidden" && field.type !== "file" && field.value !== field.defaultValue;
};

// Returns the fields that a person has changed.
export const changedFields = (form) => [...form.elements].filter((field) => field.name && isChanged(field));

const keyOf = (form) => form.id || form.getAttribute("aria-label") || form.querySelector("button")?.getAttribute("aria-label") || form.dataset.api || "";

// While a button is held down, the page must not replace it, because the click would be lost.
let pressed = null;
addEventListener("pointerdown", () => {
  pressed = new Promise((release) => {
    const end = () => setTimeout(() => { pressed = null; release(); });
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { once: true });
    // The menu of a select element may suppress the event for the end.
    setTimeout(end, 2_000);
  });
}, true);

// Returns the parts that a person can open, each with a name that it still has after the content is loaded again.
function partsOf(content) {
  const counts = new Map();
  return [...content.querySelectorAll("details")].map((part) => {
    const section = part.closest("section")?.getAttribute("aria-labelledby") ?? "";
    const name = `${section} ${part.id || part.querySelector("summary").textContent}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return [`${name} ${counts.get(name)}`, part];
  });
}

const formOf = (content, key) => [...content.querySelectorAll("form")].find((form) => keyOf(form) === key);

// Remembers the focus in the content, and returns a function that restores it in the new content. A field in which a person is
// typing is itself moved into the new content. No script can read the selection of a number field, so in a new field the next
// key would add a digit to the old value.
function focusIn(content) {
  const active = document.activeElement;
  if (!content.contains(active)) return () => {};
  const { id, form, name, selectionStart: start, selectionEnd: end, scrollTop } = active;
  const label = active.getAttribute("aria-label");
  const key = form && keyOf(form);
  const summary = partsOf(content).find(([, part]) => part.firstElementChild === active)?.[0];
  const isTyped = active.matches("textarea, input:not([type=checkbox], [type=radio], [type=file])");
  const isKept = isTyped && isChanged(active);
  return () => {
    let same = summary ? new Map(partsOf(content)).get(summary)?.firstElementChild : id ? byId(id) : label ? content.querySelector(`[aria-label="${CSS.escape(label)}"]`) : form && formOf(content, key)?.elements[name];
    if (isTyped && same?.tagName === active.tagName && same.type === active.type) {
      const { value, defaultValue } = same;
      active.defaultValue = defaultValue;
      if (!isKept && active.value !== value) active.value = value;
      same.replaceWith(active);
      same = active;
    }
    (same || byId("main")).focus({ preventScroll: true });
    if (!same || start === null || start === undefined) return;
    same.setSelectionRange(start, end);
    same.scrollTop = scrollTop;
  };
}

// Notes that the page now shows at least these versions.
export function showsNow(versions) {
  for (const [name, version] of Object.entries(versions)) shown[name] = Math.max(shown[name], version);
}

// Replaces the content of the page, and retains unsaved input, opened parts, the focus and the scroll position.
export async function refresh() {
  const version = state.known ?? { ...shown };
  const answer = await ask(location.href).catch(() => null);
  if (!answer || !answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  await pressed;
  const content = byId("content");
  const returnFocus = focusIn(content);
  const kept = [...content.querySelectorAll("form")].flatMap((form) => changedFields(form).map((field) => (
    { key: keyOf(form), name: field.name, value: field.value, checked: field.checked, version: form.dataset.version, before: field.defaultValue })));
  const wasOpen = new Map(partsOf(content).map(([name, part]) => [name, part.open]));
  content.replaceChildren(...document.importNode(page.getElementById("content"), true).childNodes);
  document.querySelector("nav").replaceChildren(...document.importNode(page.querySelector("nav"), true).childNodes);
  for (const [name, part] of partsOf(content)) part.open = wasOpen.get(name) ?? part.open;
  for (const { key, name, value, checked, version, before } of kept) {
    const form = formOf(content, key);
    const field = form?.elements[name];
    if (!field) continue;
    if (field.type === "checkbox") field.checked = checked; else field.value = value;
    // Unsaved input still refers to the version on which it is based.
    if (version !== undefined) form.dataset.version = version;
    if (field.defaultValue !== before) form.dispatchEvent(new CustomEvent("overtaken", { bubbles: true }));
  }
  showsNow(version);
  dress();
  returnFocus();
}
