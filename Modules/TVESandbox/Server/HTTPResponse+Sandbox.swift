package import FlyingFox
import Foundation
package import TVEModels

extension HTTPResponse {
    /// An answer with no body.
    package static func status(_ code: Int) -> HTTPResponse {
        HTTPResponse(statusCode: HTTPStatusCode(number: code))
    }

    /// The answer to a method that the path does not allow.
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

    /// `<error>` with a code element and a text for the viewer.
    static func xmlError(_ code: String, _ details: String, status: Int) -> HTTPResponse {
        .xml("<error><\(code)/><details>\(details.escapedForXML)</details></error>", status: status)
    }

    /// The signal that a session has ended.
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

    /// - Parameter location: a URL or absolute path without control characters; the caller has checked it.
    static func redirect(_ location: String) -> HTTPResponse {
        HTTPResponse(statusCode: .found, headers: [.location: location], body: Data())
    }

    /// The answer with the headers that let a web page on another origin use the service (wire protocol, CORS); the paths
    /// that ``LocalGate`` protects never have them.
    func allowing(origin: String?) -> HTTPResponse {
        // A browser sends an origin without control characters; anything else is not echoed.
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
            // Those of the classic services, of our own older answers, and all of REST API v2.
            (["ap_11", "ap_42", "ap_z", "ap_19", "ap_21", "ap_23", "pass_sfp"]
                + ["ap-session-identifier", "ap-sdk-identifier"] + DocumentedHeaders.all.sorted())
                .joined(separator: ",")
        ),
        (
            "Access-Control-Expose-Headers",
            "pass_sfp,Authzf-Error-Code,Authzf-Sub-Error-Code,Authzf-Error-Details,\(Objection.header)"
        ),
    ]

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
            .lengthRequired, .payloadTooLarge, .tooManyRequests, .unavailableForLegalReasons, .internalServerError,
            .serviceUnavailable,
        ]
        self = known.first { $0.code == number } ?? HTTPStatusCode(number, phrase: "Status")
    }
}

extension MetadataValue {
    /// A map without the members that are nil.
    package static func members(_ members: [String: MetadataValue?]) -> MetadataValue {
        .object(members.compactMapValues(\.self))
    }

    /// A date in milliseconds since 1970.
    static func milliseconds(_ date: Date) -> MetadataValue { .number(Double(date.milliseconds)) }
}
