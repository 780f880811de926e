import TVEModels

/// The service providers and the hosts of the requests of REST API v2 in a recording.
///
/// Other sites have paths such as `/api/news/list`, `/api/v2/news` and `/activate` too. A request with such a path is
/// judged only if something else shows that it goes to the service.
struct RecordedServices {
    private var providers: Set<ExactText> = []
    private var hosts: Set<ExactText> = []

    init(_ exchanges: [Exchange]) {
        for exchange in exchanges {
            let path = Call.segments(exchange.path)
            let endpoint = DocumentedEndpoint.of(exchange.method, path)
            guard Self.mayContain(path, endpoint), Self.isCertain(path, endpoint) || Self.hasHeaders(exchange) else {
                continue
            }
            if let host = Self.host(of: exchange) { hosts.insert(host) }
            if let provider = Self.provider(path) { providers.insert(provider) }
        }
    }

    /// Returns a Boolean value that indicates whether an exchange goes to the service, if its path is one of the
    /// service.
    func contain(_ exchange: Exchange) -> Bool {
        let path = Call.segments(exchange.path)
        let endpoint = DocumentedEndpoint.of(exchange.method, path)
        if Self.isCertain(path, endpoint) || Self.hasHeaders(exchange) { return true }
        if let provider = Self.provider(path), providers.contains(provider) { return true }
        // An observer that records no hosts observes the service alone.
        return Self.host(of: exchange).map(hosts.contains) ?? true
    }

    /// Returns a Boolean value that indicates whether the service has a path, which other sites may have too.
    static func mayContain(_ path: [String], _ endpoint: DocumentedEndpoint?) -> Bool {
        [["api", "v2"], ["o", "client"], ["activate"]].contains { path.starts(with: $0) }
            || endpoint?.isOfHousehold == true
    }

    /// Returns a Boolean value that indicates whether the path alone shows that a request goes to the service.
    private static func isCertain(_ path: [String], _ endpoint: DocumentedEndpoint?) -> Bool {
        path.starts(with: ["o", "client"]) || endpoint?.isOfHousehold == false
    }

    /// Returns a Boolean value that indicates whether a request has a header that only requests to the service have.
    private static func hasHeaders(_ exchange: Exchange) -> Bool {
        ["ap-device-identifier", "ad-service-token", "x-sso-id", "x-sso-link"].contains {
            exchange.request.headers[$0] != nil
        }
    }

    /// Returns the service provider in a path below `/api/`, or nil for any other path.
    private static func provider(_ path: [String]) -> ExactText? {
        guard path.first == "api", path.count >= 3 else { return nil }
        guard path[1] == "v2" else { return ExactText(path[1]) }
        let place = path[2] == "authenticate" ? 3 : 2
        return path.count > place ? ExactText(path[place]) : nil
    }

    private static func host(of exchange: Exchange) -> ExactText? {
        exchange.request.headers["host"].map { ExactText($0.lowercasedASCII) }
    }
}
