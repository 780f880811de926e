import Foundation
import TVEModels

/// A client's request, from which the sandbox derives its step, its device and its resources.
struct RecordedRequest {
    let method: String
    /// The path as the client sent it, still percent-encoded.
    let path: String
    /// The text after the question mark, still percent-encoded.
    let query: String
    let message: SandboxExchange.Message

    var step: ServiceStep { ServiceStep.of(method, segments) }

    /// The decoded segments of the path, without the version segment that old clients send.
    var segments: [String] { SandboxRequest.routed(path) }

    /// The fields of the body; empty when it is no form.
    var form: FormFields {
        guard message.header("Content-Type")?.hasBytePrefix("application/x-www-form-urlencoded") != false else {
            return FormFields("")
        }
        return FormFields(String(decoding: message.body, as: UTF8.self))
    }
}

extension RecordedRequest {
    /// Creates the request of a head and the bytes of its body.
    init(_ head: RequestHead, body: Data) {
        self.init(
            method: head.method, path: head.path, query: head.query,
            message: SandboxExchange.Message(head.headers, body))
    }
}
