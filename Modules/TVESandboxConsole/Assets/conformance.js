// Updates the rows of the acceptance list while a device is in use.
import { ask, byId, dress, showsNow, shown, state } from "./page.js";

// Replaces the rows that have changed. Expanded rows stay expanded, the focus is retained, and no row moves.
function show(page) {
  for (const id of ["verdict", "choice"]) {
    const [old, fresh] = [byId(id), page.getElementById(id)];
    if (old.innerHTML !== fresh.innerHTML && !old.contains(document.activeElement)) {
      old.className = fresh.className;
      old.replaceChildren(...document.importNode(fresh, true).childNodes);
    }
  }
  // If the list of the tester's own expectations has changed, it is replaced as a whole.
  const rows = (root) => [...root.querySelectorAll("#own > .row > summary")].map((line) => line.lastChild.textContent).join("\n");
  if (rows(document) !== rows(page)) byId("own").replaceChildren(...document.importNode(page.getElementById("own"), true).childNodes);
  for (const row of page.querySelectorAll(".acceptance > .row")) {
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

// Reloads the rows.
export async function refreshRows() {
  const version = state.known ?? { ...shown };
  const answer = await ask(location.href).catch(() => null);
  if (!answer?.ok) return;
  show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  showsNow(version);
  dress();
}
