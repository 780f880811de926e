import CSimdJSON
import Foundation

// The cursor is not public. This target is built only for debugging, where testing is enabled.
@testable import TVEModels

/// Parses an input that libFuzzer has generated with Foundation, simdjson and the cursor, which must agree.
///
/// If both Foundation and simdjson accept a document, the cursor accepts it with Foundation's values. If both refuse
/// it, the cursor refuses it too. The exceptions are listed in ``isException(_:)`` with their reasons. A difference
/// ends the run.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Data(UnsafeBufferPointer(start: start, count: count))
    let ours = try? UntrustedJSON.read(MetadataValue.self, from: bytes)
    let theirs = try? JSONDecoder().decode(MetadataValue.self, from: bytes)
    let isValid = bytes.withUnsafeBytes { bytes in
        simd_is_valid(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count) == 1
    }
    if let ours {
        demand(isValid || theirs != nil, "The cursor reads what both others refuse.", for: bytes)
        if let theirs { demand(ours == theirs, "The cursor reads another value.", for: bytes) }
    } else if isValid, theirs != nil {
        demand(isException(bytes), "The cursor refuses what both others read.", for: bytes)
    }
    // Lenient parsing must end for all bytes.
    let limits = UntrustedJSON.Limits(bytes: .max, depth: .max, nameBytes: 64, isForgiving: true)
    _ = try? UntrustedJSON.read(Loose.self, from: bytes, limits)
    return 0
}

/// Ends the run if a rule is broken, and prints the input, which libFuzzer does not save when the process traps.
private func demand(_ isKept: Bool, _ rule: String, for bytes: Data) {
    guard !isKept else { return }
    fatalError("\(rule)\n\(String(decoding: bytes, as: UTF8.self))\n\(bytes.base64EncodedString())")
}

/// Returns a Boolean value that indicates whether a document exceeds a limit that only the cursor has.
private func isException(_ bytes: Data) -> Bool {
    // The document is deeper than 32, or has a name longer than 256 bytes.
    let wide = UntrustedJSON.Limits(bytes: .max, depth: 10_000, nameBytes: .max)
    guard var cursor = try? JSONCursor(Array(bytes), wide) else { return false }
    return (try? cursor.skip()) != nil && cursor.isAtEnd()
}

/// A value that reads some members and skips the rest by its brackets, as a reader of recordings does.
private struct Loose: JSONReadable {
    private enum Field: String, CaseIterable { case a, b, list }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .a: _ = try json.text()
            case .b: _ = try json.decimal()
            case .list: _ = try json.list(of: String.self)
            }
        }
    }
}
