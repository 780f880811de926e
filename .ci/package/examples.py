"""Uses the programs of Documentation/Examples as a person would: `examples` starts it in a folder of its own, with the
folder of the programs, a tve, and the address of a sandbox."""
import html, json, pathlib, re, socket, subprocess, sys, time, urllib.error, urllib.parse, urllib.request

import pexpect

programs, tve, base = sys.argv[1:]
with urllib.request.urlopen(f"{base}/sandbox/info", timeout=10) as found:
    info = json.load(found)
LOGIN = {"username": "viewer", "password": "secret", "action": "login", "mvpd": "demo-cable"}


def start(name, *arguments):
    print(f"\n{name}:", flush=True)
    # The limit only ends what hangs.
    program = pexpect.spawn(f"{programs}/{name}", list(arguments), encoding="utf-8", echo=False, timeout=600)
    program.logfile_read = sys.stdout
    return program


def ends(program):
    program.expect(pexpect.EOF)
    program.close()
    if program.exitstatus != 0:
        sys.exit(f"{program.name} ended with {program.exitstatus}")


def browse(address, typed):
    """Fills in forms until a page has none or leads to an app, whose redirect is returned."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    fields = None
    for _ in range(10):
        try:
            with browser.open(address, fields, timeout=10) as answer:
                address, page = answer.url, answer.read().decode()
        except urllib.error.HTTPError as error:
            # The browser only loads addresses of http and https.
            if error.code in (302, 303):
                return error.headers["location"]
            raise
        form = re.search(r'<form[^>]* action="([^"]*)".*?</form>', page, re.S)
        if not form:
            return None
        address, fields = urllib.parse.urljoin(address, html.unescape(form[1])), {}
        for tag in re.findall("<(?:input|button)[^>]*>", form[0]):
            found = dict(re.findall(r' (\w+)="([^"]*)"', tag))
            if "name" in found:
                fields[found["name"]] = typed.get(found["name"], html.unescape(found.get("value", "")))
        fields = urllib.parse.urlencode(fields).encode()
    sys.exit("the pages come to no end")


def terminal_login():
    program = start("TerminalLogin", base, info["softwareStatement"], "DEMO-1")
    program.expect("The number of your TV provider")
    program.sendline("1")
    program.expect(r"Log in on this page: (\S+)\s")
    redirect = browse(program.match[1], LOGIN)
    program.sendline("https://example.com/elsewhere")
    program.expect("That is not the end of this page")
    program.sendline(redirect)
    program.expect("A media token of.*Logged out")
    ends(program)


def second_screen():
    program = start("SecondScreen", base, info["softwareStatement"], "demo-cable")
    program.expect(r"Type (\S+) at the activation page")
    browse(f"{base}/activate", {"code": program.match[1], **LOGIN})
    program.expect("Logged in with demo-cable")
    ends(program)


def own_transport():
    program = start("OwnTransport", base, info["softwareStatement"])
    program.expect(r"GET /api/v2/DEMO/configuration 200, \d+ bytes.*2 TV providers")
    ends(program)


def playback_gate():
    key = pathlib.Path("key.pem")
    key.write_text(info["mediaTokenPublicKey"])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = start("PlaybackGate", str(port), str(key))

    def ask(token, resource):
        question = json.dumps({"token": token, "resource": resource}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/play", question, {"Content-Type": "application/json"})
        while True:
            try:
                with urllib.request.urlopen(request, timeout=10) as answer:
                    return answer.status, json.load(answer).get("reason")
            except urllib.error.HTTPError as error:
                return error.code, json.load(error).get("reason")
            except urllib.error.URLError:
                # It does not listen yet.
                if not program.isalive():
                    sys.exit("PlaybackGate has ended")
                time.sleep(0.1)

    answers = [ask("no token", "DEMO-1")]
    # It grants no token that was issued before it began to remember, or in the two seconds that a clock may be ahead.
    time.sleep(3.1)
    place = ["--service", base, "--directory", "store"]
    login = [tve, "login", *place, "--provider", "demo-cable", "--headless", "viewer", "--password", "secret"]
    subprocess.run(login, check=True, stdout=subprocess.DEVNULL)
    asked = subprocess.run([tve, "authorize", *place, "DEMO-1"], check=True, stdout=subprocess.PIPE, text=True)
    token = asked.stdout.strip()
    answers += [ask(token, "DEMO-2"), ask(token, "DEMO-1"), ask(token, "DEMO-1")]
    expected = [(403, "invalidTokenFormat"), (403, "invalidResourceID"), (200, None), (403, "spent")]
    program.close(force=True)
    if answers != expected:
        sys.exit(f"PlaybackGate answered {answers}, and {expected} was expected")
    print(*answers, sep="\n")


terminal_login()
second_screen()
own_transport()
playback_gate()
