import HTTPTypes
import Hummingbird

/// The reason for which a request is refused, in the form of a problem document (RFC 9457).
struct Problem: Error, Sendable, HTTPResponseError {
    let status: HTTPResponse.Status
    /// The last part of the problem's type, which is stable for programs.
    let kind: String
    /// A sentence for developers, which repeats no part of the request except the name of an unknown field.
    let detail: String
    var headers: HTTPFields = [:]

    static func badRequest(_ detail: String) -> Problem {
        Problem(status: .badRequest, kind: "bad-request", detail: detail)
    }

    static let unknownRequestor = Problem(
        status: .unprocessableContent, kind: "unknown-requestor",
        detail: "The requestor is not configured. Correct its id, or add it to the configuration.")
    static let requestorMissing = Problem(
        status: .unprocessableContent, kind: "requestor-missing",
        detail: "The field requestor is needed, because several requestors are configured.")
    static let forbiddenRequestor = Problem(
        status: .forbidden, kind: "forbidden-requestor",
        detail: "The caller's key is not for this requestor. "
            + "Send a key that is, or add the requestor to the line of this key in the callers' file.")
    static let notFound = Problem(status: .notFound, kind: "not-found", detail: "There is nothing at this address.")
    static let tooSlow = Problem(
        status: .requestTimeout, kind: "too-slow", detail: "The body did not arrive in time.",
        headers: [.connection: "close"])
    static let internalError = Problem(
        status: .internalServerError, kind: "internal", detail: "The service failed; its log says why.")
    static let unsupportedMediaType = Problem(
        status: .unsupportedMediaType, kind: "unsupported-media-type",
        detail: "The body must be application/json. Send it with this Content-Type.")
    static let unsupportedContentEncoding = Problem(
        status: .unsupportedMediaType, kind: "unsupported-content-encoding",
        detail: "The body must not be compressed. Send it without Content-Encoding.",
        headers: [.acceptEncoding: "identity"])
    static let unauthorized = Problem(
        status: .unauthorized, kind: "unauthorized",
        detail: "The request has no bearer key that this service knows. Send one as Authorization: Bearer KEY.",
        headers: [.wwwAuthenticate: "Bearer realm=\"tve-verifier\""])

    /// Returns the problem of a body that is longer than the limit.
    ///
    /// The connection is closed, so that the rest of the body does not need to be read.
    static func tooLarge(limit: Int) -> Problem {
        Problem(
            status: .contentTooLarge, kind: "too-large", detail: "The body may have at most \(limit) bytes.",
            headers: [.connection: "close"])
    }

    static func methodNotAllowed(_ allowed: String) -> Problem {
        Problem(
            status: .methodNotAllowed, kind: "method-not-allowed", detail: "This address accepts only \(allowed).",
            headers: [.allow: allowed])
    }

    var response: Response {
        var text = JSONText()
        text.begin("{")
        text.field("type", "urn:tve-verifier:problem:\(kind)")
        text.field("title", status.reasonPhrase)
        text.field("status", status.code)
        text.field("detail", detail)
        text.end("}")
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.cacheControl] = "no-store"
        return text.response(status, headers: headers)
    }

    func response(from request: Request, context: some RequestContext) -> Response { response }
}
