public import Foundation
public import TVEModels

/// One request of a client and its response, as an observer between the client and the service sees them.
///
/// Printing an exchange shows its method and status, without headers and bodies, which contain tokens.
public struct Exchange: Sendable, Redacting {
    /// The number of the exchange, to which findings refer.
    public let id: Int
    /// The time at which the request was sent, by any clock that is the same for the whole recording.
    public let began: Date
    /// The time until the response, in milliseconds.
    public let milliseconds: Double
    /// The HTTP method.
    public let method: String
    /// The path as it was sent, still encoded.
    public let path: String
    /// The query as it was sent, without the question mark.
    public let query: String
    /// The client's address, if the observer knows it.
    public let address: String
    /// The client's message.
    public let request: Message
    /// The HTTP status, or 0 when there was no response.
    public let status: Int
    /// The service's message.
    public let answer: Message

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - id: the number of the exchange, which is unique.
    ///   - began: the time at which the request was sent.
    ///   - milliseconds: the time until the response, in milliseconds.
    ///   - method: the HTTP method.
    ///   - path: the path, encoded.
    ///   - query: the query, encoded.
    ///   - address: the client's address, or an empty text.
    ///   - request: the client's message.
    ///   - status: the HTTP status, or 0.
    ///   - answer: the service's message.
    public init(
        id: Int, began: Date, milliseconds: Double = 0, method: String, path: String, query: String = "",
        address: String = "", request: Message, status: Int, answer: Message
    ) {
        self.id = id
        self.began = began
        self.milliseconds = milliseconds
        self.method = method
        self.path = path
        self.query = query
        self.address = address
        self.request = request
        self.status = status
        self.answer = answer
    }

    /// The number, method and status.
    public var redactedDescription: String { "exchange \(id): \(method), \(status)" }

    /// The headers and the body of one direction.
    public struct Message: Sendable, Redacting {
        /// The headers by their names in lower case.
        let headers: [String: String]
        /// The body, or nil when the recording lacks it.
        let body: Data?

        /// Creates a message.
        ///
        /// - Parameters:
        ///   - headers: names and values in any order.
        ///   - body: the body, which is empty when there was none, or nil when the recording lacks it.
        public init(headers: [(name: String, value: String)], body: Data?) {
            // White space around a value is not a part of it (RFC 9110, 5.5).
            self.headers = Dictionary(headers.map { ($0.name.lowercasedASCII, JSONCursor.trimmed($0.value)) }) {
                first, _ in first
            }
            self.body = body
        }

        /// Returns a header by its name in lower case, or nil for a value that the recording has masked.
        func header(_ name: String) -> String? { headers[name].flatMap { Self.isMasked($0) ? nil : $0 } }

        /// A Boolean value that indicates whether the recording lacks all headers, or all of their values.
        ///
        /// `Host` is ignored, because the address contains it as well.
        var isWithoutHeaders: Bool {
            headers.allSatisfy { name, value in name == "host" || Self.isMasked(value) }
        }

        /// A Boolean value that indicates whether a tool has put something else in the place of the whole body.
        var hasMaskedBody: Bool {
            guard let body else { return false }
            let text = JSONCursor.trimmed(String(decoding: body, as: UTF8.self))
            guard text.hasBytePrefix("\"") else { return Self.isMask(text) }
            // A tool may put a JSON string there.
            let string = (try? UntrustedJSON.read(MetadataValue.self, from: body, .small))?.stringValue
            return Self.isMask(string ?? text)
        }

        /// Returns a Boolean value that indicates whether a tool has put something else in the place of a value.
        ///
        /// Some tools keep the word before a credential.
        private static func isMasked(_ value: String) -> Bool {
            isMask(value) || value.divided(at: " ").after.map { isMask(String($0)) } == true
        }

