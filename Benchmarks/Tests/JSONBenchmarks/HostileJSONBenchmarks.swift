import Foundation
import Harness
import TVEModels
import XCTest

/// The cost of hostile JSON, which must grow in proportion to the bytes and not faster.
///
/// All input from outside is parsed like these documents. `JSONBenchmarks` measures documents without bad intent.
final class HostileJSONBenchmarks: XCTestCase {
    /// A shape of a document, with its name and its approximate size in bytes.
    private struct Shape: Sendable {
        let name: String
        let make: @Sendable (Int) -> String
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static let shapes = [
        Shape(name: "deep lists") {
            "[" + [String](repeating: nested(30), count: $0 / 61).joined(separator: ",") + "]"
        },
        Shape(name: "deeper than allowed") { nested($0 / 2) },
        Shape(name: "brackets that never close") { String(repeating: "[", count: $0) },
        Shape(name: "many numbers") { "[" + String(repeating: "1,", count: $0 / 2) + "1]" },
        Shape(name: "many empty maps") { "[" + String(repeating: "{},", count: $0 / 3) + "1]" },
        Shape(name: "a long text") { "\"" + String(repeating: "a", count: $0) + "\"" },
        Shape(name: "a long escaped text") { "\"" + String(repeating: "\\u00e9", count: $0 / 6) + "\"" },
        Shape(name: "a long number") { "[1." + String(repeating: "7", count: $0) + "]" },
        Shape(name: "many keys") { size in
            "{" + (0..<(size / 12)).map { "\"k\($0)\":null" }.joined(separator: ",") + "}"
        },
        Shape(name: "one key many times") { size in
            "{" + [String](repeating: "\"k\":null", count: size / 9).joined(separator: ",") + "}"
        },
        Shape(name: "a long key of combining marks") { size in
            "{\"a" + String(repeating: "\u{323}\u{307}", count: size / 4) + "\":1}"
        },
        Shape(name: "many keys of combining marks") { size in
            "{"
                + (0..<(size / 48)).map { "\"\($0)" + String(repeating: "\u{307}\u{323}", count: 8) + "\":1" }
                .joined(separator: ",") + "}"
        },
    ]

    func testCostPerByte_staysTheSame_whateverTheShape() throws {
        for shape in Self.shapes {
            let small = Data(shape.make(8_000).utf8)
            let large = Data(shape.make(64_000).utf8)
            var contest = Contest("\(shape.name), 64 KB", rounds: 11) { repetitions in
                for _ in 0..<repetitions { Self.read(large) }
            }
            // Quadratic time would give a ratio of 8. Memory that does not fit into the caches also has a cost.
            contest.peer("8 times 8 KB", goal: .atMost(3)) { repetitions in
                for _ in 0..<(repetitions * 8) { Self.read(small) }
            }
            XCTAssertEqual(contest.compare(), [])
        }
    }

    /// Compares a profile that has an attribute of the greatest allowed depth with the same bytes as a string.
    func testDepth_costsNoMoreThanLength() throws {
        let deep = Data(("[" + [String](repeating: Self.nested(30), count: 131).joined(separator: ",") + "]").utf8)
        let flat = Data(("\"" + String(repeating: "a", count: deep.count - 2) + "\"").utf8)
        var contest = Contest("8 KB of deep lists", rounds: 11) { repetitions in
            for _ in 0..<repetitions { Self.read(deep) }
        }
        contest.peer("8 KB of text") { repetitions in
            for _ in 0..<repetitions { Self.read(flat) }
        }
        XCTAssertEqual(contest.compare(), [])
        measure { Self.read(deep) }
    }

    private static func read(_ bytes: Data) {
        // Only the time is measured, whether the document is refused or not.
        _ = try? MetadataValue(json: bytes)
    }
}
