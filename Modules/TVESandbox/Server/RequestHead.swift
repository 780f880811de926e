import FlyingFox
import Foundation

/// What stands before the body of a request, as the client sent it.
struct RequestHead: Sendable {
    let method: String
    /// The path, still encoded.
    let path: String
    /// What follows the question mark, still encoded.
    let query: String
    let headers: HTTPHeaders
    /// The client's IP address.
    let peer: String
    /// Whether the client runs on the machine that the sandbox runs on.
    let isFromThisMachine: Bool

    /// A header's value by its name, in whatever case.
    func header(_ name: String) -> String? { headers[HTTPHeader(name)] }
}

/// The body of a request.
enum RequestBody: Sendable {
    case bytes(Data)
    /// There is more of it than is read.
    case tooLong
    /// The client did not say how long it is.
    case ofUnknownLength

    /// Longest body that is read.
    static let maximumBytes = 1 << 20
}
