// Keeps the rows of the acceptance list up to date while a device is used.
const byId = (id) => document.getElementById(id);

// What is open stays open, what has the focus keeps it, and nothing moves.
function show(page) {
  for (const id of ["verdict", "choice"]) {
    const [old, fresh] = [byId(id), page.getElementById(id)];
    if (old.innerHTML !== fresh.innerHTML && !old.contains(document.activeElement)) {
      old.className = fresh.className;
      old.replaceChildren(...document.importNode(fresh, true).childNodes);
    }
  }
  for (const row of page.querySelectorAll("#acceptance > .row")) {
    const old = byId(row.id);
    if (old.dataset.state === row.dataset.state) continue;
    const fresh = document.importNode(row, true);
    const hasFocus = old.contains(document.activeElement);
    fresh.open = old.open;
    if (old.className.replace(" new", "") !== fresh.className) fresh.classList.add("new");
    old.replaceWith(fresh);
    if (hasFocus) fresh.querySelector("summary").focus({ preventScroll: true });
  }
}

let isAsking = false;
let isStale = false;

// One question at a time, and one a second at most: a flow is many exchanges at once.
async function refresh() {
  isStale = isAsking;
  if (isAsking) return;
  isAsking = true;
  try {
    const answer = await fetch(location.href, { signal: AbortSignal.timeout(30_000) });
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    byId("status").textContent = "The sandbox does not answer. Is it still running?";
  }
  setTimeout(() => { isAsking = false; if (isStale) refresh(); }, 1000);
}

const source = new EventSource("/console/api/events");
source.addEventListener("exchange", refresh);
source.addEventListener("open", () => { byId("status").textContent = ""; refresh(); });
source.addEventListener("error", () => { byId("status").textContent = "The sandbox does not answer. Is it still running?"; });
