import Foundation
import TVEModels

/// The part of an entry in a recording that the judgement needs.
///
/// Everything else in the entry is ignored.
struct ArchiveEntry: JSONReadable {
    /// The time at which the request was sent, or nil when the entry does not state it.
    var began: Date?
    /// A Boolean value that indicates whether the entry has a time of the request, which may be unreadable.
    var hasTime = false
    /// A Boolean value that indicates whether only the time zone is missing from the time of the request.
    var lacksTimeZone = false
    var milliseconds = 0.0
    /// A Boolean value that indicates whether the browser responded by itself and sent nothing.
    var isFromBrowser: Bool {
        saysFromBrowser || response?.isFromBrowser == true || hasCacheBeforeRequest && !showsTransfer
    }
    /// A Boolean value that indicates whether the entry itself says that the browser responded.
    private var saysFromBrowser = false
    /// A Boolean value that indicates whether the entry has the state of the browser's cache before the request.
    ///
    /// Recorders also write it for a request that asks whether the cached response is still valid.
    private var hasCacheBeforeRequest = false
    /// A Boolean value that indicates whether the entry has an address of a server, or a time in which bytes were sent
    /// or awaited.
    private var hasServer = false
    /// A Boolean value that indicates whether the request reached a server.
    private var showsTransfer: Bool { hasServer || response?.status == 304 }
    /// A Boolean value that indicates whether the request failed before it left the device.
    ///
    /// Browsers record such a request too, for example while there is no network, or if an extension has blocked it.
    var isUnsent: Bool { response?.status == 0 && !hasServer && response?.failedAfterSending != true }
    /// A Boolean value that indicates whether the entry has the state of the browser's cache after the request.
    ///
    /// Firefox writes it, also as null, for a response from its cache alone. Other recorders write it for any response.
    var hasCacheAfterRequest = false
    var request: Request?
    var response: Response?

    /// The reason why the entry has no time of the request, as the end of a sentence.
    var faultOfTime: String {
        if lacksTimeZone { return "the time of its request has no time zone" }
        return hasTime
            ? "the time of its request is in a form that is not read" : "it does not say when the request was sent"
    }

