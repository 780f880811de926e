// The list of exchanges. Its state (the filter, the page and the opened exchange) is in the address, so that the sandbox can
// serve each state as a page.
import { ask, byId, dress, say, showsNow, state } from "./page.js";
import { newIds } from "./text.js";

const fields = ["text", "device", "dialect", "status", "flow"];
const rows = () => byId("rows");
// Returns the address without its fragment.
const address = () => new URL(location.pathname + location.search, location.href);

export const list = {
  isPaused: false,
  isLoading: false,
  isStale: false,
  // These flags tell whether a text is being typed, and whether the state of the form begins a new entry in the history.
  isTyping: false,
  begins: false,
  secrets: "",

  begin() {
    document.addEventListener("reload-list", () => this.load(true));
    document.addEventListener("open-exchange", async (event) => { await this.load(true); await this.open(event.detail); });
    addEventListener("popstate", () => { if (location.search !== this.followed) this.follow(); });
    this.followed = location.search;
    byId("filter").addEventListener("input", (event) => {
      const isText = event.target.name === "text";
      this.begins ||= !(isText && this.isTyping);
      this.isTyping = isText;
      clearTimeout(this.soon);
      this.soon = setTimeout(() => this.filter(), isText ? 120 : 0);
    });
    byId("filter").addEventListener("change", () => { this.isTyping = false; });
    byId("filter").addEventListener("submit", (event) => { event.preventDefault(); this.isTyping = false; this.filter(); });
    document.addEventListener("click", (event) => this.click(event));
    if (address().searchParams.get("open")) this.dressDetail();
    this.know();
  },

  // MARK: The address

  // Puts the filter of the form into the address. A text that is being typed adds only one entry to the history.
  filter() {
    const replaces = !this.begins;
    this.begins = false;
    const url = address();
    for (const name of fields) {
      const value = byId("filter").elements[name]?.value.trim();
      if (value) url.searchParams.set(name, value); else url.searchParams.delete(name);
    }
    url.searchParams.delete("before");
    if (url.search === location.search) return;
    this.go(url, replaces);
    this.load(true);
  },

  // Adds an address to the history, or replaces the current entry.
  go(url, replaces) {
    history[replaces ? "replaceState" : "pushState"](null, "", url);
    this.followed = location.search;
  },

  // Shows the state in the address after the Back button or a link.
  async follow() {
    this.followed = location.search;
    const { searchParams } = address();
    for (const name of fields) {
      const field = byId("filter").elements[name];
      if (field) field.value = searchParams.get(name) ?? "";
    }
    this.isTyping = false;
    await this.load(true);
    const open = searchParams.get("open");
    if (open) await this.show(open); else this.hide();
  },

  get chosen() { return address().searchParams.get("open"); },

  // MARK: The list

  get isBusy() {
    return this.isPaused || byId("exchanges").matches(":hover") || rows().contains(document.activeElement) || scrollY > 200;
  },

  // Reloads the list after the stream has reported something new.
  async wake() {
    if (document.hidden) { this.isStale = true; return; }
    if (this.isLoading) { this.isStale = true; return; }
    await this.load(false);
  },

  // Loads the list that the address describes. Only the answer for the last address is used.
  async load(isAsked) {
    this.isStale = false;
    const turn = this.turn = (this.turn ?? 0) + 1;
    this.isLoading = true;
    const version = state.known?.exchanges;
    const url = address();
    url.pathname = "/";
    url.searchParams.delete("open");
    url.searchParams.set("fragment", "1");
    const answer = await ask(url).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => null) : null;
    if (turn !== this.turn) return;
    this.isLoading = false;
    if (text !== null) {
      const template = document.createElement("template");
      template.innerHTML = text;
      this.place(template.content, isAsked);
      if (version) showsNow({ exchanges: version });
    }
    if (this.isStale) await this.load(false);
  },

  place(fresh, isAsked) {
    const chosen = this.chosen;
    const found = [...fresh.querySelectorAll("#rows > tr")];
    const present = new Map([...rows().children].map((row) => [row.dataset.id, row]));
    const added = newIds([...present.keys()], found.map((row) => row.dataset.id));
    // An exchange that has ended is updated in its row.
    for (const row of found) {
      const old = present.get(row.dataset.id);
      if (!old) continue;
      if ("open" in old.dataset && !("open" in row.dataset)) {
        old.replaceChildren(...row.childNodes);
        delete old.dataset.open;
        if (old.dataset.id === chosen) this.show(chosen, true);
      }
    }
    const waits = !isAsked && this.isBusy && added.length > 0;
    byId("waiting").hidden = !waits;
    if (waits) {
      byId("show").textContent = `Show ${added.length}${added.length < found.length ? "" : " or more"} new exchange${added.length === 1 ? "" : "s"}`;
    } else {
      const kept = new Set(found.map((row) => row.dataset.id));
      for (const [id, row] of present) { if (!kept.has(id)) row.remove(); }
      // Rows that stay are not moved, because one of them may have the focus.
      let next = rows().firstElementChild;
      for (const row of found) {
        const old = present.get(row.dataset.id);
        if (old) next = old.nextElementSibling;
        else {
          rows().insertBefore(row, next);
          row.classList.toggle("new", !isAsked);
        }
      }
      for (const row of rows().children) row.classList.toggle("chosen", row.dataset.id === chosen);
      byId("list").querySelector(".pages").replaceWith(fresh.querySelector(".pages"));
      for (const id of ["exchanges", "nothing", "none"]) byId(id).hidden = fresh.querySelector(`#${id}`).hidden;
    }
    for (const link of document.querySelectorAll("[data-filtered]")) {
      const { searchParams } = address();
      for (const name of [...searchParams.keys()]) if (!fields.includes(name)) searchParams.delete(name);
      const query = searchParams.toString();
      link.href = link.dataset.filtered + (query ? `?${query}` : "");
    }
    this.know();
    dress(byId("list"));
  },

  // Adds devices to the menu that it does not contain yet.
  know() {
    const select = byId("filter").elements.device;
    const known = new Set([...select.options].map((option) => option.value));
    for (const row of rows().children) {
      const { device } = row.dataset;
      if (!device || known.has(device)) continue;
      known.add(device);
      select.add(new Option(row.querySelector(".device").dataset.name, device));
    }
  },

  pause() {
    this.isPaused = !this.isPaused;
    byId("pause").setAttribute("aria-pressed", String(this.isPaused));
    say(this.isPaused ? "Paused: new exchanges wait." : "New exchanges are shown again.");
    if (!this.isPaused) this.load(true);
  },

  // MARK: The opened exchange

  click(event) {
    const target = event.target.closest("button, a");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    if (target.id === "pause") return this.pause();
    if (target.id === "show") { scrollTo({ top: 0 }); return this.load(true); }
    if (target.id === "close") return this.close();
    if (target.classList.contains("open") && innerWidth >= 1100) { event.preventDefault(); return this.open(target.closest("tr").dataset.id); }
    if (target.dataset.secrets && target.closest("#detail")) {
      event.preventDefault();
      this.secrets = target.dataset.secrets === "1" ? "&secrets=1" : "";
      return this.show(this.chosen);
    }
    if (target.closest(".pages") || target.closest("#nothing")) {
      event.preventDefault();
      this.go(target.href, false);
      scrollTo({ top: 0 });
      return this.follow();
    }
  },

  // Opens an exchange beside the list. Exchanges that are opened one after the other replace each other in the history.
  async open(id, replaces = false) {
    if (innerWidth < 1100) { location.href = `/console/exchanges/${id}`; return; }
    const url = address();
    url.searchParams.set("open", id);
    this.go(url, replaces || Boolean(this.chosen));
    this.secrets = "";
    await this.show(String(id));
  },

  async show(id, isQuiet = false) {
    const answer = await ask(`/console/exchanges/${id}?fragment=1${this.secrets}`).catch(() => null);
    if (id !== this.chosen) return;
    if (!answer?.ok) { if (answer) this.close(); return say(answer ? "This exchange is no longer stored." : "The sandbox does not answer."); }
    byId("detail").innerHTML = await answer.text();
    this.dressDetail();
    byId("detail").hidden = false;
    document.querySelector(".split").classList.add("open");
    for (const row of rows().children) row.classList.toggle("chosen", row.dataset.id === String(id));
    if (!isQuiet && !rows().contains(document.activeElement)) byId("detail").focus({ preventScroll: true });
  },

  dressDetail() {
    const detail = byId("detail");
    detail.scrollTop = 0;
    const close = Object.assign(document.createElement("button"), { type: "button", id: "close", textContent: "Close" });
    const whole = Object.assign(document.createElement("a"), { href: `/console/exchanges/${this.chosen}`, textContent: "Whole page" });
    detail.querySelector(".actions")?.append(close, " ", whole);
    dress(detail);
  },

  close() {
    const id = this.chosen;
    if (!id) return;
    const url = address();
    url.searchParams.delete("open");
    this.go(url, false);
    this.hide();
    (rows().querySelector(`tr[data-id="${id}"] .open`) ?? byId("list")).focus({ preventScroll: true });
  },

  hide() {
    byId("detail").hidden = true;
    byId("detail").replaceChildren();
    document.querySelector(".split").classList.remove("open");
    for (const row of rows().querySelectorAll(".chosen")) row.classList.remove("chosen");
  },

  // Moves the focus to the row below or above. If an exchange is open, the one of that row replaces it.
  step(by) {
    const links = [...rows().querySelectorAll(".open")];
    if (!links.length) return;
    const current = links.findIndex((link) => link === document.activeElement || (this.chosen && link.closest("tr").dataset.id === this.chosen));
    const link = links[current < 0 ? 0 : Math.min(links.length - 1, Math.max(0, current + by))];
    link.focus();
    if (this.chosen) this.open(link.closest("tr").dataset.id, true);
  },
};
