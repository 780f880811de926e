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
        // FlyingFox splits `Cache-Control` of a literal, which is therefore created once.
        var headers = noStore
        headers[.contentType] = type
        return HTTPResponse(statusCode: HTTPStatusCode(number: status), headers: headers, body: Data(text.utf8))
    }

    private static let noStore: HTTPHeaders = [HTTPHeader("Cache-Control"): "no-store"]

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
    ///
    /// - Parameters:
    ///   - origin: the origin of the web page; `nil` for a client that is no web page.
    ///   - wanted: the names of the headers for which a browser asks before it sends a request; `nil` for none.
    func allowing(origin: String?, wanted: String? = nil) -> HTTPResponse {
        // A browser sends an origin without control characters. The sandbox does not repeat anything else in a header.
        guard let origin, origin.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return self }
        var response = self
        for (name, value) in Self.crossOriginFields { response.headers[HTTPHeader(name)] = value }
        // Some of the headers that every endpoint accepts are documented, too.
        var named: Set<String> = []
        let allowed = Self.crossOriginHeaders + Self.freeHeaders(in: wanted ?? "")
        response.headers[HTTPHeader("Access-Control-Allow-Headers")] =
            allowed.filter { named.insert($0).inserted }.joined(separator: ",")
        response.headers[HTTPHeader("Access-Control-Allow-Origin")] = origin
        response.headers[HTTPHeader("Vary")] = "Origin"
        return response
    }

    /// Returns the names in a list of those headers that a strict sandbox accepts at every endpoint, such as the ones
    /// that a tool adds to trace requests.
    private static func freeHeaders(in list: String) -> [String] {
        list.parts(separatedBy: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercasedASCII }.filter { name in
            // The sandbox repeats nothing in a header that is no name.
            let isName = name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
            }
            return isName && DocumentedRequests.ofTheSandbox.transport.contains(name)
        }
    }

    /// The headers of the classic services, those of earlier versions of the sandbox, and all of REST API v2.
    private static let crossOriginHeaders =
        ["ap_11", "ap_42", "ap_z", "ap_19", "ap_21", "ap_23", "pass_sfp"]
        + ["ap-session-identifier", "ap-sdk-identifier"] + DocumentedHeaders.all.sorted()

    private static let crossOriginFields = [
        ("Access-Control-Allow-Credentials", "true"),
        ("Access-Control-Allow-Methods", "POST,GET,OPTIONS,DELETE"),
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
