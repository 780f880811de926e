// The exports and their progress. The sandbox sends an export in pieces, and its number of exchanges in a header.
import { byId, say } from "./page.js";
import { counter } from "./text.js";

// The time in milliseconds after which the sandbox is considered silent. It needs less for any piece.
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
  // By this time the browser has begun to save the file.
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

// Without scripts, the browser saves the files through the links.
export function begin() {
  document.addEventListener("click", (event) => {
    if (event.target.id === "export-stop") return running?.abort("stop");
    const link = event.target.closest("a[data-counts]");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (running) say("An export is in progress."); else run(link);
  });
}
