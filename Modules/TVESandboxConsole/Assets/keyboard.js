// The keys of the console: / goes to the filter, the arrows or j and k move between rows, Escape closes the opened exchange,
// Ctrl-K finds everything by name, and ? lists the keys.
import { byId } from "./page.js";
import { list } from "./exchanges.js";

const isField = (element) => element?.matches?.("input, textarea, select, [contenteditable]");

// Returns the entries that can be chosen by name: views, actions of the page and devices.
function entries() {
  const links = [...document.querySelectorAll("nav a")].map((link) => [`View: ${link.firstChild.textContent.trim()}`, () => { location.href = link.href; }]);
  const buttons = [...document.querySelectorAll("#filter button, #filter a.button, #detail .actions :is(button, a), .actions :is(button, a.button)")]
    .filter((element) => !element.disabled && element.offsetParent && element.textContent.trim())
    .map((element) => [element.getAttribute("aria-label") ?? element.textContent.trim(), () => element.click()]);
  const devices = [...(byId("filter")?.elements.device.options ?? [])].filter((option) => option.value)
    .map((option) => [`Device: ${option.textContent}`, () => { location.href = `/?device=${encodeURIComponent(option.value)}`; }]);
  buttons.push(["Keys", showKeys]);
  const seen = new Set();
  return [...links, ...buttons, ...devices].filter(([name]) => !seen.has(name) && seen.add(name));
}

function palette() {
  byId("palette")?.remove();
  const dialog = document.createElement("dialog");
  dialog.id = "palette";
  dialog.setAttribute("aria-label", "Go to");
  dialog.innerHTML = '<input role="combobox" aria-label="View, action, device or number of an exchange" aria-expanded="true" aria-controls="palette-list" autocomplete="off"><ul id="palette-list" role="listbox" aria-label="Choices"></ul>';
  document.body.append(dialog);
  const [input, choices] = dialog.children;
  const all = entries();
  let found = [];
  let place = 0;
  function draw() {
    const words = input.value.toLowerCase().split(" ").filter(Boolean);
    found = all.filter(([name]) => words.every((word) => name.toLowerCase().includes(word)));
    if (/^\d+$/.test(input.value.trim())) found.unshift([`Exchange ${input.value.trim()}`, () => { location.href = `/console/exchanges/${input.value.trim()}`; }]);
    found = found.slice(0, 12);
    place = Math.max(0, Math.min(place, found.length - 1));
    choices.replaceChildren(...found.map(([name], index) => {
      const item = document.createElement("li");
      item.id = `choice-${index}`;
      item.role = "option";
      item.ariaSelected = String(index === place);
      item.textContent = name;
      item.addEventListener("click", () => take(index));
      return item;
    }));
    input.setAttribute("aria-activedescendant", found.length ? `choice-${place}` : "");
  }
  function take(index) {
    const work = found[index]?.[1];
    dialog.close();
    work?.();
  }
  input.addEventListener("input", () => { place = 0; draw(); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      place = (place + (event.key === "ArrowDown" ? 1 : found.length - 1)) % Math.max(1, found.length);
      draw();
    } else if (event.key === "Enter") { event.preventDefault(); take(place); }
  });
  dialog.addEventListener("close", () => dialog.remove());
  draw();
  dialog.showModal();
}

const keys = [
  [["/"], "types into the filter"], [["j", "k"], "next and previous exchange; so do the arrows"],
  [["n", "p"], "next and previous exchange, or page"], [["Enter"], "opens the exchange that has the focus"],
  [["Escape"], "closes the opened exchange"], [["Ctrl-K"], "goes to a view, an action, a device or a number"], [["?"], "shows this list"],
];

// Shows the list of keys.
function showKeys() {
  byId("keys")?.remove();
  const dialog = document.createElement("dialog");
  dialog.id = "keys";
  dialog.setAttribute("aria-labelledby", "keys-title");
  const lines = keys.map(([names, what]) => `<dt>${names.map((name) => `<kbd>${name}</kbd>`).join(" ")}</dt><dd>${what}</dd>`);
  dialog.innerHTML = `<h2 id="keys-title">Keys</h2><dl>${lines.join("")}</dl><button type="button">Close</button>`;
  dialog.querySelector("button").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const footer = document.createElement("footer");
footer.append(Object.assign(document.createElement("button"), { id: "show-keys", className: "small", type: "button", textContent: "Keys (?)" }));
footer.firstChild.addEventListener("click", showKeys);
byId("main").after(footer);

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    if (!document.querySelector("#palette[open]")) palette();
    return;
  }
  // A dialog is removed some time after it was closed, and the next key is not for it.
  if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
  const hasList = Boolean(byId("rows"));
  if (event.key === "Escape" && hasList && list.chosen) return list.close();
  if (isField(event.target)) return;
  if (event.key === "?") { event.preventDefault(); return showKeys(); }
  if (event.key === "/" && byId("filter")) { event.preventDefault(); byId("filter").elements.text.select(); return; }
  const inScroller = event.target.closest?.("pre, #detail");
  const steps = { j: 1, k: -1, n: 1, p: -1, ...(inScroller ? {} : { ArrowDown: 1, ArrowUp: -1 }) };
  if (hasList && steps[event.key]) { event.preventDefault(); return list.step(steps[event.key]); }
  const way = { n: "next", p: "prev" }[event.key];
  const link = way && document.querySelector(`#main a[rel="${way}"]`);
  if (link) link.click();
});
