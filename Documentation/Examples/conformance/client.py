#!/usr/bin/env python3
"""A client of REST API v2 with the standard library alone: client.py login | list R… | play R | logout.

What must outlive a run (credentials, access token, profile, device id, pace) is in the file TVE_CLIENT_STATE."""
import base64, http.server, json, os, pathlib, socket, sys, threading, time, uuid, webbrowser
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import Request, urlopen

BASE, STATEMENT = os.environ["TVE_SERVICE"], os.environ["TVE_STATEMENT"]
API = "/api/v2/" + os.environ.get("TVE_REQUESTOR", "DEMO")
FILE = pathlib.Path(os.environ.get("TVE_CLIENT_STATE", "client-state.json"))
state = json.loads(FILE.read_text()) if FILE.exists() else {}
INFO = {"primaryHardwareType": "Desktop", "model": "PC", "version": "1", "osName": "Linux", "osVersion": "6", "connectionType": "LAN"}


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def save(**values):
    state.update(values)
    FILE.touch(mode=0o600)
    FILE.write_text(json.dumps(state))


def send(method, path, headers, body=None):
    """One exchange within the pace of the service: ten at once, then one a second; a second's rest after a 429."""
    while True:
        now = time.time()
        left = min(10, state.get("left", 10) + now - state.get("at", now))
        if left < 1:
            time.sleep(1 - left)
            continue
        save(left=left - 1, at=now)
        headers = {"X-Device-Info": encoded(json.dumps(INFO)), "Accept": "application/json", **headers}
        try:
            with urlopen(Request(BASE + path, body and body.encode(), headers, method=method), timeout=30) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except HTTPError as error:
            if error.code != 429:
                text = error.read()
                return error.code, json.loads(text) if text.startswith(b"{") else {}
            time.sleep(1)


def token():
    if state.get("end", 0) > time.time() + 60:
        return state["token"]
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    if "client_id" not in state:
        statement = json.dumps({"software_statement": STATEMENT, "redirect_uri": state["redirect"]})
        _, answer = send("POST", "/o/client/register", {"Content-Type": "application/json"}, statement)
        save(client_id=answer["client_id"], client_secret=answer["client_secret"])
    credentials = {name: state[name] for name in ("client_id", "client_secret")}
    _, answer = send("POST", "/o/client/token", form, urlencode({"grant_type": "client_credentials", **credentials}))
    save(token=answer["access_token"], end=time.time() + answer["expires_in"])
    return state["token"]


def api(method, path, form=None, resources=None):
    body = urlencode(form) if form else json.dumps({"resources": resources}) if resources else None
    kind = {"Content-Type": "application/json" if resources else "application/x-www-form-urlencoded"} if body else {}
    for attempt in range(2):
        headers = {"Authorization": "Bearer " + token(), "AP-Device-Identifier": "fingerprint " + encoded(state["device"])}
        status, answer = send(method, API + path, {**headers, **kind}, body)
        if status != 401:
            break
        save(end=0)
    return status, answer


def browse(url):
    """Opens a page in the viewer's browser and waits until it ends at the redirect; begins to wait first."""
    reached = threading.Event()

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"You can go back to the terminal.")
            reached.set()

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", int(state["redirect"].split(":")[2].split("/")[0])), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print("Opening", urljoin(BASE, url))
        threading.Thread(target=webbrowser.open, args=[urljoin(BASE, url)]).start()
        reached.wait(600)
        server.shutdown()


def login():
    if state.get("ends", 0) > time.time() * 1000:
        return
    mvpd = state.get("mvpd")  # whoever chose once needs no list
    if not mvpd:
        _, answer = api("GET", "/configuration")
        providers = {p["id"]: p for p in answer["requestor"]["mvpds"]}
        mvpd = os.environ.get("TVE_PROVIDER", next(iter(providers)))
        save(mvpd=mvpd, name=providers[mvpd]["displayName"], logo=providers[mvpd]["logoUrl"])
    _, session = api("POST", "/sessions", {"mvpd": mvpd, "domainName": "localhost", "redirectUrl": state["redirect"]})
    if session["actionName"] == "authenticate":
        browse(session["url"])
    for _ in range(20):
        path = "/profiles/code/" + session["code"] if "code" in session else "/profiles/" + mvpd
        _, answer = api("GET", path)
        if profile := answer.get("profiles", {}).get(mvpd):
            return save(ends=profile["notAfter"], attributes=profile["attributes"])
        time.sleep(3)
    sys.exit("The login did not succeed.")


def decide(kind, resources):
    for attempt in range(3):
        _, answer = api("POST", f"/decisions/{kind}/{state['mvpd']}", resources=resources)
        rows = answer.get("decisions", [{"authorized": False, "error": answer}])
        if all(row["authorized"] or row["error"]["action"] != "retry" for row in rows):
            break
        time.sleep(2**attempt)
    if any(not row["authorized"] and row["error"]["action"] == "authentication" for row in rows):
        save(ends=0)
    return rows


def play(resource):
    login()
    row = decide("authorize", [resource])[0]
    if row["authorized"]:
        # Here the back end verifies row["token"]["serializedToken"], and the stream begins. The sandbox takes a report.
        send("POST", "/conformance/plays/" + resource, {"AP-Device-Identifier": "fingerprint " + encoded(state["device"])})
    print(resource, "plays" if row["authorized"] else row["error"].get("details") or row["error"]["message"])


def logout():
    _, answer = api("GET", f"/logout/{state['mvpd']}?" + urlencode({"redirectUrl": state["redirect"]}))
    save(ends=0, attributes={}, mvpd=None)
    for action in answer["logouts"].values():
        if action["actionName"] == "partner_logout":
            print("Sign out in the system's settings too.")
        elif action.get("url"):
            browse(action["url"])


if "device" not in state:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        save(device=str(uuid.uuid4()), redirect=f"http://127.0.0.1:{free.getsockname()[1]}/done")
command, *names = sys.argv[1:]
if command == "list":
    login()
    for row in decide("preauthorize", names):
        print(row["resource"], "yes" if row["authorized"] else "no")
else:
    {"login": login, "play": play, "logout": logout}[command](*names)
