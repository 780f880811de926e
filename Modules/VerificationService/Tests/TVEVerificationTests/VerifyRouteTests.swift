import Foundation
import Hummingbird
import TVEFleetFixture
import TVETestTraits
import Testing

@testable import TVEVerification

@Suite(.fourAtATime)
struct VerifyRouteTests {
    private let fleet: Fleet
    private let verifier: Verifier

    init() throws {
        fleet = try Fleet()
        verifier = try fleet.verifier()
    }

    @Test func aToken_isValidOnce_andSaysWhatItSays() throws {
        verifier.remembers()
        let token = try fleet.mint.token(viewer: "v\"1\\\u{7}é")
        let first = try verifier.verify(["token": token, "resource": "DEMO-1", "requestor": "DEMO"])
        #expect(first.status == 200)
        #expect(first.headers["content-type"] == "application/json")
        #expect(first.headers["cache-control"] == "no-store")
        #expect(first.summary == "validToken first")
        #expect(first.json["key"] as? String == "demo")
        let claims = try #require(first.json["claims"] as? [String: Any])
        #expect(claims["requestor"] as? String == "DEMO")
        #expect(claims["resource"] as? String == "DEMO-1")
        #expect(claims["mvpd"] as? String == "demo-cable")
        #expect((claims["expires"] as? Int ?? 0) - (claims["issued"] as? Int ?? 0) == 420)
        #expect(Set(first.json.keys) == ["verdict", "claims", "key", "firstUse"])
        let wrapped = Data(token.utf8).base64EncodedString()
        let second = try verifier.verify(["token": wrapped])
        #expect(second.summary == "validToken spent")
        #expect(Set(second.json.keys) == ["verdict", "claims", "key", "firstUse", "reason"])
    }

    /// Every other character may stand in JSON as it is.
    @Test func aControlCharacter_isEscaped_whereAllElseIsPlain() throws {
        let answer = try verifier.verify(["token": fleet.mint.token(viewer: "a\tb\nc\u{7F}"), "spend": false])
        let claims = try #require(answer.json["claims"] as? [String: Any])
        #expect(claims["sessionGUID"] as? String == "a\tb\nc\u{7F}")
        #expect(!answer.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F })
    }

