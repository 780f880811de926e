import FlyingFox

/// Ends a route early with an answer.
struct SandboxRefusal: Error {
    let response: HTTPResponse

    init(_ response: HTTPResponse) {
        self.response = response
    }
}
