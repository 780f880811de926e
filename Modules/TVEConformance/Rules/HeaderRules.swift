import Foundation
import TVEModels

/// The rule for CL21: every request has three headers.
struct SendsTheHeaders: Rule {
    let row = Row(
        "CL21", .mandatory,
        sentence: "The client sends Authorization, AP-Device-Identifier and X-Device-Info with every request "
            + "of REST API v2, and the proof of a login that the service finds by one.",
        evidence:
            "the headers of each request. They are required even if the endpoint's own page does not list them, but "
            + "for the single sign-on service only those that its page requires. The row also fails if the service "
            + "refuses a request about a login of the type serviceTokenSSO because AD-Service-Token is missing. A "
            + "decision that the service refuses without AP-Partner-Framework-Status, with a login of the type "
            + "appleSSO, leaves the row open, because the viewer may have signed out on the platform",
        advice:
            "Set the three headers in the one place where requests are made, and obtain the proof before each "
            + "request.",
        source: "Checklist, Parameters and Headers: Send Authorization, AP-Device-Identifier, X-Device-Info Header")

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        let calls = recording.known.filter { $0.endpoint?.isAPI == true }
        // No service responds without a token. A recording of successful requests without any token has lost them, and
        // one of successful requests without any header has lost all headers. If other requests have the three headers,
        // the recorder has lost those of a successful request that has none of the three.
        let succeeded = calls.filter(\.isSuccess)
        let lost =
            !succeeded.isEmpty && !calls.contains { $0.exchange.request.headers["authorization"] != nil }
        let showsHeaders = calls.contains { !$0.isUnidentified }
        let hasBare = succeeded.contains { $0.isWithoutHeaders || showsHeaders && $0.isUnidentified }
        // The service accepts only a bearer token, so the recorder has changed the header of a successful request.
        let hasChanged = succeeded.contains(where: \.lacksBearer)
        if hasBare {
            verdict.note = "The recording was saved without the headers of some requests."
        } else if lost {
            verdict.note = "The recording was saved without its Authorization headers."
        } else if hasChanged {
            verdict.note = "The recording does not show the Authorization headers of some requests."
        }
        var proofs = ProofsOfLogins()
        for call in calls {
            let proof = proofs.missing(in: call)
            proofs.learn(from: call)
            // A viewer who has signed out on the platform leaves the client without a status to send.
            if proof == ProofsOfLogins.platformStatus, call.endpoint?.decides == true {
                verdict.note =
                    "The service denied a login of the platform, and the recording does not show whether the platform "
                    + "had a status for AP-Partner-Framework-Status."
            } else if let proof, proof == ProofsOfLogins.serviceToken {
                verdict.fail(
                    "\(call.exchange.method) \(call.title) was sent without \(proof), by which the service had "
                        + "found the login.",
                    [call])
                continue
            }
            if hasBare, call.isWithoutHeaders || call.isSuccess && call.isUnidentified { continue }
            let headers = call.exchange.request.headers
            let missing = Self.names(for: call.endpoint).filter { name in
                headers[name.lowercasedASCII] == nil && !(lost && name == "Authorization")
            }
            if !missing.isEmpty {
                verdict.fail(
                    "\(call.exchange.method) \(call.title) was sent without \(missing.joined(separator: ", ")).", [call]
                )
            } else if let device = call.device, !Self.isIdentifier(device) {
                verdict.fail(
                    "AP-Device-Identifier is not \"fingerprint\" and then the Base64 of an identifier.",
                    [call])
            } else if !call.lacksBearer {
                verdict.keep([call])
            } else if !hasChanged {
                verdict.fail("Authorization is not \"Bearer\" and then an access token.", [call])
            }
        }
    }

    /// Returns the headers of every request to an endpoint.
    ///
    /// The single sign-on service is beside REST API v2, and its page requires all three headers only for a new token.
    /// The renewal of a token does not name the device, because the token does.
    private static func names(for endpoint: DocumentedEndpoint?) -> [String] {
        switch endpoint {
        case .renewServiceToken: ["Authorization"]
        case .link, .householdDevices, .unlink: ["Authorization", "AP-Device-Identifier"]
        default: ["Authorization", "AP-Device-Identifier", "X-Device-Info"]
        }
    }

    private static func isIdentifier(_ header: String) -> Bool {
        let (kind, value) = header.divided(at: " ")
        // Foundation decodes padding alone to a byte.
        guard kind == "fingerprint", let value, value.utf8.first != UInt8(ascii: "=") else { return false }
        return Data(base64Encoded: String(value)) != nil
    }
}

