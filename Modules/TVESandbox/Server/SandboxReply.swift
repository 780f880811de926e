import FlyingFox
import Foundation

/// An answer, and how it is sent.
struct SandboxReply: Sendable {
    /// Status and headers.
    var response: HTTPResponse
    var body: Data
    var manner = Manner.whole
    /// How long it is delayed, in milliseconds.
    var delay = 0

    enum Manner: Sendable {
        case whole
        /// Half of the body, then the connection closes.
        case cut
        /// In many pieces, over this number of milliseconds.
        case slow(Int)
        /// Nothing is sent, and the connection closes.
        case dropped
        /// The elements of a stream, until it ends.
        case stream(@Sendable () -> AsyncStream<Data>)

        var closes: Bool {
            switch self {
            case .whole, .slow: false
            case .cut, .dropped, .stream: true
            }
        }
    }

    init(_ response: HTTPResponse) async {
        self.response = response
        // The routes' bodies are in memory, so reading them does not fail.
        body = (try? await response.bodyData) ?? Data()
    }
}
