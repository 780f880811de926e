import TVEModels

/// A check of everything before the root element, which runs before the library reads it.
///
/// A document type must not reach the library at all: after the first error the library calls no handler that could
/// refuse it, but continues and applies the declarations of the document type.
enum XMLProlog {
    /// Refuses document types and processing instructions before the root element, and comments unless the policy
    /// allows them.
    static func check(_ bytes: Span<UInt8>, _ policy: XMLPolicy) throws(TokenCodecError) {
        var offset = bytes.has("\u{FEFF}", at: 0) ? 3 : 0
        if bytes.has("<?xml", at: offset) {
            // A declaration cannot contain a `>`. A parser that recovers from a broken declaration continues after the
            // first one.
            guard let end = bytes.firstIndex(of: UInt8(ascii: ">"), from: offset), bytes[end - 1] == UInt8(ascii: "?")
            else { throw .markupForbidden }
            offset = end + 1
        }
        while true {
            while offset < bytes.count, bytes[offset].isXMLSpace { offset += 1 }
            guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "<") else { return }
            switch bytes[offset + 1] {
            case UInt8(ascii: "?"): throw .markupForbidden
            case UInt8(ascii: "!"): offset = try endOfComment(bytes, at: offset, policy)
            default: return
            }
        }
    }

    /// Returns the offset after a comment.
    ///
    /// Any other markup that begins this way is a document type, or a broken one.
    private static func endOfComment(
        _ bytes: Span<UInt8>, at start: Int, _ policy: XMLPolicy
    ) throws(TokenCodecError) -> Int {
        guard bytes.has("<!--", at: start) else {
            throw bytes.has("<!DOCTYPE", at: start) ? .documentTypeForbidden : .markupForbidden
        }
        guard policy.allowsComments, let end = endOfHyphens(bytes, from: start + 4) else { throw .markupForbidden }
        return end
    }

    /// Returns the offset after `-->`, or nil if there is none.
    private static func endOfHyphens(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var hyphens = 0
        for index in start..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "-"): hyphens += 1
            case UInt8(ascii: ">") where hyphens > 1: return index + 1
            default: hyphens = 0
            }
        }
        return nil
    }
}
