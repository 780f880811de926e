import FlyingFox
import Foundation
import TVEModels

extension HTTPResponse {
    /// An answer with no body.
    static func status(_ code: Int) -> HTTPResponse {
        HTTPResponse(statusCode: HTTPStatusCode(number: code))
    }

    /// The answer to a method that the path does not allow.
    static func notAllowed(_ methods: [String]) -> HTTPResponse {
        var response = status(405)
        response.headers[HTTPHeader("Allow")] = methods.joined(separator: ", ")
        return response
    }

    static func text(_ text: String, type: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            statusCode: HTTPStatusCode(number: status),
            headers: [.contentType: type, HTTPHeader("Cache-Control"): "no-store"], body: Data(text.utf8))
    }

    static func xml(_ text: String, status: Int = 200) -> HTTPResponse {
        .text(text, type: "text/xml;charset=UTF-8", status: status)
    }

    /// `<error>` with a code element and a text for the viewer.
    static func xmlError(_ code: String, _ details: String, status: Int) -> HTTPResponse {
        .xml("<error><\(code)/><details>\(details.escapedForXML)</details></error>", status: status)
    }

    /// The signal that a session has ended.
    static func pendingLogout(_ reason: Int) -> HTTPResponse {
        .xml("<result><pendingLogout reason=\"\(reason)\">true</pendingLogout></result>")
    }

    static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(value) else { return .status(500) }
        return .text(String(decoding: body, as: UTF8.self), type: "application/json;charset=UTF-8", status: status)
    }

    static func html(_ text: String, status: Int = 200) -> HTTPResponse {
        .text(text, type: "text/html;charset=UTF-8", status: status)
    }

    /// Redirects the browser.
    ///
    /// - Parameter location: a URL or absolute path without control characters; the caller has checked it.
    static func redirect(_ location: String) -> HTTPResponse {
        HTTPResponse(statusCode: .found, headers: [.location: location], body: Data())
    }

    func settingCookie(_ name: String, _ value: String) -> HTTPResponse {
        var response = self
        response.headers.addValue("\(name)=\(value); Path=/; HttpOnly", for: .setCookie)
        return response
    }
}

extension HTTPStatusCode {
    /// A status with its usual phrase.
    fileprivate init(number: Int) {
        let known: [HTTPStatusCode] = [
            .ok, .created, .noContent, .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed,
            .lengthRequired,
            .payloadTooLarge, .tooManyRequests, .unavailableForLegalReasons, .internalServerError, .serviceUnavailable,
        ]
        self = known.first { $0.code == number } ?? HTTPStatusCode(number, phrase: "Status")
    }
}
