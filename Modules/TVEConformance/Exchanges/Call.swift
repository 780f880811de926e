import Foundation
import TVEModels

/// An exchange, together with its interpretation according to the documentation.
struct Call {
    /// The position in the recording, in the order in which the requests began.
    let place: Int
    let exchange: Exchange
    /// The decoded segments of the path.
    let path: [String]
    /// The endpoint, or nil for a request that belongs neither to REST API v2 nor to its registration.
    let endpoint: DocumentedEndpoint?
    /// A Boolean value that indicates whether the request goes to the service, if its path is one of the service.
    ///
    /// Otherwise, the request goes to another site that has such a path too.
    private let isOfService: Bool
    /// The fields of the query and of a form in the body, or nil when the body is missing or cannot be read.
    let fields: [(name: String, value: String)]?
    let queryNames: Set<String>
    /// A Boolean value that indicates whether the body is JSON or has several parts, where the endpoint expects a form.
    let hasOtherBodyThanAForm: Bool
    /// The body of the request as a JSON object, or nil when it is missing or cannot be read.
    let requestBody: MetadataValue?
    /// The body of the response as a JSON object, or nil when it is missing or cannot be read.
    let answer: MetadataValue?
    let decisions: [Decision]
    /// The number of the application on a device that sent the request, in the order of appearance, or nil for a
    /// browser and for other services.
    var client: Int?
    /// The number of the client if its credentials identify it, and not only its device id; otherwise nil.
    var clientOfCredentials: Int?
    /// A Boolean value that indicates whether a server of the programmer sent the request for one of its devices.
    var isOfServer = false

    /// The decision of a response about one resource.
    struct Decision {
        fileprivate(set) var resource: String
        let isPermit: Bool
        let error: ErrorAnswer?
        /// A Boolean value that indicates whether the decision comes from a degradation or a TempPass, which may end
        /// before the login does.
        var isTemporary = false

        /// A Boolean value that indicates whether the service refuses the resource because a login is missing.
        var needsLogin: Bool { error?.action == "authentication" && error?.isLimitOfTempPass == false }
    }

    /// An enhanced error.
    struct ErrorAnswer {
        let code: String
        let action: String
        /// The status in the error, which may differ from that of HTTP, or nil if the error does not state it.
        let status: Double?

        /// A Boolean value that indicates whether a TempPass is used up.
        ///
        /// The action of this error is that of a missing login. But the viewer may try one title after the other, and
        /// a title that the pass has opened may stay open, so a client need not log in at once.
        var isLimitOfTempPass: Bool { code.hasBytePrefix("temporary_access_") }

        init?(_ value: MetadataValue?) {
            // The documentation shows the members at the top level, but describes them inside a member `error`.
            let inner = value?["error"]
            guard let value = inner?.objectValue == nil ? value : inner, let code = value["code"]?.stringValue else {
                return nil
            }
            self.code = code
            action = value["action"]?.stringValue ?? "none"
            status = value["status"]?.decimalValue
        }
    }

    init(_ exchange: Exchange, at place: Int, isOfService: Bool = true) {
        self.exchange = exchange
        self.place = place
        self.isOfService = isOfService
        path = Self.segments(exchange.path)
        endpoint = isOfService ? DocumentedEndpoint.of(exchange.method, path) : nil
        // The client has not sent what a tool has put in the place of its body.
        let body = exchange.request.hasMaskedBody ? nil : exchange.request.body
        var fields = Self.fields(exchange.query)
        queryNames = Set(fields.map(\.name))
        var requestBody: MetadataValue?
        hasOtherBodyThanAForm = endpoint?.takesJSON == false && body.map(Self.isNoForm) == true
        if let body, endpoint?.takesJSON == true {
            requestBody = Self.json(body)
            fields += (requestBody?.objectValue ?? [:]).map { ($0.key, $0.value.stringValue ?? "") }
        } else if let body, endpoint != nil || path.first == "activate" {
            fields += String(validUTF8: body).map(Self.fields) ?? []
        }
        let isUnreadable = hasOtherBodyThanAForm || endpoint?.takesJSON == true && requestBody == nil
        self.fields = body == nil || isUnreadable ? nil : fields
        self.requestBody = requestBody
        answer = endpoint == nil || endpoint == .authenticate ? nil : exchange.answer.body.flatMap(Self.json)
        decisions =
            endpoint?.decides == true
            ? Self.decisions(in: answer, requestedBy: requestBody, status: exchange.status) : []
    }

