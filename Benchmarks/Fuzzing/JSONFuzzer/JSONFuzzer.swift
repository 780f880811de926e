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
    let theirs = try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)
    let isValid = bytes.withUnsafeBytes { bytes in
        simd_is_valid(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count) == 1
    }
    if let ours {
        precondition(isValid || theirs != nil, "The cursor reads what both others refuse.")
        if let theirs { precondition(ours.isSame(as: theirs), "The cursor reads another value.") }
    } else if isValid, theirs != nil {
        precondition(isException(bytes), "The cursor refuses what both others read.")
    }
    // The forgiving way ends, whatever the bytes are.
    let limits = UntrustedJSON.Limits(bytes: .max, depth: .max, nameBytes: 64, isForgiving: true)
    _ = try? UntrustedJSON.read(Loose.self, from: bytes, limits)
    return 0
}

/// Whether a document exceeds a limit of the cursor, which the others do not have.
private func isException(_ bytes: Data) -> Bool {
    // Deeper than 32, a name longer than 256 bytes, or a number that no `Double` holds: simdjson keeps large whole numbers,
    // and Foundation reads some that are too large as decimals.
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

extension MetadataValue {
    /// Whether Foundation's value is the same.
    fileprivate func isSame(as theirs: Any) -> Bool {
        switch self {
        case .null: theirs is NSNull
        case .bool(let value): (theirs as? Bool) == value
        case .number(let value): (theirs as? NSNumber)?.doubleValue == value
        case .string(let value): (theirs as? String).map { $0.isSameBytes(as: value) } ?? false
        case .array(let values):
            (theirs as? [Any]).map { $0.count == values.count && zip(values, $0).allSatisfy { $0.isSame(as: $1) } }
                ?? false
        case .object(let values):
            // Of names that are the same to `String`, each side may keep another one.
            (theirs as? [String: Any]).map { theirs in
                theirs.count == values.count
                    && values.allSatisfy { name, value in theirs[name].map { value.isSame(as: $0) } ?? false }
            } ?? false
        }
    }
}
