import FlyingFox
import Foundation

/// The head of a request, as the client sent it.
struct RequestHead: Sendable {
    let method: String
    /// The path, still encoded.
    let path: String
    /// The text after the question mark, still encoded.
    let query: String
    let headers: HTTPHeaders
    /// The client's IP address.
    let peer: String
    /// Whether the client runs on the same machine as the sandbox.
    let isFromThisMachine: Bool

    /// A header's value by its name, in any case.
    func header(_ name: String) -> String? { headers[HTTPHeader(name)] }
}

/// The body of a request.
enum RequestBody: Sendable {
    case bytes(Data)
    /// It is longer than the limit.
    case tooLong
    /// The client did not send its length.
    case ofUnknownLength

    /// Longest body that is read.
    static let maximumBytes = 1 << 20
}
