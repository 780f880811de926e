import Foundation
import TVEStorage
import TVETestTraits
import Testing

/// Four processes log in and out, check, repair, reseal, import and expire at random on one store.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct HammerTests {
    /// The test takes five minutes with `TVE_LONG_TESTS=1`, and otherwise performs a number of operations.
    private static let operations = LongTests.areOn ? 10_000_000 : 150
    private static let seconds = LongTests.areOn ? 300.0 : .infinity

    /// An event of `TVEStorageHammer`.
    private struct Event: Decodable {
        var kind: String
        var begin: Int
        var end: Int
        var login: String?
        var place: String?
        var seen: [String]?
        var wrong: [String]?
        /// The number of the process.
        var process: Int?
    }

    private func run(_ directory: URL, seed: UInt64) async throws -> [Event] {
        var processes: [(Process, FileHandle)] = []
        for number in 0..<4 {
            let process = Process()
            process.executableURL = URL.builtPrograms.appendingPathComponent("TVEStorageHammer")
            process.arguments = [directory.path, "\(number)", "\(seed)", "\(Self.operations)", "\(Self.seconds)"]
            // The output goes to a file, because no task reads a pipe in the meantime.
            let output = directory.deletingLastPathComponent().appendingPathComponent("events-\(number)")
            try Data().write(to: output)
            let handle = try FileHandle(forUpdating: output)
            process.standardOutput = handle
            try process.run()
            processes.append((process, handle))
        }
        var events: [Event] = []
        for (number, (process, handle)) in processes.enumerated() {
            await process.ended()
            #expect(process.terminationStatus == 0)
            try handle.seek(toOffset: 0)
            for line in try handle.readToEnd()?.split(separator: UInt8(ascii: "\n")) ?? [] {
                var event = try JSONDecoder().decode(Event.self, from: line)
                event.process = number
                events.append(event)
            }
        }
        return events
    }

    @Test(.row("SE15")) func nothingComesBack_nothingIsLost_andEverythingCanBeRead() async throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        let directory = TemporaryDirectory()
        let events = try await run(directory.store, seed: seed)
        let note: Comment = "seed \(seed)"
        let wrong = events.compactMap(\.wrong).joined()
        #expect(wrong.isEmpty, "\(wrong.prefix(5)), seed \(seed)")

        let logouts = events.filter { $0.kind == "logOut" }.sorted { $0.begin < $1.begin }
        // For each logout, this is the earliest end among it and the later logouts.
        let over =
            logouts.reversed().reduce(into: [Int]()) { $0.append(min($0.last ?? .max, $1.end)) }.reversed() as [Int]
        let logins = Dictionary(
            events.filter { $0.login != nil }.map { ($0.login ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        // A login is imported at most once.
        #expect(events.count { $0.login != nil } == logins.count, note)
        // A login is not imported after a logout.
        for event in events where event.kind == "imported" {
            #expect(over.first ?? .max >= event.begin, "\(event.login ?? "") after a logout, seed \(seed)")
        }
        for look in events where look.kind == "look" {
            for id in look.seen ?? [] {
                let login = try #require(logins[id], "\(id), seed \(seed)")
                let later = Self.firstIndex(in: logouts) { $0.begin >= login.end }
                let isBack = later < over.count && over[later] <= look.begin
                if isBack { Issue.record("\(id) came back after a logout, seed \(seed)") }
            }
        }
        try check(everyLoginIsThere: events, note)
        #expect(events.count { $0.kind == "look" } > 20 && logouts.count > 2 && logins.count > 20, note)

        #expect(try FileStorage(directory: directory.store).damage() == nil, note)
    }

    /// A process finds its own login at its next read, unless another process removed or replaced it in the meantime.
    private func check(everyLoginIsThere events: [Event], _ note: Comment) throws {
        let removals = events.filter { $0.kind == "logOut" || $0.place != nil }.sorted { $0.begin < $1.begin }
        let longest = removals.map { $0.end - $0.begin }.max() ?? 0
        var seen = 0
        for process in 0..<4 {
            var open: Event?
            for event in events where event.process == process {
                if event.kind == "logIn" { open = event.login == nil ? nil : event }
                if event.kind == "logOut" { open = nil }
                guard event.kind == "look", let login = open else { continue }
                open = nil
                let start = Self.firstIndex(in: removals) { $0.begin >= login.begin - longest }
                let isGone = removals[start...].prefix { $0.begin <= event.end }.contains { other in
                    other.end >= login.begin && other.login != login.login
                        && (other.kind == "logOut" || other.place == login.place)
                }
                guard !isGone else { continue }
                seen += 1
                if event.seen?.contains(login.login ?? "") != true {
                    Issue.record("\(login.login ?? "") is lost: \(note)")
                }
            }
        }
        #expect(seen > 0, note)
    }

    /// Returns the first index for which a condition holds, in a list in which it holds for all later ones.
    private static func firstIndex(in events: [Event], where holds: (Event) -> Bool) -> Int {
        var low = 0
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            if holds(events[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
