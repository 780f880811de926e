package import Foundation
import TVEModels

/// A web page that a network or a proxy sends in place of an answer.
package enum WebPage {
    /// Returns the media type of an answer that is a web page.
    ///
    /// - Parameters:
    ///   - contentType: the header field with that name.
    ///   - body: the body. Only its beginning is read.
    /// - Returns: the type without parameters, or nil if the answer is not a web page.
    package static func type(_ contentType: String?, _ body: Data) -> String? {
        let named = JSONCursor.trimmed(String((contentType ?? "").divided(at: ";").before)).lowercasedASCII
        let isNamed = types.contains(named)
        // Almost every answer is an object that says so, and needs no closer look.
        if !isNamed, body.first == UInt8(ascii: "{") { return nil }
        let start = start(of: body.prefix(1_024))
        // Some servers state the type of pages for all their answers.
        if isNamed, named.hasByteSuffix("+json") || !beginsLikeJSON(start) { return named }
        // Others state `text/plain`, `application/xml` or no type.
        let text = String(decoding: start.prefix(16), as: UTF8.self).lowercasedASCII
        let element = text.utf8.dropFirst().prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        let isElement = text.hasBytePrefix("<") && elements.contains(String(decoding: element, as: UTF8.self))
        guard isElement || text.hasBytePrefix("<!doctype html") else { return nil }
        return isPlain(named) ? named : "text/html"
    }

    /// The types of pages, and that of a network's notice to programs that it wants a login (RFC 8908).
    private static let types: Set = ["text/html", "application/xhtml+xml", "application/captive+json"]
    /// The elements with which pages begin.
    ///
    /// Login pages of networks often lack the outermost one.
    private static let elements: Set = ["html", "head", "title", "meta", "script", "body"]

    /// Returns a body without the white space, the comments and the XML declaration before its first element.
    private static func start(of body: Data) -> Data {
        var rest = body
        while true {
            rest = rest.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
            let end: String? = rest.starts(with: "<!--".utf8) ? "-->" : rest.starts(with: "<?".utf8) ? "?>" : nil
            guard let end, let range = rest.range(of: Data(end.utf8)) else { return rest }
            rest = rest[range.upperBound...]
        }
    }

    /// Returns a Boolean value that indicates whether a text begins like an object or a list.
    ///
    /// A sentence in brackets does not, and neither does a template that nothing has filled in.
    private static func beginsLikeJSON(_ text: Data) -> Bool {
        let second = text.dropFirst().first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let second else { return false }
        switch text.first {
        case UInt8(ascii: "{"): return "\"}".utf8.contains(second)
        case UInt8(ascii: "["): return "{[\"]-0123456789tfn".utf8.contains(second)
        default: return false
        }
    }

    /// Returns a Boolean value that indicates whether a text is a media type that is safe to print.
    private static func isPlain(_ type: String) -> Bool {
        (1...64).contains(type.utf8.count) && type.wholeMatch(of: /[a-z0-9.+\-]+\/[a-z0-9.+\-]+/) != nil
    }
}
