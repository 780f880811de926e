"use strict";
// The sandbox serves the console's pages complete; this script keeps them up to date and sends changes.
(() => {
  const meta = (name) => document.querySelector(`meta[name="${name}"]`).content;
  const token = meta("sandbox-token");
  // The sandbox may have its own clock.
  const offset = Number(meta("sandbox-now")) - Date.now();
  const byId = (id) => document.getElementById(id);
  const content = byId("content");

  let clearing;
  function say(text) {
    const status = byId("status");
    status.textContent = text;
    clearTimeout(clearing);
    clearing = setTimeout(() => { status.textContent = ""; }, 8000);
  }

  // Every request ends in time.
  const ask = (path, options) => fetch(path, { ...options, signal: AbortSignal.timeout(30_000) });

  // Changes run one after the other, in the order of the clicks: the last one wins.
  let lastChange = Promise.resolve();
  function inTurn(work) {
    lastChange = lastChange.then(work, work);
    return lastChange;
  }

  // Sends a request to the sandbox; errors come back as sentences.
  async function send(call, body) {
    const [method, path] = call.split(" ");
    const headers = { "X-Sandbox-Token": token };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let answer;
    try {
      answer = await ask(path, { method, headers, body });
    } catch {
      return ["The sandbox does not answer. Is it still running?"];
    }
    if (answer.ok) return [];
    const text = await answer.json().catch(() => ({}));
    return text.problems || [text.error || `The sandbox answered with HTTP ${answer.status}.`];
  }

  // Replaces the content of the page without moving the focus.
  async function refresh() {
    const answer = await ask(location.href).catch(() => null);
    if (!answer || !answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const active = document.activeElement;
    const label = active && (active.id || active.getAttribute("aria-label"));
    // The requests to which a fault applies: the next fault may be for the same ones.
    const scope = [...(byId("scope-form")?.elements ?? [])].map((field) => [field.name, field.value]);
    content.replaceChildren(...document.importNode(page.getElementById("content"), true).childNodes);
    document.querySelector("nav").replaceChildren(...document.importNode(page.querySelector("nav"), true).childNodes);
    const same = label && (byId(label) || document.querySelector(`[aria-label="${CSS.escape(label)}"]`));
    (same || byId("main")).focus({ preventScroll: true });
    for (const [name, value] of scope) byId("scope-form").elements[name].value = value;
    if (live) live.attach();
    tick();
  }

  async function change(call, body, done) {
    const problems = await send(call, body);
    if (problems.length) return say(problems.join(" "));
    if (done) say(done);
    if (call === "DELETE /console/api/exchanges") live.clear(); else await refresh();
  }

  function fields(form) {
    const values = {};
    for (const source of [form.dataset.with && byId(form.dataset.with), form]) {
      if (!source) continue;
      for (const field of source.elements) {
        if (field.name && field.value !== "") values[field.name] = field.type === "number" ? Number(field.value) : field.value;
      }
    }
    return values;
  }

  // Changes of the world's behavior: the whole world is read, changed and written, so that its checks apply.
  async function applyBehavior(form) {
    const answer = await ask("/console/api/world").catch(() => null);
    if (!answer || !answer.ok) return say("The sandbox does not answer. Is it still running?");
    const world = await answer.json();
    for (const field of form.elements) {
      if (!field.name) continue;
      const path = field.name.split(".");
      const last = path.pop();
      const target = path.reduce((value, name) => value[name], world.behavior);
      target[last] = field.type === "checkbox" ? field.checked : Number(field.value);
    }
    await change("PUT /console/api/world", JSON.stringify(world), "The behaviour of the service was changed.");
  }

  // The world's editor.
  async function editWorld(text, checksOnly) {
    const problems = await send(checksOnly ? "POST /console/api/world/check" : "PUT /console/api/world", text);
    const place = byId("world-problems");
    place.replaceChildren();
    if (problems.length) {
      const list = document.createElement("ul");
      for (const problem of problems) {
        const line = document.createElement("li");
        line.textContent = problem;
        list.append(line);
      }
      place.append(list);
      return say("Nothing was changed.");
    }
    say(checksOnly ? "The world is valid." : "The world was applied.");
    if (!checksOnly) await refresh();
  }

  // The text counts as it is now: a change that is still in progress may replace the editor.
  function edit(checksOnly) {
    const text = byId("world").value;
    return inTurn(() => editWorld(text, checksOnly));
  }

  async function copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Browsers without access to the clipboard still copy the selection.
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
    const target = event.target.closest("button, a");
    if (!target) return;
    if (target.dataset.api && target.tagName === "BUTTON") return inTurn(() => change(target.dataset.api, undefined, target.dataset.done));
    if (target.dataset.copy !== undefined) return copy(target.dataset.copy, target);
    if (target.dataset.copyFrom) {
      const answer = await ask(target.dataset.copyFrom).catch(() => null);
      return answer && answer.ok ? copy(await answer.text(), target) : say("This exchange is no longer stored.");
    }
    if (target.id === "world-check") return edit(true);
    if (!live || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (target.classList.contains("open") && innerWidth >= 1100) {
      event.preventDefault();
      return live.choose(target, "");
    }
    if (target.dataset.secrets && target.closest("#detail")) {
      event.preventDefault();
      return live.choose(live.chosen, target.dataset.secrets === "1" ? "&secrets=1" : "");
    }
    if (target.id === "pause") return live.pause(target);
    if (target.id === "show") return live.flush(true);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.id === "world-form") { event.preventDefault(); edit(false); }
    else if (form.id === "filter") { event.preventDefault(); live.filter(); }
    else if (form.id === "scope-form") event.preventDefault();
    else if ("behavior" in form.dataset) { event.preventDefault(); inTurn(() => applyBehavior(form)); }
    else if (form.dataset.api) {
      event.preventDefault();
      const body = JSON.stringify(fields(form));
      inTurn(() => change(form.dataset.api, body, form.dataset.done));
    }
  });

  document.addEventListener("input", (event) => {
    if (live && event.target.form && event.target.form.id === "filter") live.filterSoon();
  });

  document.addEventListener("change", async (event) => {
    if (event.target.form && "onChange" in event.target.form.dataset) event.target.form.submit();
    if (event.target.id !== "world-file" || !event.target.files[0]) return;
    byId("world").value = await event.target.files[0].text();
    edit(true);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && live && live.chosen) live.close();
  });

  // Lifetimes that count down.
  function tick() {
    for (const element of document.querySelectorAll("[data-until]")) {
      const seconds = Math.floor((Number(element.dataset.until) - Date.now() - offset) / 1000);
      const units = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
      let rest = Math.abs(seconds);
      const parts = [];
      for (const [length, name] of units) {
        const count = Math.floor(rest / length);
        rest -= count * length;
        if ((count || parts.length) && parts.length < 2) parts.push(`${count} ${name}`);
      }
      const distance = parts.join(" ") || "0 s";
      const text = seconds > 0 ? `in ${distance}` : `ended ${distance} ago`;
      if (element.textContent !== text) element.textContent = text;
    }
  }
  setInterval(tick, 1000);

  // The list of exchanges: new ones wait while the pointer is over it, until the developer shows them.
  class Live {
    constructor() {
      this.held = [];
      this.isPaused = false;
      this.chosen = null;
      this.frame = 0;
      this.attach();
      this.connect();
    }

    attach() {
      this.rows = byId("rows");
      this.table = byId("exchanges");
      this.newest = Number(this.rows.firstElementChild?.dataset.id || 0);
    }

    connect() {
      const source = new EventSource("/console/api/events");
      let wasLost = false;
      source.addEventListener("exchange", (event) => this.take(Number(event.lastEventId), event.data));
      source.addEventListener("change", (event) => say(event.data));
      source.addEventListener("open", () => { if (wasLost) refresh(); wasLost = false; });
      source.addEventListener("error", () => { if (!wasLost) say("The sandbox does not answer. Is it still running?"); wasLost = true; });
    }

    take(id, row) {
      if (id <= this.newest) return;
      this.newest = id;
      this.held.push(row);
      if (this.held.length > 1000) this.held.shift();
      if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.flush(false); });
    }

    get isBusy() {
      return this.isPaused || this.table.matches(":hover") || this.rows.contains(document.activeElement) || scrollY > 200;
    }

    flush(isAsked) {
      const waiting = byId("waiting");
      if (this.held.length && (isAsked || !this.isBusy)) {
        const template = document.createElement("template");
        template.innerHTML = this.held.reverse().join("");
        this.held = [];
        for (const row of template.content.querySelectorAll("tr")) { row.classList.add("new"); this.know(row.dataset.device); }
        this.rows.prepend(template.content);
        while (this.rows.children.length > 500) this.rows.lastElementChild.remove();
        this.table.hidden = false;
        byId("none").hidden = true;
        this.filter();
        if (isAsked) scrollTo({ top: 0 });
      }
      waiting.hidden = !this.held.length;
      byId("show").textContent = `Show ${this.held.length} new exchange${this.held.length === 1 ? "" : "s"}`;
    }

    know(device) {
      const select = byId("filter").elements.device;
      if (!device || [...select.options].some((option) => option.value === device)) return;
      select.add(new Option(device.length > 13 ? `${device.slice(0, 8)}…${device.slice(-4)}` : device, device));
    }

    filterSoon() {
      clearTimeout(this.soon);
      this.soon = setTimeout(() => this.filter(), 120);
    }

    filter() {
      const { text, device, dialect, status } = byId("filter").elements;
      const words = text.value.toLowerCase();
      let count = 0;
      for (const row of this.rows.children) {
        const data = row.dataset;
        const code = Number(data.status);
        const fits = data.words.includes(words) && (!device.value || data.device === device.value)
          && (!dialect.value || data.dialect === dialect.value)
          && (!status.value || (status.value === "ok" ? code > 0 && code < 400 : status.value === "failed" ? code >= 400 || code === 0 : data.faults !== "0"));
        if (row.hidden === fits) row.hidden = !fits;
        if (fits) count += 1;
      }
      const isFiltered = words || device.value || dialect.value || status.value;
      this.table.caption.textContent = isFiltered ? `${count} exchanges match the filter, newest first` : "Exchanges, newest first";
    }

    pause(button) {
      this.isPaused = !this.isPaused;
      button.setAttribute("aria-pressed", String(this.isPaused));
      say(this.isPaused ? "Paused: new exchanges wait." : "New exchanges are shown again.");
      if (!this.isPaused) this.flush(true);
    }

    clear() {
      this.held = [];
      this.rows.replaceChildren();
      this.table.hidden = true;
      byId("none").hidden = false;
      this.close();
      this.flush(false);
    }

    async choose(link, more) {
      const path = link.getAttribute("href");
      const answer = await ask(`${path}?fragment=1${more}`).catch(() => null);
      if (!answer || !answer.ok) return say("This exchange is no longer stored.");
      const detail = byId("detail");
      detail.innerHTML = await answer.text();
      const close = document.createElement("button");
      close.type = "button";
      close.textContent = "Close";
      close.addEventListener("click", () => this.close());
      detail.querySelector(".actions").append(close);
      const whole = document.createElement("a");
      whole.href = path;
      whole.textContent = "Whole page";
      detail.querySelector(".actions").append(whole);
      detail.hidden = false;
      document.querySelector(".split").classList.add("open");
      this.chosen?.closest("tr")?.classList.remove("chosen");
      this.chosen = link;
      link.closest("tr").classList.add("chosen");
      detail.focus({ preventScroll: true });
      tick();
    }

    close() {
      if (!this.chosen) return;
      const detail = byId("detail");
      detail.hidden = true;
      detail.replaceChildren();
      document.querySelector(".split").classList.remove("open");
      this.chosen.closest("tr")?.classList.remove("chosen");
      this.chosen.focus({ preventScroll: true });
      this.chosen = null;
    }
  }

  const live = byId("rows") ? new Live() : null;
  // The page of devices is refreshed when it gets the focus; forms of other pages may be half filled in.
  if (location.pathname === "/console/devices") addEventListener("focus", refresh);
  tick();
})();
