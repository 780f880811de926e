#!/usr/bin/env python3
"""A client of REST API v2 with the standard library alone: client.py login | list R… | play R | logout.

What must outlive a run (credentials, access token, profile, device id, pace) is in the file TVE_CLIENT_STATE."""
import base64, http.server, json, os, pathlib, sys, threading, time, urllib.error, urllib.request, uuid, webbrowser
from urllib.parse import urlencode, urljoin

BASE, API = os.environ["TVE_SERVICE"], "/api/v2/" + os.environ.get("TVE_REQUESTOR", "DEMO")
FILE = pathlib.Path(os.environ.get("TVE_CLIENT_STATE", "client-state.json"))
INFO = {"primaryHardwareType": "Desktop", "model": "PC", "version": "1", "osName": "Linux", "osVersion": "6", "connectionType": "LAN"}
state = json.loads(FILE.read_text()) if FILE.exists() else {"device": str(uuid.uuid4())}


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def save(**values):
    state.update(values)
    FILE.touch(mode=0o600)
    FILE.write_text(json.dumps(state))


def send(method, path, body=None, **headers):
    """One exchange within the pace of the service: ten at once, then one a second; a second's rest after a 429."""
    left = min(10, state.get("left", 10) + time.time() - state.get("at", time.time())) - 1
    save(left=left, at=time.time())
    time.sleep(max(0, -left))
    headers |= {"X-Device-Info": encoded(json.dumps(INFO)), "Accept": "application/json"}
    headers |= {"AP-Device-Identifier": "fingerprint " + encoded(state["device"])} if "/o/client/" not in path else {}
    headers |= {"Content-Type": "application/json"} if isinstance(body, dict) else {}
    data = (json.dumps(body) if isinstance(body, dict) else urlencode(body)).encode() if body else None
    try:
        with urllib.request.urlopen(urllib.request.Request(BASE + path, data, headers, method=method), timeout=30) as answer:
            return answer.status, json.loads(answer.read() or b"{}")
    except urllib.error.HTTPError as error:
        text = error.read()
        if error.code != 429:
            return error.code, json.loads(text) if text.startswith(b"{") else {}
    time.sleep(1)
    return send(method, path, body, **headers)


def api(method, path, body=None):
    """A request with an access token: a new one when the old one ends, and once after a 401."""
    for _ in range(2):
        if "id" not in state:
            application = {"software_statement": os.environ["TVE_STATEMENT"], "redirect_uri": "http://127.0.0.1/done"}
            answer = send("POST", "/o/client/register", application)[1]
            save(id=answer["client_id"], secret=answer["client_secret"])
        if state.get("end", 0) < time.time() + 60:
            form = [("grant_type", "client_credentials"), ("client_id", state["id"]), ("client_secret", state["secret"])]
            answer = send("POST", "/o/client/token", form)[1]
            save(token=answer["access_token"], end=time.time() + answer["expires_in"])
        status, answer = send(method, API + path, body, Authorization="Bearer " + state["token"])
        if status != 401:
            break
        save(end=0)
    return answer


class Redirect(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def browse(start):
    """Opens the page of an answer in the viewer's browser, and waits until it ends at the redirect."""
    with http.server.HTTPServer(("127.0.0.1", 0), Redirect) as server:
        server.timeout = 600
        answer = start(f"http://127.0.0.1:{server.server_port}/done")
        for action in answer["logouts"].values() if "logouts" in answer else [answer]:
            if action["actionName"] in ("authenticate", "logout"):
                threading.Thread(target=webbrowser.open, args=[urljoin(BASE, action["url"])]).start()
                server.handle_request()
            elif action["actionName"] == "partner_logout":
                print("Sign out in the system's settings too.")
    return answer


def login():
    if state.get("ends", 0) > time.time() * 1000:
        return
    if not state.get("mvpd"):  # whoever chose once needs no list
        providers = {one["id"]: one for one in api("GET", "/configuration")["requestor"]["mvpds"]}
        chosen = providers[os.environ.get("TVE_PROVIDER", next(iter(providers)))]
        save(mvpd=chosen["id"], name=chosen["displayName"], logo=chosen["logoUrl"])
    form = [("mvpd", state["mvpd"]), ("domainName", "localhost")]
    session = browse(lambda redirect: api("POST", "/sessions", form + [("redirectUrl", redirect)]))
    path = "/profiles/code/" + session["code"] if "code" in session else "/profiles/" + state["mvpd"]
    for _ in range(20):
        if profile := api("GET", path).get("profiles", {}).get(state["mvpd"]):
            return save(ends=profile["notAfter"], attributes=profile["attributes"])
        time.sleep(3)
    sys.exit("The login did not succeed.")


def decide(kind, resources):
    login()
    for attempt in range(3):
        answer = api("POST", f"/decisions/{kind}/{state['mvpd']}", {"resources": resources})
        rows = answer.get("decisions", [{"resource": resources[0], "authorized": False, "error": answer}])
        actions = [row["error"]["action"] for row in rows if not row["authorized"]]
        if "retry" not in actions:
            break
        time.sleep(2**attempt)
    if "authentication" in actions:
        save(ends=0)
    for row in rows:
        print(row["resource"], "yes" if row["authorized"] else row["error"].get("details") or row["error"]["message"])
        if row["authorized"] and kind == "authorize":
            # Here the back end verifies row["token"]["serializedToken"], and the stream begins. The sandbox takes a report.
            send("POST", "/conformance/plays/" + row["resource"])


command, *names = sys.argv[1:]
if command == "login":
    login()
elif command == "logout":
    browse(lambda redirect: api("GET", f"/logout/{state['mvpd']}?" + urlencode({"redirectUrl": redirect})))
    save(ends=0, attributes={}, mvpd=None)
else:
    decide({"list": "preauthorize", "play": "authorize"}[command], names)
