package import FlyingFox
import Foundation
package import TVEModels

extension HTTPResponse {
    /// Returns an answer without a body.
    package static func status(_ code: Int) -> HTTPResponse {
        HTTPResponse(statusCode: HTTPStatusCode(number: code))
    }

    /// Returns the answer to a request whose method the path does not allow.
    package static func notAllowed(_ methods: [String]) -> HTTPResponse {
        var response = status(405)
        response.headers[HTTPHeader("Allow")] = methods.joined(separator: ", ")
        return response
    }

    package static func text(_ text: String, type: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            statusCode: HTTPStatusCode(number: status),
            headers: [.contentType: type, HTTPHeader("Cache-Control"): "no-store"], body: Data(text.utf8))
    }

    static func xml(_ text: String, status: Int = 200) -> HTTPResponse {
        .text(text, type: "text/xml;charset=UTF-8", status: status)
    }

    /// Returns an `<error>` document with an element named for the code and a text for the viewer.
    static func xmlError(_ code: String, _ details: String, status: Int) -> HTTPResponse {
        .xml("<error><\(code)/><details>\(details.escapedForXML)</details></error>", status: status)
    }

    /// Returns the document by which the classic services report that a session has ended.
    static func pendingLogout(_ reason: Int) -> HTTPResponse {
        .xml("<result><pendingLogout reason=\"\(reason)\">true</pendingLogout></result>")
    }

    package static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(value) else { return .status(500) }
        return .text(String(decoding: body, as: UTF8.self), type: "application/json;charset=UTF-8", status: status)
    }

    package static func html(_ text: String, status: Int = 200) -> HTTPResponse {
        .text(text, type: "text/html;charset=UTF-8", status: status)
    }

    /// Returns a redirect with the status 302.
    ///
    /// - Parameter location: a URL or an absolute path without control characters. The caller has checked it.
    static func redirect(_ location: String) -> HTTPResponse {
        HTTPResponse(statusCode: .found, headers: [.location: location], body: Data())
    }

    /// Returns the answer with the headers that let a web page on another origin use the service (wire protocol, CORS).
    ///
    /// Answers at the paths that ``LocalGate`` protects never have these headers.
    func allowing(origin: String?) -> HTTPResponse {
        // A browser sends an origin without control characters. The sandbox does not repeat anything else in a header.
        guard let origin, origin.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return self }
        var response = self
        for (name, value) in Self.crossOriginFields { response.headers[HTTPHeader(name)] = value }
        response.headers[HTTPHeader("Access-Control-Allow-Origin")] = origin
        response.headers[HTTPHeader("Vary")] = "Origin"
        return response
    }

    private static let crossOriginFields = [
        ("Access-Control-Allow-Credentials", "true"),
        ("Access-Control-Allow-Methods", "POST,GET,OPTIONS,DELETE"),
        (
            "Access-Control-Allow-Headers",
            // The headers of the classic services, those of earlier versions of the sandbox, and all of REST API v2.
            (["ap_11", "ap_42", "ap_z", "ap_19", "ap_21", "ap_23", "pass_sfp"]
                + ["ap-session-identifier", "ap-sdk-identifier"] + DocumentedHeaders.all.sorted())
                .joined(separator: ",")
        ),
        (
            "Access-Control-Expose-Headers",
            // A web page can read only these and a few that every page may read.
            (["pass_sfp", "Authzf-Error-Code", "Authzf-Sub-Error-Code", "Authzf-Error-Details"]
                + ["Retry-After", Objection.header, Denial.header])
                .joined(separator: ",")
        ),
    ]

    func settingCookie(_ name: String, _ value: String) -> HTTPResponse {
        var response = self
        response.headers.addValue("\(name)=\(value); Path=/; HttpOnly", for: .setCookie)
        return response
    }
}

extension HTTPStatusCode {
    /// Creates a status with its usual phrase.
    fileprivate init(number: Int) {
        let known: [HTTPStatusCode] = [
            .ok, .created, .noContent, .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed,
            .lengthRequired, .payloadTooLarge, .tooManyRequests, .unavailableForLegalReasons, .internalServerError,
            .serviceUnavailable,
        ]
        self = known.first { $0.code == number } ?? HTTPStatusCode(number, phrase: "Status")
    }
}

extension MetadataValue {
    /// Returns an object without the members that are `nil`.
    package static func members(_ members: [String: MetadataValue?]) -> MetadataValue {
        .object(members.compactMapValues(\.self))
    }

    /// Returns a date as the number of milliseconds since 1970.
    static func milliseconds(_ date: Date) -> MetadataValue { .number(Double(date.milliseconds)) }
}
