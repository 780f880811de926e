// The sandbox serves complete pages. These scripts keep the pages up to date and send changes.
import { byId, dress, refresh, say, send, showState, shown, state, tick } from "./page.js";
import { refreshRows } from "./conformance.js";
import { connect } from "./connection.js";
import { list } from "./exchanges.js";
import { begin as beginExports } from "./exports.js";
import { begin as beginNotes, followNotes } from "./notes.js";
import { begin as beginWorld } from "./world.js";
import "./changes.js";
import "./keyboard.js";

byId("host").textContent = location.host;
document.title = `${document.title} – ${location.host}`;

// The button that undoes a change stands beside the message about it.
const undo = Object.assign(document.createElement("button"), { id: "undo", type: "button", hidden: true, textContent: "Undo" });
byId("status").after(undo);

// MARK: - The stream

const watches = byId("main").dataset.watches.split(" ").filter(Boolean);
let isRefreshing = false;

// Reloads the content when something that it shows has changed, with only one request at a time.
async function follow() {
  if (document.hidden || isRefreshing || !state.known) return;
  // A change in progress reloads the content itself when it ends.
  if (state.changing) return later();
  if (byId("rows")) {
    if (state.known.exchanges > shown.exchanges) list.wake();
    return;
  }
  if (!watches.some((name) => state.known[name] > shown[name])) return;
  // A line must not move while someone is about to press its button.
  if (document.querySelector("#content table:hover")) return later();
  isRefreshing = true;
  await (byId("acceptance") ? refreshRows() : refresh());
  isRefreshing = false;
  // Later changes wait for a moment, so that a burst of exchanges leaves time to read.
  later();
}

let waiting;
function later() {
  clearTimeout(waiting);
  waiting = setTimeout(follow, 1_000);
}

function take({ state: news, lost }) {
  const wasLost = state.lost;
  state.lost = lost ?? null;
  if (news) {
    const isNew = news.token !== state.token;
    state.token = news.token;
    state.offset = news.now - Date.now();
    state.known = { exchanges: news.exchanges, changes: news.changes, world: news.world };
    byId("moved").dataset.moved = news.moved;
    badge(news.faults);
    byId("holding").hidden = !news.held;
    byId("holding").textContent = `${news.held} answer${news.held === 1 ? " is" : "s are"} held`;
    if (isNew) Object.assign(shown, { exchanges: -1, changes: -1, world: -1 });
    if (isNew) say(news.keeps ? "The sandbox was started again, and goes on with its state." : "The sandbox was started again; what it knew before is gone."); else if (wasLost) say("Connected again.");
    else {
      const own = Math.min(state.own, news.said.length);
      state.own -= own;
      if (news.said.length > own) say(news.said.slice(own).join(" "));
    }
    if (isNew && byId("rows")) list.load(true); else follow();
    followNotes();
  }
  if (Boolean(wasLost) !== Boolean(state.lost)) dress();
  showState();
}

function badge(count) {
  const link = document.querySelector('nav a[href="/console/faults"]');
  link.querySelector(".badge")?.remove();
  if (!count) return;
  const badge = document.createElement("span");
  badge.className = "badge";
  badge.innerHTML = `${Number(count)}<span class="unseen"> on</span>`;
  link.append(" ", badge);
}

document.addEventListener("visibilitychange", () => follow());

// MARK: - Parts of every page

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without access to the clipboard, browsers can still copy a selection.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  say("Copied.");
}

document.addEventListener("click", async (event) => {
  const target = event.target.closest("button");
  if (target?.dataset.copy !== undefined) return copy(target.dataset.copy, target);
  if (!target?.dataset.copyFrom) return;
  const { problems, text } = await send(`GET ${target.dataset.copyFrom}`);
  return problems.length ? say(problems.join(" ")) : copy(text, target);
});

document.addEventListener("change", (event) => {
  if (event.target.form && "onChange" in event.target.form.dataset) event.target.form.submit();
});

if (byId("rows")) list.begin();
else document.addEventListener("open-exchange", (event) => { location.href = `/console/exchanges/${event.detail}`; });
beginWorld();
beginNotes();
// The exports begin after the notes, because unsaved notes must be saved before a file contains them.
beginExports();
setInterval(tick, 1_000);
dress();
showState();
connect(take);