extension Call {
    /// A Boolean value that indicates whether the request has an `Authorization` header without an access token.
    fileprivate var lacksBearer: Bool { header("authorization") != nil && bearer == nil }

    /// The name of the endpoint, for people.
    var title: String { endpoint?.rawValue ?? exchange.path }
}

/// The rule for CL22: the device information is true.
struct TellsTheTruthAboutTheDevice: Rule {
    let row = Row(
        "CL22", .mandatory,
        sentence: "X-Device-Info is true of the device, with values of the closed lists; what the client does "
            + "not know is left out.",
        evidence: "the header's values, which must be in the lists and stay the same on one device",
        advice:
            "Send the Base64 of a JSON object with the device's own values, and leave out every field that "
            + "would be empty.",
        source: "Header, X-Device-Info")

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        // The first value of each field, by device.
        var first: [String: [String: (Call, MetadataValue)]] = [:]
        var judged: Set<String> = []
        for call in recording.known {
            guard let header = call.header("x-device-info") else { continue }
            guard let facts = call.deviceInfo else {
                verdict.fail("X-Device-Info is not the Base64 of a JSON object.", [call])
                continue
            }
            if judged.insert(header).inserted {
                if facts["model"] == nil {
                    verdict.fail("X-Device-Info has no model, which the service asks for.", [call])
                }
                if facts["osName"] == nil, facts["osVersion"] == nil {
                    verdict.fail(
                        "X-Device-Info does not name the operating system, which the service asks for.", [call])
                }
            }
            for (name, value) in facts.sorted(by: { $0.key < $1.key }) where judged.insert("\(header) \(name)").inserted
            {
                if let text = value.stringValue, let list = Self.lists[name], !list.contains(text) {
                    verdict.fail("\(name) is \"\(text.prefix(40))\", which is not in the list.", [call])
                } else if value.isNull || value.stringValue == "" {
                    verdict.fail("\(name) is empty; an unknown field is left out.", [call])
                } else if Self.lists[name] != nil, value.stringValue == nil {
                    // A JSON Boolean is accepted as well as the documented text.
                    if name == "connectionSecure", value.boolValue != nil { continue }
                    verdict.fail("\(name) is not a string, as the values in the list are.", [call])
                }
            }
            verdict.keep([call])
            guard let device = call.device else { continue }
            for name in ["primaryHardwareType", "model", "osName"] {
                // A field that the client leaves out is unknown to it.
                guard let value = facts[name], !value.isNull else { continue }
                guard let (earlier, known) = first[device]?[name] else {
                    first[device, default: [:]][name] = (call, value)
                    continue
                }
                if known != value {
                    verdict.fail("The same device was first one \(name) and then another.", [earlier, call])
                }
            }
        }
    }

    private static let lists: [String: Set<String>] = [
        "primaryHardwareType": [
            "Camera", "DataCollectionTerminal", "Desktop", "EmbeddedNetworkModule", "eReader", "GamesConsole",
            "GeolocationTracker", "Glasses", "MediaPlayer", "MobilePhone", "PaymentTerminal", "PluginModem",
            "SetTopBox", "TV", "Tablet", "WirelessHotspot", "Wristwatch", "Unknown",
            // These values occur only in the service's description.
            "VehicleMultimediaSystem", "Projector",
        ],
        "osName": [
            "Android", "Chrome OS", "Linux", "Mac OS", "OS X", "OpenBSD", "Roku OS", "Windows", "iOS", "tvOS", "webOS",
        ],
        "osFamily": [
            "Android", "BSD", "Linux", "PlayStation OS", "Roku OS", "Symbian", "Tizen", "Windows", "iOS", "tvOS",
            "macOS", "webOS",
        ],
        "osVendor": [
            "Amazon", "Apple", "Google", "LG", "Microsoft", "Mozilla", "Nintendo", "Nokia", "Roku", "Samsung", "Sony",
            "Tizen Project",
        ],
        "browserName": [
            "Android Browser", "Chrome", "Edge", "Firefox", "Internet Explorer", "Opera", "Safari", "SeaMonkey",
            "Symbian Browser",
        ],
        "browserVendor": [
            "Amazon", "Apple", "Google", "Microsoft", "Motorola", "Mozilla", "Netscape", "Nintendo", "Nokia",
            "Samsung", "Sony Ericsson",
        ],
        "connectionSecure": ["true", "false"],
    ]
}