    @Test(.row("VP1")) func aToken_isGrantedOnce_howeverItIsWrapped() throws {
        verifier.remembers()
        let raw = try fleet.mint.token()
        let end = try #require(raw.range(of: "<signatureInfo>", options: .backwards))
        let closed = raw.replacingCharacters(in: end, with: "</signatureInfo>")
        let wrappings = [closed, Data(raw.utf8).base64EncodedString(), raw]
        #expect(
            try wrappings.map { try verifier.verify(["token": $0]).summary } == [
                "validToken first", "validToken spent", "validToken spent",
            ])
    }

    @Test(.row("VP1")) func aTokenInOddDress_isTheSameUse_orItsDressIsNamed() throws {
        verifier.remembers()
        let raw = try fleet.mint.token()
        let wrapped = Data(raw.utf8).base64EncodedString(options: .lineLength76Characters)
        #expect(try verifier.verify(["token": "\u{FEFF}\(wrapped)\r\n"]).summary == "validToken first")
        let unpadded = Data("\(raw)\n".utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        #expect(try verifier.verify(["token": unpadded]).summary == "validToken spent")
        for (token, fault) in [
            ("\"\(raw)\"", "in quotation marks"),
            (wrapped.replacingOccurrences(of: "+", with: " "), "has become a space"), ("x", "not a signed token"),
        ] {
            let answer = try verifier.verify(["token": token])
            #expect(answer.summary == "invalidTokenFormat")
            #expect((answer.json["fault"] as? String)?.contains(fault) == true, "\(answer.text)")
        }
    }

    @Test func lookingAtAToken_spendsNothing() throws {
        verifier.remembers()
        let token = try fleet.mint.token()
        #expect(try verifier.verify(["token": token, "spend": false]).summary == "validToken")
        #expect(try verifier.verify(["token": token, "spend": false]).summary == "validToken")
        #expect(try verifier.verify(["token": token, "spend": true]).summary == "validToken first")
    }

    @Test func tokensThatAreNotValid_getTheirVerdict_andAreNotSpent() throws {
        verifier.remembers()
        let mint = fleet.mint
        let good = try mint.token()
        let cases: [([String: Any], String)] = [
            (["token": ""], "invalidTokenFormat"), (["token": "<a/>"], "invalidTokenFormat"),
            (["token": try Mint().token()], "invalidSignature"),
            (["token": good.replacingOccurrences(of: "DEMO-1", with: "DEMO-2")], "invalidSignature"),
            (["token": try mint.token(issued: Date().addingTimeInterval(-421))], "tokenExpired"),
            (["token": good, "resource": "DEMO-2"], "invalidResourceID"),
            (["token": good, "resource": ""], "invalidResourceID"), (["token": good], "validToken first"),
        ]
        for (fields, summary) in cases { #expect(try verifier.verify(fields).summary == summary) }
    }

    @Test(.row("VP1")) func batch_answersInOrder_andGrantsATokenOnce() throws {
        verifier.remembers()
        let tokens = try (0..<3).map { _ in try fleet.mint.token() }
        let body: [String: Any] = [
            "tokens": [
                ["token": tokens[0]], ["token": "x"], ["token": tokens[1], "spend": false],
                ["token": tokens[0]], ["token": tokens[2], "resource": "DEMO-1"], ["token": tokens[0]],
            ]
        ]
        let answer = try verifier.connect().request(
            "POST", "/v1/verify/batch", body: JSONSerialization.data(withJSONObject: body))
        let results = try #require(answer.json["results"] as? [[String: Any]])
        #expect(
            results.map { $0["verdict"] as? String } == [
                "validToken", "invalidTokenFormat", "validToken", "validToken", "validToken", "validToken",
            ])
        #expect(results.map { $0["firstUse"] as? Bool } == [true, nil, nil, false, true, false])
    }

    @Test(
        .row("VW5"),
        arguments: [
            ("{}", 400), ("", 400), ("[]", 400), ("null", 400), ("{\"token\":1}", 400), ("{\"token\":null}", 400),
            ("{\"token\":\"x\",\"resourse\":\"DEMO-1\"}", 400), ("{\"token\":\"x\",\"resource\":null}", 400),
            ("{\"token\":\"x\",\"resource\":1}", 400), ("{\"token\":\"x\",\"spend\":\"no\"}", 400),
            ("{\"token\":\"x\",\"spend\":0}", 400), ("{\"token\":\"x\"", 400), ("{\"token\":\"x\"}}", 400),
            ("{\"token\":\"x\",\"resource\":\"DEMO-1\",\"resource\":\"DEMO-2\"}", 400),
            ("{\"token\":\"x\",\"spend\":false,\"spend\":true}", 400),
            ("{\"token\":\"x\",\"tok\\u0065n\":\"y\"}", 400), ("{\"token\":\"x\", \"token\" :\"x\"}", 400),
            ("{\"token\":\"token\",\"resource\":\"\\\"resource\"}", 200),
            ("{\"token\":\"x\",\"requestor\":\"OTHER\"}", 422),
            ("{\"token\":\"x\",\"requestor\":\"DEMO\\u212a\"}", 422),
            (String(repeating: "[", count: 60_000), 400), ("{\"token\":\"\u{0}\"}", 400),
            ("{\"" + String(repeating: "n", count: 500) + "\":1}", 400),
            ("{\"token\":\"" + String(repeating: "x", count: 140_000) + "\"}", 413),
            ("{\"token\":\"" + String(repeating: "x", count: 100_000) + "\"}", 200), ("{\"token\":\"x\"}", 200),
        ] as [(String, Int)])
    func bodies_getTheirStatus(body: String, status: Int) throws {
        let answer = try verifier.connect().request("POST", "/v1/verify", body: Data(body.utf8))
        #expect(answer.status == status, "\(answer.text)")
        if status != 200 {
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(answer.json["status"] as? Int == status)
            #expect((answer.json["detail"] as? String)?.isEmpty == false)
        }
        #expect(try verifier.get("/healthz").status == 200)
    }

    @Test(
        .row("VW5"),
        arguments: [
            (#"{"tokens":[{"token":"x"}],"tokens":[{"token":"y"}]}"#, 400),
            (#"{"tokens":[{"token":"x"},{"token":"y","spend":true,"spend":false}]}"#, 400),
            (#"{"tokens":[{"token":"x"},{"token":"x"}]}"#, 200),
        ])
    func batchesWithAFieldTwice_areRefused(body: String, status: Int) throws {
        let answer = try verifier.connect().request("POST", "/v1/verify/batch", body: Data(body.utf8))
        #expect(answer.status == status)
        if status == 400 { #expect(answer.json["detail"] as? String == "A field occurs twice.") }
    }

    @Test func bodies_getASentenceThatSaysWhatIsWrong() throws {
        let empty = "The body is empty."
        let compressed = "The body must not be compressed. Send it without Content-Encoding."
        let token = #"{"token":"x"}"#
        for (path, body, encoding, status, detail) in [
            ("/v1/verify", "", "", 400, empty), ("/v1/verify/batch", "", "", 400, empty),
            ("/v1/verify/batch", #"{"tokens":[],"spend":false}"#, "", 400, "A batch has the one field tokens."),
            ("/v1/verify", token, "gzip", 415, compressed), ("/v1/verify", token, "identity", 200, nil),
            ("/v1/verify", token, "identity, ,Identity", 200, nil),
            ("/v1/verify", token, "identity,gzip", 415, compressed),
        ] as [(path: String, body: String, encoding: String, status: Int, detail: String?)] {
            let headers = encoding.isEmpty ? [:] : ["content-encoding": encoding]
            let answer = try verifier.connect().request("POST", path, body: Data(body.utf8), headers: headers)
            #expect(answer.status == status)
            #expect(answer.json["detail"] as? String == detail)
        }
    }

    /// The decoder would accept such documents, but a proxy before the service would not.
    @Test(.row("VW5"), arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32])
    func bodiesThatAreNotUTF8_areRefused(encoding: String.Encoding) throws {
        let body = try #require(#"{"token":"x"}"#.data(using: encoding))
        for type in ["application/json", "application/json; charset=utf-16"] {
            let answer = try verifier.connect().request(
                "POST", "/v1/verify", body: body, headers: ["content-type": type])
            #expect(answer.status == 400)
        }
    }

    @Test(.row("VW8")) func whatCallersSend_isNoLabel() throws {
        let odd = "odd\"} 1\ntve_odd{a=\"b"
        _ = try verifier.verify(["token": "odd", "requestor": odd])
        _ = try verifier.verify(["token": "odd", "resource": odd])
        for path in ["/v1/verify/odd", "/odd", "/v1/verify?odd=odd"] {
            _ = try verifier.connect().request("POST", path, body: Data("{}".utf8))
            _ = try verifier.connect().request("ODD", path)
        }
        let page = try verifier.get("/metrics").text
        #expect(page.contains("tve_verdicts_total") && !page.contains("odd"))
    }

    @Test func batches_ofNoneOrTooMany_areRefused() throws {
        for (count, isTaken) in [(0, false), (1, true), (100, true), (101, false), (1_000, false)] {
            let body = ["tokens": (0..<count).map { _ in ["token": "x"] }]
            let answer = try verifier.connect().request(
                "POST", "/v1/verify/batch", body: JSONSerialization.data(withJSONObject: body))
            #expect(answer.status == (isTaken ? 200 : 400), "\(count)")
            if isTaken {
                #expect((answer.json["results"] as? [Any])?.count == count)
            } else {
                #expect(answer.json["detail"] as? String == "A batch must have 1 to 100 tokens.")
            }
        }
    }

    @Test(
        .row("VW5"),
        arguments: [
            ("", "[]", "The body is not JSON of the expected form."), ("", "{}", "The field token is missing."),
            ("", #"{"token":1}"#, "The field token has the wrong type."),
            ("", #"{"token":null}"#, "The field token has the wrong type."),
            ("", #"{"token":"x","resource":1}"#, "The field resource has the wrong type."),
            ("", #"{"token":"x","requestor":1}"#, "The field requestor has the wrong type."),
            ("", #"{"token":"x","spend":1}"#, "The field spend has the wrong type."),
            ("/batch", "{}", "A batch has the one field tokens."),
            ("/batch", #"{"tokens":1}"#, "The field tokens has the wrong type."),
            ("/batch", #"{"tokens":[{"token":"x"},{}]}"#, "The field tokens[1].token is missing."),
            ("/batch", #"{"tokens":[{"token":1}]}"#, "The field tokens[0].token has the wrong type."),
        ])
    func aFieldThatCannotBeRead_isNamed(route: String, body: String, detail: String) throws {
        let answer = try verifier.connect().request("POST", "/v1/verify\(route)", body: Data(body.utf8))
        #expect(answer.json["detail"] as? String == detail)
    }

    @Test(.row("VW5")) func aBatch_hasAtMostTheBytesOfTheLimit() throws {
        for (length, status) in [(2_097_152, 200), (2_097_153, 413)] {
            let body = #"{"tokens":[{"token":"\#(String(repeating: "x", count: length - 25))"}]}"#
            #expect(body.utf8.count == length)
            let answer = try verifier.connect().request("POST", "/v1/verify/batch", body: Data(body.utf8))
            #expect(answer.status == status, "\(length)")
        }
    }

    /// The limit is 128 KiB, whether or not a header states the length of the body.
    @Test(.row("VW5")) func aBody_hasAtMostTheBytesOfTheLimit() throws {
        for (length, status) in [(131_072, 200), (131_073, 413)] {
            let body = "{\"token\":\"\(String(repeating: "x", count: length - 12))\"}"
            #expect(body.utf8.count == length)
            let whole = try verifier.connect()
            #expect(try whole.request("POST", "/v1/verify", body: Data(body.utf8)).status == status, "\(length)")
            let parts = try verifier.connect()
            let head = "POST /v1/verify HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n"
            let chunk = "\(String(length, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
            try parts.send(Data("\(head)transfer-encoding: chunked\r\n\r\n\(chunk)".utf8))
            #expect(try HTTPAnswer(parts).status == status, "\(length)")
        }
    }

    @Test(
        arguments: [
            ("GET", "/v1/verify", nil, 405, "method-not-allowed"),
            ("DELETE", "/v1/verify/batch", nil, 405, "method-not-allowed"),
            ("POST", "/healthz", nil, 405, "method-not-allowed"), ("GET", "/", nil, 404, "not-found"),
            ("POST", "/v1/verify/x", nil, 404, "not-found"),
            ("POST", "/v1/verify", "text/plain", 415, "unsupported-media-type"),
            ("POST", "/v1/verify", "application/jsonx", 415, "unsupported-media-type"),
        ] as [(String, String, String?, Int, String)])
    func otherRequests_getAProblem(method: String, path: String, type: String?, status: Int, kind: String) throws {
        let headers = type.map { ["content-type": $0] } ?? [:]
        let answer = try verifier.connect().request(
            method, path, body: type == nil ? nil : Data("{}".utf8), headers: headers)
        #expect(answer.status == status)
        #expect(answer.problem == kind)
        guard status == 405 else { return }
        #expect(answer.headers["allow"] != nil)
        // The address is the same with a slash at its end.
        #expect(try verifier.connect().request(method, path + "/").status == 405)
    }

    @Test func pages_areThere() throws {
        _ = try verifier.verify(["token": "x"])
        #expect(try verifier.get("/healthz").json["status"] as? String == "ok")
        #expect(try verifier.get("/readyz").status == 200)
        #expect(try verifier.get("/openapi.json").json["openapi"] as? String == "3.1.0")
        let page = try verifier.get("/metrics")
        #expect(page.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
        #expect(page.text.contains("tve_verdicts_total{requestor=\"DEMO\",verdict=\"invalidTokenFormat\"} 1\n"))
        #expect(page.text.contains("tve_requests_total{route=\"/v1/verify\",status=\"200\"} 1\n"))
        #expect(page.text.contains("tve_request_seconds_count{route=\"/v1/verify\"} 1\n"))
    }

    @Test func theDescription_hasEveryMethod_andTheKeyWhereOneIsNeeded() throws {
        let document = try verifier.get("/openapi.json").json
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        let methods = paths.mapValues { $0.keys.map { $0.uppercased() }.sorted().joined(separator: ", ") }
        #expect(methods == ServiceFrame<BasicRequestContext>.methods)
        for (path, operations) in paths {
            for (method, operation) in operations {
                let responses = try #require(operation["responses"] as? [String: Any])
                #expect((responses["401"] != nil) == (operation["security"] != nil), "\(method) \(path)")
            }
        }
        // The number of tokens in a batch is configured.
        let schemas = (document["components"] as? [String: [String: Any]])?["schemas"]
        let batch = (schemas?["Batch"] as? [String: Any])?["properties"] as? [String: [String: Any]]
        let tokens = try #require(batch?["tokens"])
        #expect(tokens["maxItems"] == nil)
    }

    @Test(.row("SE10", "VP18")) func traceIDs_areInTheLog_andTokensAreNot() throws {
        let verifier = try fleet.verifier("logLevel: trace")
        let token = try fleet.mint.token(viewer: "viewer-of-the-log")
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        #expect(try verifier.verify(["token": token], headers: ["traceparent": trace]).status == 200)
        #expect(waitUntil { verifier.logged.contains("4bf92f3577b34da6a3ce929d0e0e4736") })
        #expect(!verifier.logged.contains("viewer-of-the-log"))
        #expect(!verifier.logged.contains(String(token.dropFirst(40).prefix(40))))
        for line in verifier.logged.split(separator: "\n") {
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)")
        }
    }
}
