import Foundation
import Testing

/// Nobody else's code runs under a lock: to resume or cancel a task takes the runtime's lock of that task, which another
/// thread may hold while its cancellation handler waits for ours.
struct LockTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Modules")

    /// Files that resume under a lock, and why no handler waits for that lock.
    private static let exceptions: [String: String] = [
        "TVEModels/Sharing/Broadcast.swift": "the end of a stream takes another lock, under which nothing happens",
        "TVEFlowEngine/Session/CallQueue.swift": "nothing cancels the task that reads the line",
    ]

    /// The bodies of all closures that run under a lock.
    private static func lockedCode(in source: String) -> [Substring] {
        source.matches(of: /with(?:Lock|Present|Tables)\b *\(? *\{/).map { match in
            var depth = 1
            var end = match.range.upperBound
            while depth > 0, end < source.endIndex {
                if source[end] == "{" { depth += 1 }
                if source[end] == "}" { depth -= 1 }
                end = source.index(after: end)
            }
            return source[match.range.upperBound..<end]
        }
    }

    private static func resumesUnderALock(_ source: String) -> Bool {
        lockedCode(in: source).contains { $0.contains(/\.(?:resume|yield|finish|cancel|cancelAll)\(/) }
    }

    @Test func nothingIsResumedOrCancelledUnderALock() throws {
        var found: Set<String> = []
        for file in try FileManager.default.subpathsOfDirectory(atPath: Self.root.path) where file.hasSuffix(".swift") {
            let source = try String(contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
            if source.contains("withLock"), Self.resumesUnderALock(source) { found.insert(file) }
        }
        #expect(found == Set(Self.exceptions.keys))
    }

    @Test(arguments: [
        ("state.withLock { $0.caller?.resume() }", true),
        ("state.withLock { state in\n    if a { b() }\n    state.task.cancel()\n}", true),
        ("let caller = state.withLock { $0.caller }\ncaller?.resume()", false),
        ("state.withLock { $0.take() }?.resume()", false),
    ])
    func findsWhatResumesUnderALock(source: String, isOne: Bool) {
        #expect(Self.resumesUnderALock(source) == isOne)
    }
}
