import http.client
import json
import os
import threading
import urllib.parse

verifier = urllib.parse.urlsplit(os.environ["VERIFIER"])
connections = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
# Setting up a connection costs more than the check, so each thread keeps its own; a connection must not be shared.
kept = threading.local()


def may_play(token: str, requestor: str, resource: str) -> bool:
    body = json.dumps({"token": token, "requestor": requestor, "resource": resource})
    headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["VERIFIER_KEY"]}
    if not hasattr(kept, "connection"):
        kept.connection = connections[verifier.scheme](verifier.netloc, timeout=2)
    for is_last in (False, True):
        try:
            kept.connection.request("POST", "/v1/verify", body, headers)
            response = kept.connection.getresponse()
            answer = json.load(response)
            break
        except Exception as error:
            # A late answer must not be taken for the next one. The next request opens another connection.
            kept.connection.close()
            # The service closes connections on which nothing was asked for some time.
            if is_last or not isinstance(error, ConnectionError):
                raise
    if response.status != 200:
        raise RuntimeError(answer["detail"])
    return answer["verdict"] == "validToken" and answer.get("firstUse") is True


if __name__ == "__main__":
    print("play" if may_play(os.environ["TOKEN"], "DEMO", "DEMO-1") else "refuse")
