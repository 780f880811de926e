import Foundation
import HTTPTypes
import TVEModels

/// An exchange without its secrets, as an entry of an HTTP Archive.
struct RecordedExchange {
    let entry: MetadataValue

    init(
        _ request: HTTPRequest, body: Data?, began: Date, ended: Date,
        outcome: Result<(HTTPResponse, Data), TransportError>
    ) {
        let milliseconds = MetadataValue.number(max(0, ended.timeIntervalSince(began) * 1_000).rounded())
        var members: [String: MetadataValue] = [
            "startedDateTime": .string(began.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "time": milliseconds, "cache": [:], "timings": ["send": 0, "wait": milliseconds, "receive": 0],
            "request": .object(Self.request(request, body)),
        ]
        switch outcome {
        case .success(let (response, answer)): members["response"] = .object(Self.response(response, answer))
        case .failure(let error):
            members["response"] = .object(
                Self.messageMembers(
                    headers: [:], body: Data(), adding: ["status": 0, "statusText": "", "redirectURL": ""]))
            members["comment"] = .string("There was no answer. \(error)")
        }
        entry = .object(members)
    }

    private static func request(_ request: HTTPRequest, _ body: Data?) -> [String: MetadataValue] {
        let (path, query) = (request.path ?? "/").divided(at: "?")
        var members = messageMembers(
            headers: request.headerFields, body: body ?? Data(),
            adding: ["method": .string(request.method.rawValue), "queryString": []])
        // A user name and a password may precede the host.
        let host = request.authority ?? ""
        let bare = host.dividedAtLast("@").map { String($0.after) } ?? host
        let fields = query.map { "?" + RecordedText.form(String($0)) } ?? ""
        members["url"] = .string("\(request.scheme ?? "https")://\(bare)\(RecordedText.path(String(path)))\(fields)")
        if let body, !body.isEmpty {
            let type = request.headerFields[.contentType] ?? ""
            members["postData"] = [
                "mimeType": .string(type), "text": .string(RecordedText.body(body, type)),
            ]
        }
        return members
    }

    private static func response(_ response: HTTPResponse, _ body: Data) -> [String: MetadataValue] {
        let type = response.headerFields[.contentType] ?? ""
        return messageMembers(
            headers: response.headerFields, body: body,
            adding: [
                "status": .number(Double(response.status.code)), "statusText": "", "redirectURL": "",
                "content": [
                    "mimeType": .string(type), "size": .number(Double(body.count)),
                    "text": .string(RecordedText.body(body, type)),
                ],
            ])
    }

    /// Returns the members that a request and a response have in common, with further members.
    private static func messageMembers(
        headers fields: HTTPFields, body: Data, adding more: [String: MetadataValue]
    ) -> [String: MetadataValue] {
        let headers = fields.map { field -> MetadataValue in
            ["name": .string(field.name.rawName), "value": .string(RecordedText.header(field))]
        }
        let common: [String: MetadataValue] = [
            "httpVersion": "HTTP/1.1", "cookies": [], "headersSize": -1, "bodySize": .number(Double(body.count)),
            "headers": .array(headers),
        ]
        return common.merging(more) { $1 }
    }
}

/// The texts of an exchange with everything except documented words hidden.
enum RecordedText {
    static let hidden = "(hidden)"

    // MARK: - Paths

    /// Words of the documented paths.
    private static let words: Set<String> = [
        "api", "v2", "o", "client", "register", "token", "configuration", "sessions", "sso", "profiles", "code",
        "decisions", "authorize", "preauthorize", "logout", "authenticate", "adobe-services", "config", "reggie", "v1",
        "regcode", "session", "sessionDevice", "authorizeDevice", "deviceShortAuthorize", "shortAuthorize", "indiv",
        "devices", "sandbox", "info", "activate",
    ]

    /// The words after which a segment of REST API v2 names a TV provider.
    private static let beforeProvider: Set<String> = ["authorize", "preauthorize", "logout", "profiles"]

    /// The last segments of the paths of the single sign-on service, which follow the requestor.
    private static let household: Set<String> = ["serviceToken", "link", "list", "unlink"]