    private enum Field: String, CaseIterable {
        case startedDateTime, time, request, response, cache, timings, serverIPAddress
        // Chrome and Safari add these fields.
        case _fromCache, _fetchType
    }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var entry = ArchiveEntry()
        let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .startedDateTime:
                var number = json
                let decimal = try number.decimal()
                let text = try json.text() ?? decimal.map { "\($0)" } ?? ""
                entry.hasTime = !text.isEmpty
                entry.began = Self.date(text)
                entry.lacksTimeZone = entry.began == nil && Self.date("\(text)Z") != nil
            case .time: entry.milliseconds = max(0, try json.decimal() ?? 0)
            case .request: entry.request = try Request(&json)
            case .response: entry.response = try Response(&json)
            case .cache: entry.readCache(json)
            case .timings: entry.readTimings(json)
            case .serverIPAddress: if try json.text()?.isEmpty == false { entry.hasServer = true }
            case ._fromCache:
                var value = json
                let text = try json.string()
                // It is the name of the cache, or a Boolean value.
                if try value.yesOrNo() ?? (text?.isEmpty == false) { entry.saysFromBrowser = true }
            case ._fetchType:
                if let type = try json.text(), !type.isEmpty, !type.isSameBytes(as: "Network Load") {
                    entry.saysFromBrowser = true
                }
            }
        }
        guard isObject else { return nil }
        self = entry
    }

    private init() {}

    private enum CacheField: String, CaseIterable { case beforeRequest, afterRequest }

    private static let cacheNames = JSONNames<CacheField>()

    /// Reads the state of the browser's cache, as far as it can be read.
    private mutating func readCache(_ start: JSONCursor) {
        var json = start
        _ = try? json.object(Self.cacheNames) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .beforeRequest: if try json.object(Self.cacheNames, { _, _ in }) { hasCacheBeforeRequest = true }
            case .afterRequest: hasCacheAfterRequest = true
            }
        }
    }

    private enum TimingsField: String, CaseIterable { case send, wait }

    private static let timingsNames = JSONNames<TimingsField>()

    /// Reads whether bytes were sent or awaited, as far as the times can be read.
    private mutating func readTimings(_ start: JSONCursor) {
        var json = start
        _ = try? json.object(Self.timingsNames) { (_, json) throws(UntrustedJSONError) in
            if let milliseconds = try json.decimal(), milliseconds > 0 { hasServer = true }
        }
    }

    /// Returns a date in the format's own form (ISO 8601) or, as some programs write it, in seconds or milliseconds
    /// since 1970.
    private static func date(_ text: String) -> Date? {
        let style = Date.ISO8601FormatStyle()
        let usual = usualForm(of: text)
        if let date = try? Date(usual, strategy: style.time(includingFractionalSeconds: true)) { return date }
        if let date = try? Date(usual, strategy: style) { return date }
        guard let number = Double(text), (1...253_402_300_799_999).contains(number) else { return nil }
        // In seconds, this is a date in the year 5138, and in milliseconds one in the year 1973.
        return Date(timeIntervalSince1970: number < 100_000_000_000 ? number : number / 1000)
    }

    /// Returns a date with the letters `T` and `Z` and with a point before the fraction of a second, where RFC 3339 and
    /// ISO 8601 permit a blank, small letters and a comma.
    private static func usualForm(of text: String) -> String {
        var bytes = Array(text.utf8)
        guard bytes.count >= 20 else { return text }
        if bytes[10] == UInt8(ascii: " ") || bytes[10] == UInt8(ascii: "t") { bytes[10] = UInt8(ascii: "T") }
        if bytes[19] == UInt8(ascii: ",") { bytes[19] = UInt8(ascii: ".") }
        if bytes[bytes.count - 1] == UInt8(ascii: "z") { bytes[bytes.count - 1] = UInt8(ascii: "Z") }
        return String(decoding: bytes, as: UTF8.self)
    }

    struct Request: JSONReadable {
        let method: String
        let url: String
        let headers: [Header]
        let body: Content?
        let bodySize: Double?
        /// The fields of the query, which is usually a part of the URL as well.
        private let queryFields: [Header]

        private enum Field: String, CaseIterable { case method, url, headers, queryString, postData, bodySize }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var method: String?
            var url: String?
            var headers: [Header] = []
            var queryFields: [Header] = []
            var body: Content?
            var bodySize: Double?
            _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                // Methods are normalized to upper case, which the documented methods have, because clients write them
                // in any case.
                case .method: method = try json.string()?.uppercasedASCII
                case .url: url = try json.string()
                case .headers: headers = try json.list(of: Header.self) ?? []
                case .queryString:
                    var list = json
                    queryFields = (try? list.list(of: Header.self)) ?? []
                case .postData: body = try Content(&json)
                case .bodySize: bodySize = try json.decimal()
                }
            }
            guard let method, let url else { return nil }
            self.method = method
            self.url = url
            self.headers = headers
            self.queryFields = queryFields
            self.body = body
            self.bodySize = bodySize
        }

        /// The query of a request whose URL has none.
        ///
        /// Some recorders write the query beside the URL alone, with or without its escapes. Others write the fields
        /// of a body there too.
        var queryBesideURL: String { bytes?.isEmpty == true ? Header.encoded(queryFields, keeping: "%") : "" }

        /// The bytes that were sent, or nil when the recording lacks some of them.
        var bytes: Data? {
            if let bytes = body?.bytes, !bytes.isEmpty { return bytes }
            if let bytes = body?.form { return bytes }
            // A request with a transfer coding has a body, whose length no header states (RFC 9112, 6.3).
            guard body?.fault == nil, header("transfer-encoding") == nil else { return nil }
            // Recorders that do not save a body give its size as 0 or -1, or not at all.
            let length = header("content-length")?.value
            let size = max(bodySize ?? 0, length.flatMap { Double(JSONCursor.trimmed($0)) } ?? 0)
            return size > 0 ? nil : Data()
        }

        private func header(_ name: String) -> Header? {
            headers.first { $0.name.isSameBytesIgnoringASCIICase(as: name) }
        }
    }

    struct Response: JSONReadable {
        let status: Double
        let headers: [Header]
        let content: Content?
        let redirectURL: String?
        /// A Boolean value that indicates whether a service worker of the page responded.
        private let isFromServiceWorker: Bool
        /// A Boolean value that indicates whether the recorder names an error that a request can have when it was sent.
        let failedAfterSending: Bool

        private enum Field: String, CaseIterable {
            case status, headers, content, redirectURL
            // Chrome adds these fields.
            case _fetchedViaServiceWorker, _error
        }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var status: Double?
            var headers: [Header] = []
            var content: Content?
            var redirectURL: String?
            var isFromServiceWorker = false
            var failedAfterSending = false
            _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                case .status: status = try json.decimal()
                case .headers: headers = try json.list(of: Header.self) ?? []
                case .content: content = try Content(&json)
                case .redirectURL: redirectURL = try json.text()
                case ._fetchedViaServiceWorker: isFromServiceWorker = try json.flag()
                case ._error:
                    let error = try json.text() ?? ""
                    let isBeforeSending = Self.errorsBeforeSending.contains { error.hasBytePrefix($0) }
                    failedAfterSending = !error.isEmpty && !isBeforeSending
                }
            }
            guard let status else { return nil }
            self.status = status
            self.headers = headers
            self.content = content
            self.redirectURL = redirectURL
            self.isFromServiceWorker = isFromServiceWorker
            self.failedAfterSending = failedAfterSending
        }

        /// A Boolean value that indicates whether the response is a service worker's or a redirect of the browser.
        ///
        /// The browser redirects a request to HTTPS, or to what an extension names, before it sends anything. The
        /// header is in such a response alone.
        var isFromBrowser: Bool {
            isFromServiceWorker
                || (300...399).contains(status)
                    && headers.contains { $0.name.isSameBytesIgnoringASCIICase(as: "non-authoritative-reason") }
        }

        /// The beginnings of Chrome's names of errors that occur before a request is sent.
        ///
        /// For every request without a response, Chrome writes the same times, and no address of a server.
        private static let errorsBeforeSending = [
            "INTERNET_DISCONNECTED", "NAME_NOT_RESOLVED", "ADDRESS_UNREACHABLE", "CONNECTION_REFUSED",
            "CONNECTION_TIMED_OUT", "PROXY_CONNECTION_FAILED", "TUNNEL_CONNECTION_FAILED", "BLOCKED_BY_", "CERT_",
        ].map { "net::ERR_\($0)" }

        /// The bytes that were received, or nil when the recording lacks them.
        var bytes: Data? {
            guard let content else { return nil }
            guard let text = content.text else { return content.size == 0 ? Data() : nil }
            return text.isEmpty && content.size ?? 0 > 0 ? nil : content.bytes
        }
    }

    /// A header, or a field of a form, whose value the recording may lack.
    struct Header: JSONReadable {
        let name: String
        let value: String?

        private enum Field: String, CaseIterable { case name, value }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var name: String?
            var value: String?
            _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                case .name: name = try json.text()
                case .value: value = try json.text()
                }
            }
            guard let name else { return nil }
            self.name = name
            self.value = value
        }

        /// Returns fields as a query or a form has them.
        ///
        /// - Parameters:
        ///   - fields: the fields.
        ///   - characters: further characters that are written without an escape.
        static func encoded(_ fields: [Header], keeping characters: String = "") -> String {
            let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: characters))
            let pairs = fields.map { field in
                [field.name, field.value ?? ""].map { $0.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
                    .joined(separator: "=")
            }
            return pairs.joined(separator: "&")
        }
    }

    /// The body of a message.
    struct Content: JSONReadable {
        let text: String?
        let type: String?
        let encoding: String?
        let size: Double?
        let params: [Header]

        private enum Field: String, CaseIterable { case text, mimeType, encoding, size, params }

        private static let names = JSONNames<Field>()

        init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
            var text: String?
            var type: String?
            var encoding: String?
            var size: Double?
            var params: [Header] = []
            let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                switch field {
                case .text: text = try json.string()
                case .mimeType: type = try json.text()
                case .encoding: encoding = try json.text()
                case .size: size = try json.decimal()
                case .params: params = try json.list(of: Header.self) ?? []
                }
            }
            guard isObject else { return nil }
            self.text = text
            self.type = type
            self.encoding = encoding
            self.size = size
            self.params = params
        }

        /// The decoded bytes, or nil for a text that is missing or does not match its encoding.
        ///
        /// Some proxies write a compressed body as they received it. The service sends and receives text alone, so
        /// such bytes say nothing here.
        var bytes: Data? {
            guard let text else { return nil }
            guard !isPlain else { return isFormForPeople(text) ? nil : Data(text.utf8) }
            guard let bytes = decoded, String(validUTF8: bytes) != nil else { return nil }
            return bytes
        }

        private var isPlain: Bool { ["", "utf-8", "utf8"].contains(encoding?.lowercasedASCII ?? "") }

        private var isBase64: Bool { encoding?.isSameBytesIgnoringASCIICase(as: "base64") == true }

        /// The bytes of a text in Base64, which some recorders write in lines or without padding.
        private var decoded: Data? {
            guard isBase64, let text else { return nil }
            var digits = Data(text.utf8.filter { $0 > UInt8(ascii: " ") })
            digits.append(Data(repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4))
            return Data(base64Encoded: digits)
        }

        /// Returns a Boolean value that indicates whether a form is written in lines for people and not as it was sent.
        private func isFormForPeople(_ text: String) -> Bool {
            type?.lowercasedASCII.hasBytePrefix("application/x-www-form-urlencoded") == true
                && text.utf8.contains(UInt8(ascii: "\n"))
        }

        /// The reason why the text cannot be read, as the end of a sentence, or nil if it can be read or is missing.
        var fault: String? {
            guard text != nil, bytes == nil else { return nil }
            guard isBase64 else { return "a body is not written as it was sent" }
            return decoded == nil ? "the Base64 of a body is damaged" : "a body is still compressed or is not in UTF-8"
        }

        /// The fields of a form as they were sent, or nil when there are none.
        var form: Data? {
            let values = params.map { $0.value ?? "" }
            // Some recorders decode the fields, and some do not.
            let isEncoded =
                values.contains { $0.containsBytes(of: "%") }
                && values.allSatisfy { $0.decodingPercents != nil && $0.utf8.allSatisfy(\.isPartOfEncodedField) }
            return params.isEmpty ? nil : Data(Header.encoded(params, keeping: isEncoded ? "%+" : "").utf8)
        }
    }
}