/// The rule for CL23: a device has a stable id.
struct KeepsTheDeviceID: Rule {
    let row = Row(
        "CL23", .mandatory,
        sentence: "The device id survives updates, reboots and, where the platform can keep it, a new installation.",
        evidence:
            "two requests with the same credentials and the same AP-Device-Identifier. A server that names its "
            + "devices in X-Forwarded-For has many identifiers, and is not judged",
        advice: "Derive the id from properties that do not change, or create it once and store it permanently.",
        source: "Checklist, Parameters and Headers: Stable Device Identifier")

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        var first: [ExactText: Call] = [:]
        for call in recording.known {
            guard let device = call.device, !call.isOfServer else { continue }
            // The key is the credentials, or the access token if the recording does not show to whom it belongs. A
            // client that is known by its device id alone has only one id by definition.
            let client = call.clientOfCredentials
            let keys = [client.map { "client \($0)" }, call.bearer].compactMap(\.self).map(ExactText.init)
            // No service responds without a token, so the recording has lost that of a successful request.
            if keys.isEmpty, call.isSuccess, call.endpoint?.isAPI == true {
                verdict.note = "The recording does not show the Authorization headers of some requests."
            }
            if let known = keys.lazy.compactMap({ first[$0] }).first {
                if known.device?.isSameBytes(as: device) == true {
                    verdict.keep([known, call])
                } else {
                    verdict.fail("The device id of an application changed.", [known, call])
                }
            }
            for key in keys { first[key] = call }
        }
    }
}

/// The rule for CL24: a client sends only what is documented.
struct SendsOnlyWhatIsDocumented: Rule {
    let row = Row(
        "CL24", .mandatory, sentence: "The client sends only the documented parameters and headers.",
        evidence:
            "the path, method, parameters and headers of each request, compared with the endpoint's page. The headers "
            + "of HTTP itself, of proxies and of tools that trace requests are allowed",
        advice: "Remove what the endpoint's page does not list, above all parameters of REST API v1.",
        source: "Checklist, Parameters and Headers: Follow APIs References")