    /// Returns a path with only its documented words, the requestor and the TV provider.
    ///
    /// A registration code can be exchanged for a login, so every segment that may be a code is hidden.
    static func path(_ path: String) -> String {
        let segments = path.parts(separatedBy: "/").map { String($0) }
        let isV2 = segments.count > 3 && segments[1] == "api" && segments[2] == "v2"
        let isOfHousehold = segments.count == 4 && segments[1] == "api" && household.contains(segments[3])
        let shown = segments.enumerated().map { place, segment in
            if segment.isEmpty || words.contains(segment) || isOfHousehold { return segment }
            guard isV2 else { return hidden }
            if place == 3 { return segment }
            return place == segments.count - 1 && beforeProvider.contains(segments[place - 1]) ? segment : hidden
        }
        return shown.joined(separator: "/")
    }

    // MARK: - Headers and bodies

    private static let headers: Set<String> = [
        "accept", "cache-control", "connection", "content-length", "content-type", "date", "retry-after",
        "transfer-encoding", "user-agent",
    ]

    static func header(_ field: HTTPField) -> String {
        headers.contains(field.name.canonicalName) ? field.value : hidden
    }

    /// The length of the longest body that is recorded, in bytes.
    private static let maximumBytes = 64 << 10

    /// Returns a body without its secrets, or only its length if it is too long or cannot be read.
    static func body(_ body: Data, _ type: String) -> String {
        if body.isEmpty { return "" }
        // The text can be much longer than the body, because it has `(hidden)` in place of each number.
        if body.count <= maximumBytes, let text = readable(body, type), text.utf8.count <= maximumBytes { return text }
        return "(\(body.count) bytes, left out)"
    }

    private static func readable(_ body: Data, _ type: String) -> String? {
        if let document = try? MetadataValue(json: body) {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let bytes = (try? encoder.encode(value(document, of: ""))) ?? Data()
            return String(decoding: bytes, as: UTF8.self)
        }
        if type.lowercasedASCII.hasBytePrefix("application/x-www-form-urlencoded") {
            return form(String(decoding: body, as: UTF8.self))
        }
        return nil
    }

    /// Returns a form with the names of its fields and without their values.
    static func form(_ text: String) -> String {
        text.parts(separatedBy: "&", keepsEmpty: false).map { pair in
            "\(name(String(String(pair).divided(at: "=").before)))=\(hidden)"
        }.joined(separator: "&")
    }

    /// The members whose texts are words of the documents.
    private static let texts: Set<String> = [
        "action", "actionName", "actionType", "reasonType", "type", "error", "code", "missingParameters", "grant_type",
        "token_type", "boardingStatus",
    ]
    /// The members whose numbers are times and statuses.
    private static let numbers: Set<String> = [
        "status", "notBefore", "notAfter", "expires_in", "client_id_issued_at", "created_at",
    ]

    /// The member whose own members are named by the ids of a household's devices.
    private static let devices = "devices"
    /// The member that is a fact about the viewer, with members of any name at any depth.
    private static let fact = "value"
    /// The member whose own members are facts about the viewer, in the documented form or another one.
    private static let facts = "attributes"

    /// - Parameter isFact: a Boolean value that indicates whether the value is inside a fact about the viewer.
    private static func value(_ value: MetadataValue, of member: String, isFact: Bool = false) -> MetadataValue {
        let isFact = isFact || member == fact || member == facts
        return switch value {
        case .null: value
        case .bool: isFact ? .string(hidden) : value
        case .number: !isFact && numbers.contains(member) ? value : .string(hidden)
        case .string(let text): .string(isFact ? hidden : shown(text, of: member))
        case .array(let list): .array(list.map { Self.value($0, of: member, isFact: isFact) })
        case .object(let members):
            .object(
                Dictionary(
                    members.map { inner, value -> (String, MetadataValue) in
                        let shownName = member == devices || member == fact ? hidden : name(inner)
                        return (shownName, Self.value(value, of: member == fact ? fact : inner, isFact: isFact))
                    }, uniquingKeysWith: { first, _ in first }))
        }
    }

    private static func shown(_ text: String, of member: String) -> String {
        // The support staff of the vendor finds an answer by its trace.
        if member == "trace" { return isIdentifier(text, more: "-", most: 64) ? text : hidden }
        // A registration code consists of capitals and digits, while the code of an error contains neither.
        guard texts.contains(member) else { return hidden }
        return isIdentifier(text, more: "_-", most: 64) && (member != "code" || isLowercase(text)) ? text : hidden
    }

    /// Returns a name of a member or a field, or the hidden text if it is not a valid name.
    private static func name(_ text: String) -> String { isIdentifier(text, more: "_-.", most: 40) ? text : hidden }

    private static func isIdentifier(_ text: String, more: String, most: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= most
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: more.utf8.contains(byte)
                }
            }
    }

    private static func isLowercase(_ text: String) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_") }
    }
}
