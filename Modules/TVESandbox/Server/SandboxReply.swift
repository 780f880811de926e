import FlyingFox
import Foundation

/// An answer and the way in which it is sent.
struct SandboxReply: Sendable {
    /// Status and headers.
    var response: HTTPResponse
    var body: Data
    var manner = Manner.whole
    /// How long it is kept back, in milliseconds.
    var delay = 0

    enum Manner: Sendable {
        case whole
        /// Half of the body, then the connection ends.
        case cut
        /// In many pieces, over so many milliseconds.
        case slow(Int)
        /// Nothing is sent, and the connection ends.
        case dropped
        /// Whatever comes, until nothing comes any more.
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
        // What routes answer is in memory, so reading it does not fail.
        body = (try? await response.bodyData) ?? Data()
    }
}
