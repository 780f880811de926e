import Foundation
import HTTPTypes
import TVESandbox
import TVESandboxConsole
import TVETestSupport
import TVETestTraits

/// Tests of the lanes, of the names of devices, of the reasons for denials, and of the notes.
@Suite(.fewAtATime)
struct LaneTests {
    @Test(arguments: [
        ("", "viewer DEMO-PLUS"), ("{\"kind\":\"denied\",\"resource\":\"demo-plus\"}", "viewer DEMO-PLUS"),
        ("{\"kind\":\"denied\",\"resource\":\"DEMO-2\"}", "viewer DEMO-PLUS"),
        ("{\"kind\":\"degraded\",\"code\":\"authorizeNone\"}", "fault DEMO-PLUS"),
        ("{\"kind\":\"unreachable\"}", "fault DEMO-PLUS"),
        ("{\"kind\":\"unreachable\",\"provider\":\"demo-fiber\"}", "viewer DEMO-PLUS"),
    ])
    func saysWhatHasDenied(fault: String, reason: String) async throws {
        let client = try await SandboxClient(pages: .console).registered()
        let code = try await client.registrationCode(deviceID: "tv")
        _ = try await client.logIn(code: code)
        let token = try await client.authenticationToken(code, device: "tv")
        if !fault.isEmpty { #expect(try await client.change(.post, "/console/api/faults", body: fault).status == 201) }
        let answer = try await client.authorize(token, "DEMO-PLUS", device: "tv")
        #expect(answer.header("X-Sandbox-Decision") == reason)
        let lanes = try await client.send(.get, "/console/lanes").text
        let place = reason.hasPrefix("viewer") ? "/console/accounts#viewers" : "/console/faults#on"
        #expect(
            lanes.contains("<strong>Denied</strong>: <code>DEMO-PLUS</code>") && lanes.contains("href=\"\(place)\""))
    }

    @Test func repeatedDenials_nameTheirViewersAndDevices() async throws {
        struct State: Decodable {
            struct Denial: Decodable { let resource, viewer, device: String }
            struct Login: Decodable { let id, device: String }
            let denials: [Denial]
            let logins: [Login]
        }
        let client = try await SandboxClient(pages: .console).registered()
        for device in ["tv", "phone"] {
            let token = try await client.loggedIn(device: device)
            _ = try await client.authorize(token, "DEMO-PLUS", device: device)
        }
        let state = try await client.send(.get, "/console/api/state").json(State.self)
        #expect(
            state.denials.map { "\($0.resource) \($0.viewer) \($0.device)" } == [
                "DEMO-PLUS viewer phone", "DEMO-PLUS viewer tv",
            ])
        let page = try await client.send(.get, "/console/devices").text
        #expect(page.contains("<th scope=\"col\">Denials in a row</th>") && page.contains("id=\"denials\""))
        // A login that has ended is not denied anything any more.
        let phone = try #require(state.logins.first { $0.device == "phone" })
        #expect(try await client.change(.post, "/console/api/logins/\(phone.id)/expire").status == 204)
        let left = try await client.send(.get, "/console/api/state").json(State.self)
        #expect(left.denials.map(\.device) == ["tv"])
    }

    @Test func saysThatAFieldOfTheWorldHasDenied_orNothing() async throws {
        var world = SandboxWorld.demo
        world.providers[0].degradation = .authorizeNone
        let client = try await SandboxClient(world: world, pages: .console).registered()
        let token = try await client.loggedIn(device: "tv")
        let denied = try await client.authorize(token, "DEMO-1", device: "tv")
        #expect(denied.header("X-Sandbox-Decision") == "provider DEMO-1")
        world.providers[0].degradation = nil
        try client.sandbox.apply(world.strict)
        let allowed = try await client.authorize(token, "DEMO-1", device: "tv")
        #expect(allowed.header("X-Sandbox-Decision") == nil && allowed.text.contains("authzToken"))
    }

    @Test func namesADevice_asTheTesterOrTheDeviceDoes() async throws {
        let client = try await SandboxClient(pages: .console).registered()
        let info = Data("{\"model\":\"<Box>\",\"osName\":\"tvOS\",\"osVersion\":\"18.2\"}".utf8).base64EncodedString()
        for device in ["one", "two"] {
            _ = try await client.send(
                .get, "/api/v2/DEMO/configuration",
                headers: [
                    "AP-Device-Identifier": "fingerprint \(Data(device.utf8).base64EncodedString())",
                    "X-Device-Info": info,
                ])
        }
        func lanes() async throws -> [String] {
            try await client.send(.get, "/console/lanes").text.matches(of: /<h2 id="lane-[^"]*">([^<]*)</).map {
                String($0.1)
            }
        }
        // Two devices of one model have different names.
        #expect(try await lanes() == ["&lt;Box&gt;, tvOS 18.2 (two)", "&lt;Box&gt;, tvOS 18.2 (one)"])
        #expect(
            try await client.change(.put, "/console/api/devices/two/name", body: "{\"name\":\" <Sofa> \"}").status
                == 204)
        #expect(try await lanes() == ["&lt;Sofa&gt;", "&lt;Box&gt;, tvOS 18.2"])
        #expect(try await client.send(.get, "/").text.contains("&lt;Sofa&gt;</td>"))
        #expect(try await client.change(.put, "/console/api/devices/two/name", body: "{}").status == 204)
        let unnamed = try await lanes()
        #expect(unnamed.count == 2 && unnamed.allSatisfy { $0.hasPrefix("&lt;Box") })
        let long = "{\"name\":\"\(String(repeating: "a", count: 61))\"}"
        #expect(try await client.change(.put, "/console/api/devices/two/name", body: long).status == 400)
    }

    @Test func writesNotes_unlessAnotherTabHasWrittenSince() async throws {
        let client = try await SandboxClient(pages: .console)
        let version = try #require(try await client.send(.get, "/console/api/notes").header("ETag"))
        func put(_ text: String, _ version: String) async throws -> SandboxClient.Answer {
            try await client.send(
                .put, "/console/api/notes", body: "{\"text\":\"\(text)\"}",
                headers: ["X-Sandbox-Token": client.sandbox.changeToken, "If-Match": version])
        }
        let written = try await put("first", version)
        #expect(written.status == 204 && written.header("ETag") != version)
        let late = try await put("second", version)
        #expect(late.status == 412 && late.header("ETag") == written.header("ETag"))
        #expect(try await client.send(.get, "/console/api/notes").text == "{\"text\":\"first\"}")
        #expect(try await put(String(repeating: "a", count: 100_001), "*").status == 400)
    }
}
