"""Uses the programs of Documentation/Examples as a person would: `examples` starts it in a folder of its own, with the
folder of the programs, a tve, and the address of a sandbox."""
import pathlib, subprocess, sys, time, urllib.parse

import pexpect, requests

programs, tve, base = sys.argv[1:]
info = requests.get(f"{base}/sandbox/info", timeout=600).json()


def start(name, *arguments):
    print(f"\n{name}:", flush=True)
    program = pexpect.spawn(f"{programs}/{name}", list(arguments), encoding="utf-8", echo=False, timeout=600)
    program.logfile_read = sys.stdout
    return program


def ends(program):
    program.expect(pexpect.EOF)
    program.close()
    if program.exitstatus != 0:
        sys.exit(f"{program.name} ended with {program.exitstatus}")


def log_in(page):
    """Follows a page as a viewer who knows the password."""
    subprocess.run([tve, "conformance-viewer", urllib.parse.urljoin(base, page)], check=True, timeout=600)


program = start("TerminalLogin", base, info["softwareStatement"], "DEMO-1")
program.expect("The number of your TV provider")
program.sendline("1")
program.expect(r"Log in on this page: (\S+)\s")
log_in(program.match[1])
program.sendline("https://example.com/elsewhere")
program.expect("That is not the end of this page")
program.sendline("adobepass://ios.app")
program.expect("A media token of.*Logged out")
ends(program)

program = start("SecondScreen", base, info["softwareStatement"], "demo-cable")
program.expect(r"Type (\S+) at the activation page")
form = {"code": program.match[1], "mvpd": "demo-cable"}
log_in(requests.post(f"{base}/activate", form, timeout=600, allow_redirects=False).headers["location"])
program.expect("Logged in with demo-cable")
ends(program)

program = start("OwnTransport", base, info["softwareStatement"])
program.expect(r"GET /api/v2/DEMO/configuration 200, \d+ bytes.*2 TV providers")
ends(program)

pathlib.Path("key.pem").write_text(info["mediaTokenPublicKey"])
program = start("PlaybackGate", "0", "key.pem")
program.expect(r"listening on \S+:(\d+)\s")
port = program.match[1]


def ask(token, resource):
    question = {"token": token, "resource": resource}
    answer = requests.post(f"http://127.0.0.1:{port}/play", json=question, timeout=600)
    return answer.status_code, answer.json().get("reason")


answers = [ask("no token", "DEMO-1")]
# It grants no token that was issued before it began to remember, or in the two seconds that a clock may be ahead.
time.sleep(3.1)
place = ["--service", base, "--directory", "store"]
login = [tve, "login", *place, "--provider", "demo-cable", "--headless", "viewer", "--password", "secret"]
subprocess.run(login, check=True, stdout=subprocess.DEVNULL)
token = subprocess.check_output([tve, "authorize", *place, "DEMO-1"], text=True).strip()
answers += [ask(token, "DEMO-2"), ask(token, "DEMO-1"), ask(token, "DEMO-1")]
expected = [(403, "invalidTokenFormat"), (403, "invalidResourceID"), (200, None), (403, "spent")]
program.close(force=True)
sys.exit(answers != expected and f"PlaybackGate answered {answers}, and {expected} was expected")
