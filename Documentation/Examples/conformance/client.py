"""A client of REST API v2 with the standard library alone: client.py list RESOURCE… | play RESOURCE | logout."""
import base64, http.client, json, os, shelve, socket, sys, threading, time, uuid, webbrowser
from urllib.parse import urlencode, urljoin, urlsplit

BASE, API = os.environ["TVE_SERVICE"], "/api/v2/" + os.environ.get("TVE_REQUESTOR", "DEMO")
PROVIDER = os.environ["TVE_PROVIDER"]  # the viewer's choice
CONNECTION = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}[urlsplit(BASE).scheme]
INFO = b'{"primaryHardwareType": "Desktop", "model": "PC", "version": "1", "osName": "Linux", "osVersion": "6"}'
os.umask(0o077)  # what must outlive a run is in a file of this user: credentials, tokens, profile, device id, pace
state = shelve.open(os.environ.get("TVE_CLIENT_STATE", "client-state"))
listener = socket.create_server(("127.0.0.1", 0))
listener.settimeout(600)
REDIRECT = f"http://127.0.0.1:{listener.getsockname()[1]}/done"

def send(method, path, body="", headers={}):
    """One exchange within the pace of the service: ten at once, then one a second; a second's rest after a 429."""
    state.update(left=min(10, state.get("left", 10) + time.time() - state.get("at", time.time())) - 1, at=time.time())
    state.sync()  # what the last answer brought is stored before it is used
    time.sleep(max(0, -state["left"]))
    kind = "application/json" if body.startswith("{") else "application/x-www-form-urlencoded"
    every = {"Accept": "application/json", "Content-Type": kind, "X-Device-Info": base64.b64encode(INFO).decode()}
    connection = CONNECTION(urlsplit(BASE).netloc, timeout=30)
    connection.request(method, path, body, every | headers)
    answer = connection.getresponse()
    if answer.status == 429:
        time.sleep(1)
        return send(method, path, body, headers)
    return answer.status, json.load(answer) if "json" in answer.getheader("Content-Type", "") else {}

def api(method, path, body="", again=True):
    """A request with an access token: a new one when the old one ends, and once after a 401."""
    if "client" not in state:
        application = {"software_statement": os.environ["TVE_STATEMENT"], "redirect_uri": "http://127.0.0.1/done"}
        answer = send("POST", "/o/client/register", json.dumps(application))[1]
        state["client"] = {key: answer[key] for key in ("client_id", "client_secret")}
    if state.get("end", 0) < time.time() + 60:
        answer = send("POST", "/o/client/token", urlencode({"grant_type": "client_credentials", **state["client"]}))[1]
        state.update(token=answer["access_token"], end=time.time() + answer["expires_in"])
    device = "fingerprint " + state.setdefault("device", base64.b64encode(uuid.uuid4().bytes).decode())
    headers = {"Authorization": "Bearer " + state["token"], "AP-Device-Identifier": device}
    status, answer = send(method, path, body, headers)
    if status == 401 and again:
        state["end"] = 0
        return api(method, path, body, again=False)
    return answer

def visit(action):
    """Opens the page of an answer in the viewer's browser, and waits until it ends at the redirect."""
    if action["actionName"] in ("authenticate", "logout"):
        threading.Thread(target=webbrowser.open, args=[urljoin(BASE, action["url"])]).start()
        with listener.accept()[0] as browser:
            browser.recv(65536)
            browser.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

command, *names = sys.argv[1:]
if command == "logout":
    for action in api("GET", f"{API}/logout/{PROVIDER}?" + urlencode({"redirectUrl": REDIRECT}))["logouts"].values():
        visit(action)
    state.update(card=None, profile={})
    sys.exit()
if not state.get("card"):  # whoever chose once needs no list
    state["card"] = {one["id"]: one for one in api("GET", API + "/configuration")["requestor"]["mvpds"]}[PROVIDER]
if state.get("profile", {}).get("notAfter", 0) < time.time() * 1000:
    form = urlencode({"mvpd": PROVIDER, "domainName": "localhost", "redirectUrl": REDIRECT})
    visit(session := api("POST", API + "/sessions", form))
    for _ in range(20):
        path = f"/profiles/code/{session['code']}" if "code" in session else f"/profiles/{PROVIDER}"
        if profile := api("GET", API + path).get("profiles", {}).get(PROVIDER):
            break
        time.sleep(3)
    state["profile"] = profile or sys.exit("The login did not succeed.")
kind = {"list": "preauthorize", "play": "authorize"}[command]
answer = api("POST", f"{API}/decisions/{kind}/{PROVIDER}", json.dumps({"resources": names}))
for row in answer.get("decisions", [{"resource": names[0], "authorized": False, "error": answer}]):
    error = row.get("error", {})
    print(row["resource"], error.get("details") or error.get("message", "yes"))
    if error.get("action") == "authentication":
        state["profile"] = {}
    if row["authorized"] and kind == "authorize":  # the back end verifies row["token"] now; the sandbox takes a report
        api("POST", "/conformance/plays/" + row["resource"])
