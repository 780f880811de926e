import Crypto
import Foundation
import HTTPTypes
import TVEModels
import TVESandbox
import TVESandboxConsole
import TVETestSupport
import TVETestTraits

/// Tests of the state that a sandbox saves in its directory, and of directories that it cannot use.
@Suite(.fewAtATime)
struct SnapshotTests {
    private let path = NSTemporaryDirectory() + "tve-state-\(UUID().uuidString)"

    private func client(clock: ManualClock = ManualClock(), world: SandboxWorld? = .demo) async throws -> SandboxClient
    {
        try await SandboxClient(
            in: try SandboxFolder(path, key: SandboxKey.ofThisProcess.get), world: world, clock: clock)
    }

    private func withFolder(_ body: () async throws -> Void) async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body()
    }

    /// Stops a sandbox as `tve sandbox` does.
    private func stop(_ client: SandboxClient) async throws {
        await client.sandbox.stop()
        try client.sandbox.keep()
    }

    /// The data of a client and of its sandbox when the sandbox stops.
    ///
    /// It holds no reference to the directory.
    private struct Day {
        let token: String
        let headers: [String: String]
        let seen: [String]
        let statement: String
        let world: SandboxWorld
    }

    private func seen(_ client: SandboxClient) -> [String] {
        client.sandbox.exchanges.map { "\($0.id) \($0.target) \($0.status) \($0.facts) \($0.answer.length)" }
    }

    private func firstDay(_ clock: ManualClock) async throws -> Day {
        let client = try await client(clock: clock).registered()
        let token = try await client.loggedIn(device: "tv")
        _ = try await client.change(.put, "/console/api/notes", body: "{\"text\":\"look here\"}")
        _ = try await client.change(.put, "/console/api/devices/tv/name", body: "{\"name\":\"Kitchen\"}")
        let fault = "{\"kind\":\"throttled\",\"step\":\"config\"}"
        _ = try await client.change(.post, "/console/api/faults", body: fault)
        _ = try await client.change(.post, "/console/api/clock", body: "{\"by\":60}")
        try await stop(client)
        return Day(
            token: token, headers: client.headers, seen: seen(client), statement: client.sandbox.softwareStatement,
            world: client.sandbox.world)
    }

    /// An id may be as long as the head of a request allows.
    @Test func goesOnAfterARestart_withTheLongestIDs() async throws {
        try await withFolder {
            try await joinWithLongIDs()
            _ = try await client(world: nil)
        }
    }

    private func joinWithLongIDs() async throws {
        let client = try await client().registered()
        let headers = [
            "X-SSO-ID": String(repeating: "a", count: 20_000), "AP-Device-Identifier": "fingerprint dHY=",
            "X-Device-Info": SandboxClient.deviceInfo,
        ]
        let answer = try await client.send(.post, "/api/DEMO/serviceToken", headers: headers)
        #expect(answer.status == 201, "\(answer.text)")
        try await stop(client)
    }

    @Test func goesOnAfterARestart_withLoginsExchangesWorldAndNotes() async throws {
        try await withFolder {
            let clock = ManualClock()
            let day = try await firstDay(clock)
            var again = try await client(clock: clock, world: nil)
            again.headers = day.headers
            #expect(again.sandbox.softwareStatement == day.statement && again.sandbox.world == day.world)
            #expect(seen(again) == day.seen)
            #expect(try await again.send(.get, "/console/api/clock").text.contains("\"moved\":60000"))
            #expect(try await again.authorize(day.token, "DEMO-1", device: "tv").text.contains("authzToken"))
            #expect(again.sandbox.exchanges.last?.id == day.seen.count + 1)
            #expect(again.sandbox.exchanges.last?.facts.flow == 1, "The new exchange belongs to the flow before.")
            let page = try await again.send(.get, "/console/lanes").text
            #expect(page.contains("Kitchen") && page.contains("Authorize a resource"))
            #expect(try await again.send(.get, "/").text.contains("look here"))
        }
    }

    @Test func begins_withTheWorldThatIsGiven() async throws {
        try await withFolder {
            let day = try await firstDay(ManualClock())
            var other = SandboxWorld.demo
            other.requestors[0].name = "Another brand"
            let again = try await client(world: other)
            #expect(again.sandbox.world == other.strict && seen(again) == day.seen)
        }
    }

    @Test func restoresASnapshot_andKeepsWhatItReplaces() async throws {
        try await withFolder {
            let client = try await client().registered()
            let token = try await client.loggedIn(device: "tv")
            func save(_ name: String) async throws -> Int {
                try await client.change(.post, "/console/api/snapshots", body: "{\"name\":\"\(name)\"}").status
            }
            #expect(try await save("logged in") == 204)
            #expect(try await save("logged in") == 400, "A snapshot is not replaced.")
            for name in ["", "../key", ".hidden", "a/b", "a\\u0000b"] { #expect(try await save(name) == 400) }
            let count = client.sandbox.exchanges.count
            let logins = try await client.send(.get, "/console/api/state").json(Logins.self).logins
            _ = try await client.change(.post, "/console/api/logins/\(try #require(logins.first).id)/expire")
            _ = try await client.change(.delete, "/console/api/exchanges")
            #expect(try await client.authorize(token, "DEMO-1", device: "tv").text.contains("pendingLogout"))
            let restored = try await client.change(.post, "/console/api/snapshots/logged%20in/restore")
            #expect(restored.status == 204 && client.sandbox.exchanges.count == count)
            #expect(try await client.authorize(token, "DEMO-1", device: "tv").text.contains("authzToken"))
            #expect(client.sandbox.exchanges.last?.id == count + 2, "A number is given once.")
            let list = try await client.send(.get, "/console/api/snapshots").json([Row].self).map(\.name)
            #expect(Set(list) == ["logged in", "before the last restore"])
            #expect(try await client.change(.delete, "/console/api/snapshots/logged%20in").status == 204)
            #expect(try await client.change(.post, "/console/api/snapshots/logged%20in/restore").status == 404)
            #expect(try await client.change(.post, "/console/api/snapshots/..%2Fkey/restore").status == 404)
        }
    }

    private struct Logins: Decodable {
        struct Login: Decodable { let id: String }
        let logins: [Login]
    }

    private struct Row: Decodable { let name: String }

    /// Two testers choose the same name at the same time.
    @Test func aNewSnapshot_replacesNoOther() async throws {
        try await withFolder {
            let client = try await client()
            for number in 0..<20 {
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<2 {
                        group.addTask {
                            let body = "{\"name\":\"\(number)\"}"
                            return try await client.change(.post, "/console/api/snapshots", body: body).status
                        }
                    }
                    return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
                }
                #expect(statuses == [204, 400])
            }
        }
    }

    @Test func isPrivate() async throws {
        try await withFolder {
            let client = try await client()
            _ = try await client.change(.post, "/console/api/snapshots", body: "{\"name\":\"one\"}")
            try await stop(client)
            func mode(_ path: String) throws -> Int {
                try #require(
                    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
            }
            #expect(try mode(path) == 0o700)
            for file in ["key", "lock", "state", "one.snapshot"] { #expect(try mode("\(path)/\(file)") == 0o600) }
            let snapshot = client.sandbox.routes.snapshot()
            var dumped = ""
            dump(snapshot, to: &dumped)
            for text in ["\(snapshot)", dumped] { #expect(!text.contains("secret"), "\(text.prefix(200))") }
        }
    }

    @Test(arguments: [
        ("", SandboxFolderError.foreign), ("{\"requestors\":[]}\n", SandboxFolderError.foreign),
        ("tve-sandbox-state 2 0\n{}", SandboxFolderError.newer),
        ("tve-sandbox-state 1 0\n{}", SandboxFolderError.damaged),
    ])
    func leavesAFile_thatItCannotRead(content: String, error: @Sendable (String) -> SandboxFolderError) async throws {
        try await withFolder {
            _ = try SandboxFolder(path, key: SandboxKey.ofThisProcess.get)
            for file in ["state", "key"] {
                let name = "\(path)/\(file)"
                let before = FileManager.default.contents(atPath: name)
                try Data(content.utf8).write(to: URL(fileURLWithPath: name))
                await #expect(throws: error(name)) { try await client() }
                #expect(FileManager.default.contents(atPath: name) == Data(content.utf8))
                if let before { try before.write(to: URL(fileURLWithPath: name)) }
                if before == nil { try FileManager.default.removeItem(atPath: name) }
            }
        }
    }

    /// A newer version may save values that this one does not know, under a hash that is right.
    @Test func leavesAFile_withAKindOfFaultThatItDoesNotKnow() async throws {
        try await withFolder {
            let client = try await client()
            let fault = "{\"kind\":\"throttled\",\"step\":\"config\"}"
            #expect(try await client.change(.post, "/console/api/faults", body: fault).status < 300)
            try await stop(client)
            let name = "\(path)/state"
            let good = try #require(FileManager.default.contents(atPath: name))
            let start = try #require(good.firstIndex(of: UInt8(ascii: "\n"))) + 1
            let json = String(decoding: good[start...], as: UTF8.self)
                .replacingOccurrences(of: "\"throttled\"", with: "\"unheardOf\"")
            let newer = Data("tve-sandbox-state 1 \(SHA256.hash(data: Data(json.utf8)).hexadecimal)\n\(json)".utf8)
            try newer.write(to: URL(fileURLWithPath: name))
            let folder = try #require(client.sandbox.routes.folder)
            #expect(throws: SandboxFolderError.newer(name)) { try folder.state() }
            #expect(FileManager.default.contents(atPath: name) == newer)
        }
    }

    @Test func refusesEveryFile_thatMissesOrChangesAByte() async throws {
        try await withFolder {
            let client = try await client()
            try await stop(client)
            let name = "\(path)/state"
            let good = try Data(contentsOf: URL(fileURLWithPath: name))
            let folder = try #require(client.sandbox.routes.folder)
            for place in stride(from: 0, to: good.count, by: 97) {
                try good.prefix(place).write(to: URL(fileURLWithPath: name))
                #expect(throws: SandboxFolderError.self) { try folder.state() }
                var changed = good
                changed[place] ^= 1
                try changed.write(to: URL(fileURLWithPath: name))
                #expect(throws: SandboxFolderError.self) { try folder.state() }
            }
            try good.write(to: URL(fileURLWithPath: name))
            #expect(try folder.state() != nil)
        }
    }

    @Test func removesTheUnfinishedFiles_ofAProcessThatWasKilled() async throws {
        try await withFolder {
            _ = try SandboxFolder(path, key: SandboxKey.ofThisProcess.get)
            let id = UUID().uuidString
            let unfinished = ["key.\(id)", "state.\(id)", "one.snapshot.\(id)"]
            let others = ["notes.\(id)", "state.old", id, ".\(id)", "state.\(id).snapshot", "one.snapshot"]
            for name in unfinished + others {
                try Data("secret".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
            }
            _ = try SandboxFolder(path, key: SandboxKey.ofThisProcess.get)
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(Set(names) == Set(["key", "lock"] + others))
        }
    }

    @Test func refusesADirectory_ofOthersOrInUse() async throws {
        try await withFolder {
            let folder = try SandboxFolder(path, key: SandboxKey.ofThisProcess.get)
            #expect(throws: SandboxFolderError.inUse(path)) { try SandboxFolder(path) }
            let other = "\(path)/other"
            try FileManager.default.createDirectory(
                atPath: other, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            #expect(throws: SandboxFolderError.notPrivate(other)) { try SandboxFolder(other) }
            #expect(throws: SandboxFolderError.notADirectory("\(path)/key")) { try SandboxFolder("\(path)/key") }
            #expect(throws: SandboxFolderError.system("\(path)/no/such", errno: ENOENT)) {
                try SandboxFolder("\(path)/no/such")
            }
            // This is a snapshot of a sandbox with another key.
            let mine = try SandboxFolder("\(path)/mine") { try SandboxKey(privateKeyPEM: TestKeys.first) }
            let client = try await SandboxClient(in: mine)
            try folder.save(client.sandbox.routes.snapshot(), as: "foreign")
            try FileManager.default.copyItem(
                atPath: "\(path)/foreign.snapshot", toPath: "\(path)/mine/foreign.snapshot")
            let answer = try await client.change(.post, "/console/api/snapshots/foreign/restore")
            #expect(answer.status == 400 && answer.text.contains("another key"))
        }
    }

    @Test func withoutADirectory_saysHowToGetOne() async throws {
        let client = try await SandboxClient(pages: .console)
        let answer = try await client.change(.post, "/console/api/snapshots", body: "{\"name\":\"one\"}")
        #expect(answer.status == 400 && answer.text.contains("--state"))
        #expect(try await client.send(.get, "/console/worlds").text.contains("tve sandbox --state DIRECTORY"))
    }
}
