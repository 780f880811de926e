import TVEModels

/// The headers by which a service has found logins, for each device, service provider and TV provider.
struct ProofsOfLogins {
    static let serviceToken = "AD-Service-Token"
    static let platformStatus = "AP-Partner-Framework-Status"
    private static let names = [serviceToken, platformStatus]

    /// The TV providers of the logins, by header and by device and service provider.
    private var logins: [String: [ExactText: Set<ExactText>]] = [:]
    /// The places of the newest requests after which a device may have no valid service token.
    private var losses: [ExactText: Int] = [:]
    /// The places of the newest requests with which a device has obtained a service token.
    private var grants: [ExactText: Int] = [:]

    /// Returns the header without which the service denies a login, or nil where none is missing.
    func missing(in call: Call) -> String? {
        guard let owner = Self.owner(of: call), let mvpd = call.mvpd, call.deniesLogin else { return nil }
        return Self.names.first { name in
            guard logins[name]?[owner]?.contains(ExactText(mvpd)) == true, !Self.has(name, call) else { return false }
            return name != Self.serviceToken || !lacksServiceToken(owner, for: call)
        }
    }

    mutating func learn(from call: Call) {
        learnAboutTokens(from: call)
        guard let owner = Self.owner(of: call) else { return }
        let isLogout = call.endpoint == .logout && call.mayHaveSucceeded
        for name in Self.names where isLogout || call.deniesLogin && Self.has(name, call) {
            if let mvpd = call.mvpd {
                logins[name]?[owner]?.remove(ExactText(mvpd))
            } else {
                logins[name]?[owner] = nil
            }
        }
        guard call.isSuccess else { return }
        for (mvpd, profile) in call.answer?["profiles"]?.objectValue ?? [:] {
            let proof: String? =
                switch profile["type"]?.stringValue {
                case "serviceTokenSSO": Self.serviceToken
                case "appleSSO": Self.platformStatus
                default: nil
                }
            for name in Self.names {
                if name == proof {
                    logins[name, default: [:]][owner, default: []].insert(ExactText(mvpd))
                } else {
                    logins[name]?[owner]?.remove(ExactText(mvpd))
                }
            }
        }
    }

    /// Learns which devices have a service token to send.
    private mutating func learnAboutTokens(from call: Call) {
        // A device that has left its household has no token to send. A device can also unlink others, so the logins of
        // all devices are dropped.
        if call.endpoint == .unlink, call.mayHaveSucceeded { logins[Self.serviceToken] = nil }
        guard let owner = Self.owner(of: call) ?? Self.everyDevice(of: call) else { return }
        if call.losesServiceToken {
            losses[owner] = call.place
        } else if call.bringsServiceToken {
            grants[owner] = call.place
            losses[owner] = nil
        }
    }

    /// Returns a Boolean value that indicates whether a device may have no valid service token at the time of a call.
    private func lacksServiceToken(_ owner: ExactText, for call: Call) -> Bool {
        let places = [owner, Self.everyDevice(of: call)].compactMap { $0.flatMap { losses[$0] } }
        return places.contains { $0 > grants[owner] ?? -1 }
    }

    private static func owner(of call: Call) -> ExactText? {
        guard let device = call.device, let provider = call.serviceProvider else { return nil }
        return ExactText("\(provider)\n\(device)")
    }

    /// Returns the key of requests that do not name the device, and may be those of any device.
    private static func everyDevice(of call: Call) -> ExactText? {
        call.serviceProvider.map { ExactText("\($0)\n") }
    }

    private static func has(_ name: String, _ call: Call) -> Bool {
        call.exchange.request.headers[name.lowercasedASCII] != nil
    }
}

extension Call {
    /// A Boolean value that indicates whether the call requests a service token.
    fileprivate var isForServiceToken: Bool { endpoint == .serviceToken || endpoint == .renewServiceToken }

    /// A Boolean value that indicates whether the response has a service token, as far as it is known.
    fileprivate var bringsServiceToken: Bool {
        guard isForServiceToken, isAnswered else { return false }
        return answer == nil || serviceToken != nil
    }

    /// A Boolean value that indicates whether the device may have no valid service token after this call, because the
    /// service refuses the token or grants no other one.
    ///
    /// After a refused access token, the client sends the request once more. A device that cannot join another
    /// household keeps its token.
    fileprivate var losesServiceToken: Bool {
        guard endpoint?.isOfHousehold == true, !refusesAccess else { return false }
        return status == 401 || isForServiceToken && header("x-sso-link") == nil && !bringsServiceToken
    }
}
