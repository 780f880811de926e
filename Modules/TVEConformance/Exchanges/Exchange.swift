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
            body.map { Self.isMask(JSONCursor.trimmed(String(decoding: $0, as: UTF8.self))) } ?? false
        }

        /// Returns a Boolean value that indicates whether a tool has put something else in the place of a value.
        ///
        /// Some tools keep the word before a credential.
        private static func isMasked(_ value: String) -> Bool {
            isMask(value) || value.divided(at: " ").after.map { isMask(String($0)) } == true
        }

        /// Returns a Boolean value that indicates whether a text is what a tool puts in the place of a value.
        static func isMask(_ text: String) -> Bool {
            if text.hasBytePrefix("•") || text.hasBytePrefix("…") { return true }
            guard let first = text.utf8.first, let last = text.utf8.last else { return false }
            if text.utf8.allSatisfy({ $0 == first }) {
                // Numbers may consist of one digit.
                let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
                return first == UInt8(ascii: "*") || text.utf8.count > 2 && !isDigit
            }
            let ends = [first, last]
            if ["[]", "<>"].contains(where: { ends.elementsEqual($0.utf8) }) {
                // No value of a documented header has such ends, but JSON has that was not encoded.
                return text.wholeMatch(of: /.[A-Za-z _-]+./) != nil
            }
            // A credential is longer than each of the words, and its case need not be changed.
            guard text.utf8.count <= 11 else { return false }
            let word = ends.elementsEqual("()".utf8) ? text.utf8.dropFirst().dropLast() : text.utf8[...]
            return ["redacted", "masked", "hidden", "removed", "filtered", "sanitized"]
                .contains(String(decoding: word, as: UTF8.self).lowercasedASCII)
        }

        /// The number of headers.
        public var redactedDescription: String { "\(headers.count) headers" }
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