    /// Returns the decoded segments of a path, without empty ones.
    static func segments(_ path: String) -> [String] {
        path.parts(separatedBy: "/", keepsEmpty: false).map { String($0).decodingPercents ?? String($0) }
    }

    /// Returns a body as a JSON object, which each documented body in JSON is, or nil if it is none.
    private static func json(_ bytes: Data) -> MetadataValue? {
        let value = try? UntrustedJSON.read(MetadataValue.self, from: bytes, .configuration)
        return value?.objectValue == nil ? nil : value
    }

    /// Returns a Boolean value that indicates whether a body begins as JSON or as a part of several.
    private static func isNoForm(_ body: Data) -> Bool {
        ["{", "[", "--"].contains { body.starts(with: $0.utf8) }
    }

    private static func fields(_ text: String) -> [(name: String, value: String)] {
        text.parts(separatedBy: "&", keepsEmpty: false).map { pair in
            let (name, value) = pair.divided(at: "=")
            return (decoded(name), decoded(value ?? ""))
        }
    }

    private static func decoded(_ text: Substring) -> String {
        let plain = String(text).replacingBytes(of: "+", with: " ")
        return plain.decodingPercents ?? plain
    }

    /// Returns the decisions of a response.
    ///
    /// An error of the whole response applies to each requested resource.
    private static func decisions(
        in answer: MetadataValue?, requestedBy requestBody: MetadataValue?, status: Int
    ) -> [Decision] {
        let requested = requestBody?["resources"]?.arrayValue?.compactMap(\.stringValue) ?? []
        if let rows = answer?["decisions"]?.arrayValue {
            let stated = rows.compactMap { row -> Decision? in
                let error = ErrorAnswer(row["error"])
                // Without a yes or a no, an error is a denial.
                guard let resource = row["resource"]?.stringValue,
                    let isPermit = row["authorized"]?.statedBoolean ?? error.map({ _ in false })
                else { return nil }
                let isTemporary = ["degradation", "temppass"].contains(row["source"]?.stringValue)
                return Decision(resource: resource, isPermit: isPermit, error: error, isTemporary: isTemporary)
            }
            return assigned(stated, to: requested)
        }
        guard status >= 400, let error = ErrorAnswer(answer) else { return [] }
        return requested.map { Decision(resource: $0, isPermit: false, error: error) }
    }

    /// Returns the decision of a response about each requested resource, in the spelling of the request, and then those
    /// about other resources.
    ///
    /// As for the client, it is the first one with the same bytes or, if there is none, the first one in another
    /// spelling. The service may add white space, change line ends, or write ASCII letters in the other case. One of
    /// the vendor's samples has a blank after the id.
    private static func assigned(_ stated: [Decision], to requested: [String]) -> [Decision] {
        func plain(_ text: String) -> ExactText {
            ExactText(JSONCursor.trimmed(Resource(text).withLineFeeds.text).lowercasedASCII)
        }
        let exact = Dictionary(stated.map { (ExactText($0.resource), $0) }) { first, _ in first }
        let similar = Dictionary(stated.map { (plain($0.resource), $0) }) { first, _ in first }
        var known: Set<ExactText> = []
        let own = requested.compactMap { name -> Decision? in
            guard known.insert(ExactText(name)).inserted, var decision = exact[ExactText(name)] ?? similar[plain(name)]
            else { return nil }
            decision.resource = name
            return decision
        }
        let names = Set(requested.map(plain))
        return own + stated.filter { !names.contains(plain($0.resource)) }
    }
}

// MARK: - Facts for the rules

extension Call {
    var id: Int { exchange.id }
    var status: Int { exchange.status }
    var began: Date { exchange.began }
    var ended: Date { exchange.began.addingTimeInterval(exchange.milliseconds / 1_000) }
    var isSuccess: Bool { (200...299).contains(status) }
    /// A Boolean value that indicates whether the service has done what the request asks for, or may have done so
    /// because the response is lost.
    var mayHaveSucceeded: Bool { isSuccess || status == 0 }
    /// A Boolean value that indicates whether the recording lacks the body of the response.
    ///
    /// Recorders that store no bodies may write empty ones.
    var lacksAnswer: Bool { exchange.answer.body?.isEmpty != false }
    /// A Boolean value that indicates whether the response is a success of the service, as far as it is known.
    ///
    /// A body that is no JSON is not the service's: it is the welcome page of a network, or was spoiled on its way. The
    /// client has no answer then, so it may repeat the request. The client has received a body that a tool has masked.
    var isAnswered: Bool { isSuccess && (lacksAnswer || answer != nil || exchange.answer.hasMaskedBody) }
    /// A Boolean value that indicates whether the request goes to REST API v2 or its registration, documented or not.
    var isTheirs: Bool {
        guard isOfService else { return false }
        return path.starts(with: ["api", "v2"]) || path.starts(with: ["o", "client"]) || endpoint?.isOfHousehold == true
    }