    func judge(_ recording: Recording, _ verdict: inout Verdict) {
        var unread = 0
        for call in recording.calls {
            // A page sends a preflight request before a request to another origin.
            guard call.isTheirs, call.exchange.method != "OPTIONS" else { continue }
            guard let endpoint = call.endpoint else {
                // The vendor names these two endpoints of the registration, and does not describe them.
                let isNamed = [["o", "client", "scopes"], ["o", "client", "validate"]].contains(call.path)
                if !isNamed {
                    verdict.fail("No document describes \(call.exchange.outline).", [call])
                }
                continue
            }
            guard endpoint != .authenticate else { continue }
            var unknown = call.exchange.request.headers.keys.filter { !Self.isAllowed($0, endpoint) }.sorted()
                .map { "the header \($0)" }
            if let fields = call.fields {
                let titles = fields.filter { !endpoint.parameters.contains($0.name) }.map { name, value in
                    // In a form, a part without an equals sign may be the rest of a value.
                    Self.title(name, isName: endpoint.takesJSON || call.queryNames.contains(name) || !value.isEmpty)
                }
                unknown += Set(titles).sorted()
                if !endpoint.hasQuery {
                    unknown += call.queryNames.intersection(endpoint.parameters).sorted().map { "\($0) in the query" }
                }
            } else if call.hasOtherBodyThanAForm {
                unknown.append("a body that is not a form")
            } else {
                unread += 1
            }
            if !unknown.isEmpty {
                verdict.fail(
                    "\(call.exchange.method) \(call.title) was sent with \(unknown.joined(separator: ", ")).", [call])
            } else if call.fields != nil {
                verdict.keep([call])
            }
        }
        if unread > 0 {
            let lost = unread == 1 ? "body of 1 request" : "bodies of \(unread) requests"
            verdict.note = "The recording lacks the \(lost)."
        }
    }

    /// Returns the name of a parameter for people.
    ///
    /// A report is sent to others. In a body that is not encoded as it should be, a password can stand in the place of
    /// a name.
    private static func title(_ name: String, isName: Bool) -> String {
        let isShown = isName && name.wholeMatch(of: /[A-Za-z0-9_.\[\]\-]{1,40}/) != nil
        return isShown ? "the parameter \(name)" : "a parameter whose name is not shown"
    }

    private static func isAllowed(_ name: String, _ endpoint: DocumentedEndpoint) -> Bool {
        if ordinary.contains(name) || always.contains(name) || endpoint.headers.contains(name) { return true }
        return prefixes.contains { name.hasBytePrefix($0) }
    }

    /// The headers that every request may have (REST API v2, request headers).
    static let always = DocumentedHeaders.ofEveryRequest.union(["accept", "user-agent"])

    /// The beginnings of the headers that others than the client add by themselves.
    ///
    /// These are browsers and the tools of monitoring: Zipkin, Datadog, New Relic, Dynatrace, AppDynamics, Instana,
    /// Elastic, OpenTracing, Honeycomb and OpenCensus. A reverse proxy or a network in front of it adds the last ones.
    static let prefixes = [
        "sec-", ":", "access-control-", "x-b3-", "x-datadog-", "x-newrelic-", "x-dynatrace", "adrum", "x-instana-",
        "elastic-apm-", "x-ot-", "ot-tracer-", "x-honeycomb-", "grpc-trace-bin",
        "x-forwarded-", "x-envoy-", "cf-",
    ]

    /// The headers that HTTP, browsers, proxies and tracing add by themselves.
    static let ordinary: Set<String> = [
        "host", "connection", "content-length", "accept-encoding", "accept-language", "accept-charset",
        "transfer-encoding", "cache-control", "pragma", "expect", "origin", "referer", "cookie", "te", "priority",
        "dnt", "date", "via", "forwarded", "proxy-connection", "keep-alive", "upgrade-insecure-requests", "upgrade",
        "http2-settings", "trailer", "range", "if-none-match", "if-modified-since", "if-range", "alt-used",
        "save-data", "dpr", "width", "viewport-width", "device-memory", "downlink", "ect", "rtt", "purpose",
        "x-purpose", "x-requested-with", "traceparent", "tracestate", "baggage", "sentry-trace", "b3", "uber-trace-id",
        "request-id", "newrelic", "x-dtpc", "x-dtc", "x-dtreferer", "singularityheader", "x-amzn-trace-id",
        "x-cloud-trace-context", "content-encoding", "content-language", "proxy-authorization", "if-match",
        "if-unmodified-since", "max-forwards", "warning", "from", "attribution-reporting-eligible",
        "available-dictionary", "dictionary-id",
        "x-real-ip", "x-request-id", "x-correlation-id", "cdn-loop", "true-client-ip",
    ]
}
