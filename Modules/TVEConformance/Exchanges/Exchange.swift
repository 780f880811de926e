public import Foundation
public import TVEModels

/// One request of a client and its answer, as an observer between client and service sees them.
///
/// Printing it shows method and status, without headers and bodies, which contain tokens.
public struct Exchange: Sendable, Redacting {
    /// Its number, by which findings name it.
    public let id: Int
    /// When the request was sent, by any clock that is the same for the whole recording.
    public let began: Date
    /// How long the answer took, in milliseconds.
    public let milliseconds: Double
    /// The HTTP method.
    public let method: String
    /// The path as it was sent, still encoded.
    public let path: String
    /// The query as it was sent, without the question mark.
    public let query: String
    /// The client's address, where the observer knows it.
    public let address: String
    /// The client's message.
    public let request: Message
    /// The HTTP status; 0 when there was no answer.
    public let status: Int
    /// The service's message.
    public let answer: Message

    /// Describes an exchange.
    ///
    /// - Parameters:
    ///   - id: its number, different for each exchange.
    ///   - began: when the request was sent.
    ///   - milliseconds: how long the answer took.
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

    /// Number, method and status.
    public var redactedDescription: String { "exchange \(id): \(method), \(status)" }

    /// Headers and body of one direction.
    public struct Message: Sendable, Redacting {
        /// The headers by their names in lower case.
        let headers: [String: String]
        /// The body; nil when the recording does not have it.
        let body: Data?

        /// Makes a message.
        ///
        /// - Parameters:
        ///   - headers: names and values in any order.
        ///   - body: the body, empty when there was none; nil when there was one that the recording does not have.
        public init(headers: [(name: String, value: String)], body: Data?) {
            self.headers = Dictionary(headers.map { ($0.name.lowercasedASCII, $0.value) }) { first, _ in first }
            self.body = body
        }

        /// The number of headers.
        public var redactedDescription: String { "\(headers.count) headers" }
    }
}

extension Exchange {
    /// Method and path for people, without query and without registration codes.
    public var outline: String {
        var path = Call.segments(self.path)
        // Also of a request that no document describes.
        for (place, segment) in path.enumerated() where place >= 4 {
            let isAfterItsName = ["code", "sessions"].contains(path[place - 1]) || path[place - 2] == "authenticate"
            if isAfterItsName, segment != "sso" { path[place] = "{code}" }
        }
        return "\(method) /\(path.joined(separator: "/").prefix(120))"
    }

    /// Whether the viewer's browser sent it, or a client of another service.
    public var isPage: Bool {
        let path = Call.segments(self.path)
        return DocumentedEndpoint.of(method, path).map { $0 == .authenticate } ?? (Play.resource(method, path) == nil)
    }
}