    /// Returns a header of the request by its name in lower case, or nil for a value that the recording has masked.
    func header(_ name: String) -> String? { exchange.request.header(name) }

    /// A Boolean value that indicates whether the recording lacks all of the request's headers, or all of their values.
    var isWithoutHeaders: Bool { exchange.request.isWithoutHeaders }

    /// A Boolean value that indicates whether the recording lacks the headers that identify an application or a device.
    ///
    /// A browser that has not received a request's final headers records only those that the page has set.
    var isUnidentified: Bool {
        let names = ["authorization", "ap-device-identifier", "x-device-info", "x-forwarded-for"]
        return isWithoutHeaders || names.allSatisfy { exchange.request.headers[$0] == nil }
    }

    /// Returns a Boolean value that indicates whether a successful response contains a text, as far as it is known.
    func brings(_ name: String) -> Bool { isSuccess && (lacksAnswer || answer?[name]?.stringValue != nil) }

    func field(_ name: String) -> String? { fields?.first { $0.name.isSameBytes(as: name) }?.value }

    var serviceProvider: String? {
        guard let endpoint, endpoint.isAPI || endpoint == .authenticate else { return nil }
        return endpoint == .authenticate ? path[3] : endpoint.isOfHousehold ? path[1] : path[2]
    }

    /// The TV provider in the path or, for a session, in the form.
    ///
    /// A first screen that knows no provider may send an empty one.
    var mvpd: String? {
        switch endpoint {
        case .profile, .logout: path[4]
        case .preauthorize, .authorize: path[5]
        case .createSession, .resumeSession: field("mvpd").flatMap { $0.isEmpty ? nil : $0 }
        default: nil
        }
    }

    /// The registration code in the path, or in the response that created it.
    var code: String? {
        switch endpoint {
        case .createSession, .partnerSession: answer?["code"]?.stringValue
        case .resumeSession, .session, .authenticate: path[4]
        case .profileOfCode: path[5]
        default: isOfService && path.first == "activate" ? field("code") : nil
        }
    }

    /// The access token.
    var bearer: String? {
        guard let value = header("authorization") else { return nil }
        let (scheme, token) = value.divided(at: " ")
        return String(scheme).isSameBytesIgnoringASCIICase(as: "bearer") ? token.map { String($0) } : nil
    }

    var device: String? { header("ap-device-identifier") }

    /// The service token in the response, under either of its two names.
    ///
    /// The samples of the single sign-on service's page have the first name, and its tables have the second.
    var serviceToken: String? {
        ["serviceToken", "jws"].lazy.compactMap { answer?[$0]?.stringValue }.first { !$0.isEmpty }
    }

    /// The lifetime of the code or the token in the response, in seconds, or nil if the response does not state it.
    ///
    /// The times are milliseconds since 1970. Times before the year 2001, as those in seconds are, and an end that does
    /// not follow the beginning state nothing.
    var lifetime: TimeInterval? {
        let times = ["notBefore", "notAfter"].map { answer?[$0]?.decimalValue ?? 0 }
        return times[0] >= Self.earliestTime && times[1] > times[0] ? (times[1] - times[0]) / 1_000 : nil
    }

    /// The end of each TV provider's profile, or nil when the response is not about profiles or none can be read.
    ///
    /// A profile without an end after its beginning and after the year 2001 can be spoiled, and states nothing.
    var profileEnds: [String: Date]? {
        guard endpoint?.returnsProfiles == true, isSuccess, let profiles = answer?["profiles"]?.objectValue else {
            return nil
        }
        let ends = profiles.compactMapValues { profile -> Date? in
            let begin = profile["notBefore"]?.decimalValue ?? 0
            guard let end = profile["notAfter"]?.decimalValue, end >= Self.earliestTime, begin < end else { return nil }
            return Date(timeIntervalSince1970: end / 1_000)
        }
        return ends.isEmpty && !profiles.isEmpty ? nil : ends
    }

