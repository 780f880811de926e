import Foundation
import NIOConcurrencyHelpers
import TVEFleetFixture
import TVETestTraits
import Testing

@testable import TVERedisUses

/// The marks of memories that a connection trusts, and those that it replaces.
@Suite(.eightAtATime)
struct RedisMemoryTests {
    private typealias Restarts = RedisUsesConfiguration.Restarts

    /// Finds the memory of a primary that has one mark.
    ///
    /// The scripts of the primary do what those of Redis do, at the ninth millisecond of 1970.
    ///
    /// - Parameters:
    ///   - mark: the mark before the search.
    ///   - other: the mark that another verifier writes a moment before this one writes its own; `nil` for none.
    ///   - confirmations: the number of replicas that confirm each write.
    ///   - change: the settings of the verifier.
    /// - Returns: the memory, and the steps after the mark was read: `touch`, `wait`, or `begin` with the first word of
    ///   the new mark.
    private static func find(
        _ mark: String, other: String? = nil, confirmations: Int = 0, _ change: (inout RedisUsesConfiguration) -> Void
    ) throws -> (memory: RedisMemory, steps: [String]) {
        let world = NIOLockedValueBox((mark: mark, other: other, steps: [String]()))
        let server = try ScriptedRedis { command in
            world.withLockedValue { world -> String? in
                if command == "GET key" { return ScriptedRedis.text(world.mark) }
                if command.hasPrefix("WAIT ") {
                    world.steps.append("wait")
                    return ":\(confirmations)\r\n"
                }
                // The arguments follow the mark that was read.
                guard let read = command.range(of: " 1 key \(world.mark)", options: .backwards) else { return nil }
                let words = command[read.upperBound...].components(separatedBy: " ")
                guard words.count > 6 else {
                    world.steps.append("touch")
                    return ScriptedRedis.text(world.mark)
                }
                let isContinued = words[words.count - 1] == "continued"
                world.steps.append("begin \(words[1])\(isContinued ? " continued" : "")")
                var new = Array(words[1...4])
                new += [words[5].isEmpty ? "9" : words[5], words[6]]
                if isContinued { new.append("continued") }
                world.mark = world.other ?? new.joined(separator: " ")
                world.other = nil
                return ScriptedRedis.text(world.mark)
            }
        }
        var configuration = RedisUsesConfiguration(servers: [server.address])
        change(&configuration)
        let deadline = RedisDeadline.now.advanced(by: 60)
        let socket = try RedisSocket.open(server.address, at: server.address, configuration, until: deadline)
        let state = RedisState(history: "1f", offset: 7, evictions: 0)
        let found = try RedisMemory.find(["key"], on: socket, state: state, configuration, until: deadline)
        let memory = try #require(found[0])
        #expect(server.connections == 1)
        return (memory, world.withLockedValue { $0.steps })
    }

    private static let new = ["begin 3"]
    private static let continued = ["begin 3 continued"]

    /// The server has the history `1f`, the position 7 in it, and no evictions.
    ///
    /// The memory of each mark began at the first millisecond of 1970.
    @Test(
        .row("VR1", "VR7", "VR13"),
        arguments: [
            // The mark, and the steps with `restarts: forget` and with `restarts: keep`.
            ("3 1f 7 0 1 1", [], []), ("3 1f 6 0 1 1", [], []), ("4 1f 7 0 1 1", [], []), ("wait 1f 7 0 1 1", [], []),
            // The position is that of a machine that was restored to an earlier state since.
            ("3 1f 8 0 1 1", new, new),
            ("3 1f 7 1 1 1", new, new),
            ("3 2e 7 0 1 1", new, continued),
            ("3 1f 7 0 1 1 continued", new, []), ("3 2e 7 0 1 1 continued", new, continued),
            // None of these is a mark of this version.
            ("", new, new), ("3 1f 7 0 1", new, new), ("2 1f 7 0 1 1", new, new), ("3 1f x 0 1 1", new, new),
            ("3 1f 7 x 1 1", new, new), ("3 1f 7 0 x 1", new, new), ("3 1f 7 0 1 1 kept", new, new),
            ("3 1f 7 0 1 1 continued 1", new, new),
        ] as [(String, [String], [String])])
    func aMark_isTrusted_onlyInItsOwnHistory(mark: String, forgetting: [String], keeping: [String]) throws {
        for (restarts, expected) in [(Restarts.forget, forgetting), (.keep, keeping)] {
            let (memory, steps) = try Self.find(mark) { $0.restarts = restarts }
            #expect(steps == expected, "\(restarts)")
            // A new memory begins with its mark. Another time would trust tokens that were spent before it.
            let milliseconds = expected == Self.new ? 9.0 : 1.0
            #expect(memory.beginning == Date(timeIntervalSince1970: milliseconds / 1_000), "\(restarts)")
            #expect(memory.confirmations == nil)
        }
    }

    private static let touched = ["touch", "wait", "begin 4"]
    private static let begun = ["begin wait", "wait", "begin 4"]
    private static let afterAnother = ["begin wait", "wait", "touch", "wait", "begin 4"]

    /// A replica counts only if it has the mark that this verifier has written over its own connection.
    @Test(
        .row("VP4", "VR5"),
        arguments: [
            // The mark, that of another verifier, the confirmations, and the steps.
            ("4 1f 7 0 1 1", nil, 0, []),
            ("wait 1f 7 0 1 1", nil, 1, touched), ("3 1f 7 0 1 1", nil, 1, touched),
            ("4 2e 7 0 1 1", nil, 1, begun), ("", nil, 1, begun),
            ("wait 1f 7 0 1 1", nil, 0, ["touch", "wait"]), ("", nil, 0, ["begin wait", "wait"]),
            ("", "wait 1f 7 0 1 2", 1, afterAnother),
            ("", "wait 1f 7 0 1 2", 0, ["begin wait", "wait", "touch", "wait"]),
            ("", "4 1f 7 0 1 2", 0, ["begin wait", "wait"]),
        ] as [(String, String?, Int, [String])])
    func aMark_isConfirmed_beforeItsMemoryBegins(
        mark: String, other: String?, confirmations: Int, expected: [String]
    ) throws {
        let (memory, steps) = try Self.find(mark, other: other, confirmations: confirmations) {
            $0.replication = .majority(1, of: 1)
        }
        #expect(steps == expected)
        let isTrusted = mark.hasPrefix("4 1f") || other?.hasPrefix("4") == true
        #expect(memory.confirmations == (confirmations == 0 && !isTrusted ? 0 : nil))
        if steps.last == "begin 4" { #expect(memory.beginning == Date(timeIntervalSince1970: 0.009)) }
    }

    @Test(.row("VP3")) func aMemoryThatIsContinued_isConfirmedWithItsOwnBeginning() throws {
        let (memory, steps) = try Self.find("4 2e 7 0 1 1", confirmations: 1) {
            $0.restarts = .keep
            $0.replication = .majority(1, of: 1)
        }
        #expect(steps == ["begin wait continued", "wait", "begin 4 continued"])
        #expect(memory.beginning == Date(timeIntervalSince1970: 0.001))
    }
}
