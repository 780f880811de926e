import CSimdJSON
import Foundation

// The cursor is not public; this target is only built for debugging, where testing is enabled.
@testable import TVEModels

/// libFuzzer calls this with every input that it generates: Foundation, simdjson and the cursor must agree.
///
/// What Foundation and simdjson both read, the cursor reads with Foundation's values; what both refuse, it refuses. The
/// exceptions are listed in ``isException(_:)`` with their reasons. A difference ends the run.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Data(UnsafeBufferPointer(start: start, count: count))
    let ours = try? UntrustedJSON.read(MetadataValue.self, from: bytes)
    let theirs = try? JSONDecoder().decode(MetadataValue.self, from: bytes)
    let isValid = bytes.withUnsafeBytes { bytes in
        simd_is_valid(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count) == 1
    }
    if let ours {
        demand(isValid || theirs != nil, "The cursor reads what both others refuse.", bytes)
        if let theirs { demand(ours == theirs, "The cursor reads another value.", bytes) }
    } else if isValid, theirs != nil {
        demand(isException(bytes), "The cursor refuses what both others read.", bytes)
    }
    // The forgiving way ends, whatever the bytes are.
    let limits = UntrustedJSON.Limits(bytes: .max, depth: .max, nameBytes: 64, isForgiving: true)
    _ = try? UntrustedJSON.read(Loose.self, from: bytes, limits)
    return 0
}

/// Ends the run with the input, which libFuzzer does not keep when the process traps.
private func demand(_ isKept: Bool, _ rule: String, _ bytes: Data) {
    guard !isKept else { return }
    fatalError("\(rule)\n\(String(decoding: bytes, as: UTF8.self))\n\(bytes.base64EncodedString())")
}

/// Whether a document exceeds a limit of the cursor, which the others do not have.
private func isException(_ bytes: Data) -> Bool {
    // Deeper than 32, or a name longer than 256 bytes.
    let wide = UntrustedJSON.Limits(bytes: .max, depth: 10_000, nameBytes: .max)
    guard var cursor = try? JSONCursor(Array(bytes), wide) else { return false }
    return (try? cursor.skip()) != nil && cursor.isAtEnd()
}

/// What a reader of a recording does: some members, the rest passed by its brackets.
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
