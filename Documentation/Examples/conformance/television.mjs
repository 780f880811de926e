// A television and its second screen for REST API v2, with Node.js alone:
//   node television.mjs login | node television.mjs phone
//   node television.mjs list R… | play R | logout
// What must outlive a run is in the file TVE_CLIENT_STATE, one for each of the two applications.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";

const { TVE_SERVICE: base, TVE_STATEMENT: statement, TVE_REQUESTOR: brand = "DEMO" } = process.env;
const [command, ...names] = process.argv.slice(2);
const file = `${process.env.TVE_CLIENT_STATE ?? "television-state"}.${command === "phone" ? "phone" : "television"}.json`;
const state = existsSync(file) ? JSON.parse(readFileSync(file)) : { device: randomUUID() };
const redirect = "https://localhost/done";
const info = command === "phone"
  ? { primaryHardwareType: "MobilePhone", model: "Phone", version: "1", osName: "Android", osVersion: "14" }
  : { primaryHardwareType: "TV", model: "Television", version: "1", osName: "webOS", osVersion: "6", connectionType: "WiFi" };

const encoded = (text) => Buffer.from(text).toString("base64");
const pause = (seconds) => new Promise((end) => setTimeout(end, seconds * 1000));
const say = (text) => console.error(text);

function keep(values) {
  Object.assign(state, values);
  writeFileSync(file, JSON.stringify(state), { mode: 0o600 });
}

// One exchange within the throttle: ten at once, then one a second; a second's rest after a 429.
async function send(method, path, headers = {}, body = undefined) {
  const now = Date.now() / 1000;
  const left = Math.min(10, (state.left ?? 10) + now - (state.at ?? now)) - 1;
  keep({ left, at: now });
  if (left < 0) await pause(-left);
  const all = { Accept: "application/json", "X-Device-Info": encoded(JSON.stringify(info)), ...headers };
  const answer = await fetch(base + path, { method, headers: all, body, signal: AbortSignal.timeout(30_000) });
  const text = await answer.text();
  if (answer.status === 429) return pause(1).then(() => send(method, path, headers, body));
  return { status: answer.status, body: text.startsWith("{") ? JSON.parse(text) : {} };
}

async function token() {
  if ((state.end ?? 0) > Date.now() + 60_000) return state.token;
  if (!state.client_id) {
    const application = JSON.stringify({ software_statement: statement, redirect_uri: redirect });
    const { client_id, client_secret } = (await send("POST", "/o/client/register", { "Content-Type": "application/json" }, application)).body;
    keep({ client_id, client_secret });
  }
  const { client_id, client_secret } = state;
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
  const { access_token, expires_in } = (await send("POST", "/o/client/token", {}, form)).body;
  keep({ token: access_token, end: Date.now() + expires_in * 1000 });
  return access_token;
}

async function api(method, path, body) {
  for (let attempt = 0; ; attempt += 1) {
    const headers = { Authorization: `Bearer ${await token()}`, "AP-Device-Identifier": `fingerprint ${encoded(state.device)}` };
    if (typeof body === "string") headers["Content-Type"] = "application/json";
    const answer = await send(method, `/api/v2/${brand}/${path}`, headers, body);
    if (answer.status !== 401 || attempt === 1) return answer;
    keep({ end: 0 });
  }
}

const open = (url) => new Promise((end) => {
  const page = new URL(url, base).href;
  spawn("sh", ["-c", (process.env.BROWSER ?? "xdg-open %s").replace("%s", `'${page}'`)], { stdio: "ignore" }).on("close", end);
});

// Several profiles: the one that is valid longest.
function take(profiles) {
  const [best] = Object.entries(profiles ?? {}).sort(([, one], [, other]) => other.notAfter - one.notAfter);
  if (best) keep({ mvpd: best[0], ends: best[1].notAfter, attributes: best[1].attributes });
  return best !== undefined;
}

async function login() {
  if ((state.ends ?? 0) > Date.now() || take((await api("GET", "profiles")).body.profiles)) return;
  const session = (await api("POST", "sessions", new URLSearchParams())).body;
  console.log(session.code);
  say(`Type ${session.code} on your phone.`);
  while (Date.now() < session.notAfter) {
    if (take((await api("GET", `profiles/code/${session.code}`)).body.profiles)) return;
    await pause(5);
  }
  throw new Error("The code has ended.");
}

async function phone() {
  const code = (await createInterface({ input: process.stdin }).question("")).trim();
  const session = await api("GET", `sessions/${code}`);
  if (session.status !== 200) throw new Error("There is no such code.");
  const providers = (await api("GET", "configuration")).body.requestor.mvpds;
  const mvpd = process.env.TVE_PROVIDER ?? providers[0].id;
  const form = new URLSearchParams({ mvpd, domainName: "localhost", redirectUrl: redirect });
  const next = (await api("POST", `sessions/${code}`, form)).body;
  if (next.actionName === "authenticate") await open(next.url);
}

async function decide(kind, resources) {
  for (let attempt = 0; ; attempt += 1) {
    const { body } = await api("POST", `decisions/${kind}/${state.mvpd}`, JSON.stringify({ resources }));
    const rows = body.decisions ?? [{ authorized: false, error: body }];
    if (attempt === 2 || rows.every((row) => row.authorized || row.error.action !== "retry")) return rows;
    await pause(2 ** attempt);
  }
}

async function play(resource) {
  const [row] = await decide("authorize", [resource]);
  if (row.authorized) {
    await send("POST", `/conformance/plays/${resource}`, { "AP-Device-Identifier": `fingerprint ${encoded(state.device)}` });
  } else if (row.error.action === "authentication") keep({ ends: 0 });
  say(row.authorized ? `${resource} plays` : row.error.details ?? row.error.message);
}

async function logout() {
  const { logouts } = (await api("GET", `logout/${state.mvpd}?${new URLSearchParams({ redirectUrl: redirect })}`)).body;
  keep({ ends: 0, attributes: {}, mvpd: undefined });
  for (const action of Object.values(logouts)) {
    if (action.actionName === "logout") await open(action.url);
    if (action.actionName === "partner_logout") say("Sign out in the settings of this device too.");
  }
}

if (command === "phone") await phone();
else if (command === "logout") await logout();
else {
  await login();
  if (command === "play") await play(names[0]);
  if (command === "list") for (const row of await decide("preauthorize", names)) say(`${row.resource} ${row.authorized ? "yes" : "no"}`);
}