    /// The beginning of the year 2001, in milliseconds since 1970: a time in seconds seems to be earlier.
    private static let earliestTime = 978_307_200_000.0

    /// A Boolean value that indicates whether the response contains a profile.
    var hasProfile: Bool { profileEnds?.isEmpty == false }

    /// Returns a Boolean value that indicates whether the profile of a TV provider can be read, or nil when the
    /// response has none of this provider.
    ///
    /// The service may write ASCII letters of an id in the other case, if no profile has exactly this id.
    func hasProfile(of mvpd: String) -> Bool? {
        let own = (answer?["profiles"]?.objectValue ?? [:]).keys.filter {
            JSONCursor.trimmed($0).isSameBytesIgnoringASCIICase(as: mvpd)
        }
        let exact = own.filter { JSONCursor.trimmed($0).isSameBytes(as: mvpd) }
        guard !own.isEmpty else { return nil }
        return (exact.isEmpty ? own : exact).contains { profileEnds?[$0] != nil }
    }

    /// A Boolean value that indicates whether the response states that a login is missing.
    ///
    /// A response that the recording lacks, or that is no answer of the service, states nothing.
    var deniesLogin: Bool {
        if endpoint == .profiles || endpoint == .profile, profileEnds?.isEmpty == true { return true }
        return ([error] + decisions.map(\.error)).contains { $0?.code.hasBytePrefix("authenticated_profile_") == true }
    }

    var error: ErrorAnswer? { status >= 400 ? ErrorAnswer(answer) : nil }

    /// A Boolean value that indicates whether the service refuses the access token, and not a service token or a link
    /// code.
    var refusesAccess: Bool {
        guard status == 401, endpoint?.isOfHousehold == true else {
            return status == 401 && !isRefusedByAnotherServer
        }
        return oauthError != nil
            || error.map { $0.code.hasBytePrefix("invalid_access_token") || $0.code == "unauthorized" } ?? false
    }

    /// A Boolean value that indicates whether a network, a proxy or a web server in front of the service asks for a
    /// login of its own: with a challenge that accepts no access token or, if there is no challenge, with a web page,
    /// and without an error of the service.
    var isRefusedByAnotherServer: Bool {
        guard status == 401, oauthError == nil, error == nil else { return false }
        guard let challenge = exchange.answer.header("www-authenticate") else { return isWebPage }
        return !challenge.lowercasedASCII.containsBytes(of: "bearer")
    }

    /// The error of OAuth, which is a text.
    private var oauthError: String? { answer?["error"]?.stringValue }

    /// The decoded object of `X-Device-Info`.
    var deviceInfo: [String: MetadataValue]? {
        header("x-device-info").flatMap { Data(base64Encoded: $0) }
            .flatMap { try? UntrustedJSON.read(MetadataValue.self, from: $0, .small) }?.objectValue
    }

    /// A Boolean value that indicates whether the recording lacks the body of the request.
    var lacksRequest: Bool {
        exchange.method == "POST" && (exchange.request.body == nil || exchange.request.hasMaskedBody)
    }

    /// Returns a Boolean value that indicates whether two requests to the same endpoint are the same.
    ///
    /// Two bodies that the recording lacks may be different ones.
    func isSameRequest(as other: Call) -> Bool { mayBeSameRequest(as: other) && !lacksRequest }

    /// Returns a Boolean value that indicates whether two requests to the same endpoint are the same, as far as the
    /// recording shows it.
    func mayBeSameRequest(as other: Call) -> Bool {
        exchange.path.isSameBytes(as: other.exchange.path)
            && exchange.query.isSameBytes(as: other.exchange.query)
            && exchange.request.body == other.exchange.request.body
    }

    /// Returns a Boolean value that indicates whether this request was sent after another one.
    ///
    /// Two requests of a recording that began in the same moment have an order, too.
    func isAfter(_ other: Call) -> Bool { place > other.place }

    /// Returns a Boolean value that indicates whether this request was sent before the response to another one arrived.
    ///
    /// Its sender could not know of that response.
    func cannotKnow(of other: Call) -> Bool { began < other.ended }

    /// Returns the seconds from the beginning of this request to that of a later one.
    func seconds(until other: Call) -> Double { other.began.timeIntervalSince(began) }
}
