/// Checks everything before the root element, before the library reads it.
///
/// A document type must not reach the library at all: after the first error the library calls no handler that could
/// refuse it, but continues and applies what the document type declares.
enum XMLProlog {
    /// Refuses document types and processing instructions before the root element, and comments where none are allowed.
    static func check(_ bytes: UnsafeBufferPointer<UInt8>, _ policy: XMLPolicy) throws(TokenCodecError) {
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        if rest.starts(with: "<?xml".utf8) {
            // A declaration cannot contain a `>`; a parser that recovers from a broken one continues after the first.
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")), rest[end - 1] == UInt8(ascii: "?") else {
                throw .markupForbidden
            }
            rest = rest[(end + 1)...]
        }
        while true {
            rest = rest.drop(while: \.isXMLWhitespace)
            guard rest.count > 1, rest.first == UInt8(ascii: "<") else { return }
            switch rest[rest.startIndex + 1] {
            case UInt8(ascii: "?"): throw .markupForbidden
            case UInt8(ascii: "!"): try skipComment(&rest, policy)
            default: return
            }
        }
    }

    /// Skips a comment; anything else that begins this way is a document type, or a broken one.
    private static func skipComment(
        _ rest: inout UnsafeBufferPointer<UInt8>.SubSequence, _ policy: XMLPolicy
    ) throws(TokenCodecError) {
        guard rest.starts(with: "<!--".utf8) else {
            throw rest.starts(with: "<!DOCTYPE".utf8) ? .documentTypeForbidden : .markupForbidden
        }
        guard policy.allowsComments, let end = endOfComment(rest) else { throw .markupForbidden }
        rest = rest[end...]
    }

    /// The index after `-->`, nil when there is none.
    private static func endOfComment(_ rest: UnsafeBufferPointer<UInt8>.SubSequence) -> Int? {
        var hyphens = 0
        for index in rest.indices.dropFirst(4) {
            switch rest[index] {
            case UInt8(ascii: "-"): hyphens += 1
            case UInt8(ascii: ">") where hyphens > 1: return index + 1
            default: hyphens = 0
            }
        }
        return nil
    }
}
