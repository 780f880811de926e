// Exports with their progress: the sandbox makes them in pieces, and says how many exchanges they have.
import { byId, say } from "./page.js";
import { counter } from "./text.js";

// Longer than the sandbox needs for any piece.
const silence = 30_000;
let running = null;

function show(count, total) {
  byId("exporting").hidden = false;
  byId("export-bar").max = Math.max(1, total);
  byId("export-bar").value = count;
  byId("export-text").textContent = `Exporting: ${count} of ${total} exchange${total === 1 ? "" : "s"}`;
}

function save(parts, name) {
  const address = URL.createObjectURL(new Blob(parts, { type: "application/octet-stream" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function run({ href, download, dataset }) {
  const work = running = new AbortController();
  let timer;
  const wait = () => { clearTimeout(timer); timer = setTimeout(() => work.abort("silence"), silence); };
  try {
    wait();
    const answer = await fetch(href, { signal: work.signal });
    if (!answer.ok) return say(`Nothing was exported: the sandbox answered with HTTP ${answer.status}.`);
    const total = Number(answer.headers.get("X-Sandbox-Exchanges"));
    const count = counter(dataset.counts);
    const decoder = new TextDecoder();
    const parts = [];
    const reader = answer.body.getReader();
    show(0, total);
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      wait();
      parts.push(piece.value);
      show(count(decoder.decode(piece.value, { stream: true })), total);
    }
    save(parts, download);
    say(`${total} exchange${total === 1 ? " was" : "s were"} exported.`);
  } catch {
    say(work.signal.reason === "stop" ? "The export was stopped; nothing was saved."
      : "The sandbox stopped answering before the end of the export; nothing was saved.");
  } finally {
    clearTimeout(timer);
    running = null;
    byId("exporting").hidden = true;
  }
}

// Without scripts, the links save the file themselves.
export function begin() {
  document.addEventListener("click", (event) => {
    if (event.target.id === "export-stop") return running?.abort("stop");
    const link = event.target.closest("a[data-counts]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (running) say("An export is in progress."); else run(link);
  });
}