        /// Returns a Boolean value that indicates whether a text is what a tool puts in the place of a value or of its
        /// end.
        static func isMask(_ text: String) -> Bool {
            let bytes = text.utf8
            guard let first = bytes.first, let last = bytes.last else { return false }
            // The first byte of a bullet and of an ellipsis.
            if first == 0xE2, text.hasBytePrefix("•") || text.hasBytePrefix("…") { return true }
            if first == last, isCross(first), first == UInt8(ascii: "*") || bytes.count > 2,
                bytes.allSatisfy({ $0 == first })
            {
                return true
            }
            if isElided(text, last) { return true }
            switch (first, last) {
            case (UInt8(ascii: "["), UInt8(ascii: "]")), (UInt8(ascii: "<"), UInt8(ascii: ">")):
                // No value of a documented header has such ends, but JSON has that was not encoded.
                return text.wholeMatch(of: /.[A-Za-z _-]+./) != nil
            default: return isWord(bytes)
            }
        }

        /// Returns a Boolean value that indicates whether tools cross out a value with this character.
        ///
        /// A value can consist of another repeated character: `AAAA` is the Base64 of three zeros.
        private static func isCross(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "*"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "#"), UInt8(ascii: "x"),
                UInt8(ascii: "X"):
                true
            default: false
            }
        }

        /// Returns a Boolean value that indicates whether a tool has put an ellipsis in the place of a value's end.
        ///
        /// A sentence can end so too, but no credential has a blank.
        private static func isElided(_ text: String, _ last: UInt8) -> Bool {
            let ellipsis = last == UInt8(ascii: ".") ? "..." : last == 0xA6 ? "…" : nil
            guard let ellipsis, text.hasByteSuffix(ellipsis) else { return false }
            return !text.utf8.contains(UInt8(ascii: " "))
        }

        /// Returns a Boolean value that indicates whether a text is a word that tools use, with or without marks around
        /// it.
        private static func isWord(_ bytes: String.UTF8View) -> Bool {
            // A credential is longer than each of the words and some marks, and its case need not be changed.
            guard bytes.count <= 24 else { return false }
            let start = bytes.drop { !$0.isLetterOrDigit }
            guard let first = start.first, beginsAWord(first), let end = start.lastIndex(where: \.isLetterOrDigit)
            else { return false }
            let word = start[...end]
            guard (6...9).contains(word.count) else { return false }
            return ["redacted", "masked", "hidden", "removed", "filtered", "sanitized"]
                .contains(String(decoding: word, as: UTF8.self).lowercasedASCII)
        }

        /// Returns a Boolean value that indicates whether one of the words begins with a letter, which few values do.
        private static func beginsAWord(_ letter: UInt8) -> Bool {
            switch letter | 0x20 {
            case UInt8(ascii: "r"), UInt8(ascii: "m"), UInt8(ascii: "h"), UInt8(ascii: "f"), UInt8(ascii: "s"): true
            default: false
            }
        }

        /// The number of headers.
        public var redactedDescription: String { "\(headers.count) headers" }
    }
}

extension UInt8 {
    /// A Boolean value that indicates whether the byte can be a part of a form's field as it is sent.
    ///
    /// `encodeURIComponent` of JavaScript leaves five marks that other encoders escape: `!`, `'`, `(`, `)` and `*`.
    var isPartOfEncodedField: Bool { isLetterOrDigit || "%+*-._~!'()".utf8.contains(self) }

    /// A Boolean value that indicates whether the byte is an ASCII letter or digit.
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}

extension Exchange {
    /// The method and the path for people, without the query and without registration codes.
    public var outline: String {
        var path = Call.segments(self.path)
        // Registration codes are also replaced in a request that is not documented.
        for (place, segment) in path.enumerated() where place >= 4 {
            let isAfterItsName = ["code", "sessions"].contains(path[place - 1]) || path[place - 2] == "authenticate"
            if isAfterItsName, segment != "sso" { path[place] = "{code}" }
        }
        return "\(method) /\(path.joined(separator: "/").prefix(120))"
    }

    /// A Boolean value that indicates whether the viewer's browser or a client of another service sent the request.
    public var isPage: Bool {
        let path = Call.segments(self.path)
        return DocumentedEndpoint.of(method, path).map { $0 == .authenticate } ?? (Play.resource(method, path) == nil)
    }
}
