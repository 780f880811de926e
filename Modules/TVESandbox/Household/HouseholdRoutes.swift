import FlyingFox
import Foundation
import TVEModels

/// The vendor's single sign-on service, which issues tokens to the devices of a household, link codes for new devices,
/// and the list of devices.
struct HouseholdRoutes {
    private let state: SandboxState
    private let request: SandboxRequest
    private let requestorID: RequestorID
    private let behavior: SandboxWorld.Behavior.Households

    /// The last segments of the service's paths.
    static let names: Set<String> = ["serviceToken", "link", "list", "unlink"]

    /// Returns the step of a request by its method and the last segment of its path; `nil` where there is none.
    static func step(_ method: String, _ name: String) -> String? {
        switch (method, name) {
        case ("POST", "serviceToken"): "serviceToken"
        case ("GET", "serviceToken"): "renewServiceToken"
        case ("POST", "link"): "link"
        case ("GET", "list"): "householdDevices"
        case ("POST", "unlink"): "unlink"
        default: nil
        }
    }

    static func respond(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        let name = request.path[2]
        guard let step = step(request.method, name) else {
            let allowed = ["GET", "POST"].filter { Self.step($0, name) != nil }
            return .notAllowed(allowed).objecting("The path does not allow this method.")
        }
        _ = try ClientRegistration.client(state, request)
        let requestorID = RequestorID(request.path[1])
        guard state.requestor(requestorID) != nil else { throw .enhanced("invalid_parameter_service_provider") }
        guard state.world.behavior.households.areOffered else { throw HouseholdRefusal.notOffered.refusal }
        if state.world.behavior.isStrict,
            let objection = DocumentedRequests.ofTheSandbox.operations[step]?.objection(to: request)
        {
            throw objection.refusal
        }
        let routes = HouseholdRoutes(
            state: state, request: request, requestorID: requestorID, behavior: state.world.behavior.households)
        switch step {
        case "serviceToken": return try routes.giveToken()
        case "renewServiceToken": return try routes.renewToken()
        case "link": return try routes.link()
        case "householdDevices": return try routes.list()
        default: return try routes.unlink()
        }
    }

    // MARK: - Tokens

    private func giveToken() throws(SandboxRefusal) -> HTTPResponse {
        guard let deviceID else { throw HouseholdRefusal.missingDevice.refusal }
        let household: String
        switch (request.header("X-SSO-ID"), request.header("X-SSO-LINK")) {
        case (let subject?, nil) where !subject.isEmpty: household = enter(subject, deviceID)
        case (nil, let code?) where !code.isEmpty: household = try redeem(code, deviceID)
        case (_?, _?): throw Objection("A request has an account or a code, not both.").refusal
        default: throw HouseholdRefusal.missingIdentity.refusal
        }
        let token = try newToken(of: household, deviceID)
        // The token of a device that was unlinked in the meantime has ended already.
        _ = state.withTables { tables, now in tables.households.store(token, at: now) }
        return Self.answer(token, status: 201)
    }

    /// Adds a device to an account's household, which is created when there is none, and returns its key.
    private func enter(_ subject: String, _ deviceID: String) -> String {
        let key = HouseholdTables.key(requestorID, subject)
        let info = info
        state.withTables { [requestorID] tables, now in
            if tables.households.households[ExactText(key)] == nil {
                tables.households.households[ExactText(key)] = HouseholdRecord(
                    requestorID: requestorID, subject: subject)
            }
            tables.households.add(deviceID, to: key, info: info, isLinked: false, at: now)
        }
        return key
    }

    /// Marks a link code as used, adds the device to its household, and returns the key of the household.
    ///
    /// A wrong code uses up one of the device's tries.
    private func redeem(_ code: String, _ deviceID: String) throws(SandboxRefusal) -> String {
        let key = SandboxState.key(requestorID.text, code)
        let tries = behavior.tries
        let info = info
        let outcome: Result<String, Refusal> = state.withTables { tables, now in
            let tried = tables.households.tries.entry(deviceID, at: now) ?? 0
            guard tried < tries else { return .failure(.tooMany) }
            guard let record = tables.households.codes.entry(key, at: now) else {
                tables.households.tries.set(
                    tried + 1, deviceID, until: now.addingTimeInterval(TimeInterval(Self.triesLast)), at: now)
                return .failure(.unknown)
            }
            guard !record.isUsed, record.expires > now else { return .failure(.ended) }
            tables.households.codes.change(key) { $0.isUsed = true }
            tables.households.add(deviceID, to: record.household, info: info, isLinked: true, at: now)
            return .success(record.household)
        }
        switch outcome {
        case .success(let household): return household
        case .failure(.unknown): throw HouseholdRefusal.unknownCode.refusal
        case .failure(.ended): throw HouseholdRefusal.endedCode.refusal
        case .failure(.tooMany):
            var refusal = Throttle.refusal.objecting("The device has tried too many codes.")
            refusal.headers[HTTPHeader("Retry-After")] = "\(Self.triesLast)"
            throw SandboxRefusal(refusal)
        }
    }

    private enum Refusal: Error {
        case unknown, ended, tooMany
    }

    private func renewToken() throws(SandboxRefusal) -> HTTPResponse {
        let text = try shownToken(orElse: .missingTokenOfRenewal)
        let known = try record(of: text)
        let token = try newToken(of: known.household, known.deviceID)
        // The device may have been unlinked while the token was signed, and then it has no token to renew.
        let isRenewed = state.withTables { tables, now -> Bool in
            guard tables.households.tokens.entry(text, at: now) != nil else { return false }
            return tables.households.store(token, at: now)
        }
        guard isRenewed else { throw HouseholdRefusal.invalidToken.refusal }
        return Self.answer(token, status: 200)
    }

    /// Returns a Boolean value that indicates whether an unknown token is one of this service that can no longer be
    /// renewed, and not one that ended when its device was unlinked.
    private func isOurs(_ text: String) -> Bool {
        guard let claims = state.key.claims(Claims.self, ofJWT: text) else { return false }
        let end = claims.exp + Double(behavior.renewalLifetime)
        return state.judge { end <= $0.timeIntervalSince1970 }
    }

    /// Signs a token, which takes too long for the time during which the tables are locked.
    private func newToken(of household: String, _ deviceID: String) throws(SandboxRefusal) -> NewServiceToken {
        let now = state.now
        let subject = state.withTables { tables, _ in
            tables.households.households[ExactText(household)]?.subject ?? ""
        }
        let issued = now.timeIntervalSince1970.rounded(.down)
        let lifetime = TimeInterval(behavior.tokenLifetime)
        let claims = Claims(
            iss: Self.issuer, sub: subject, nbf: issued, exp: issued + lifetime, iat: issued,
            jti: SandboxState.randomID())
        guard let text = try? state.key.jwt(claims) else { throw SandboxRefusal(.status(500)) }
        let expires = Date(timeIntervalSince1970: issued + lifetime)
        return NewServiceToken(
            text: text, issued: Date(timeIntervalSince1970: issued),
            renewalEnds: expires.addingTimeInterval(TimeInterval(behavior.renewalLifetime)),
            record: ServiceTokenRecord(household: household, deviceID: deviceID, expires: expires))
    }

    private static func answer(_ token: NewServiceToken, status: Int) -> HTTPResponse {
        let answer: MetadataValue = [
            "status": status == 201 ? "CREATED" : "OK", "serviceToken": .string(token.text),
            "notBefore": .milliseconds(token.issued), "notAfter": .milliseconds(token.record.expires),
        ]
        return .json(answer, status: status)
    }

    // MARK: - Devices

    private func link() throws(SandboxRefusal) -> HTTPResponse {
        let household = try provenHousehold()
        let code = state.linkCode(of: household, requestorID, lifetime: behavior.codeLifetime)
        let answer: MetadataValue = [
            "status": "CREATED", "code": .string(code.text), "notBefore": .milliseconds(state.now),
            "notAfter": .milliseconds(code.expires),
        ]
        return .json(answer, status: 201)
    }

    private func list() throws(SandboxRefusal) -> HTTPResponse {
        let household = try provenHousehold()
        let devices = state.withTables { tables, _ in
            tables.households.households[ExactText(household)]?.devices ?? [:]
        }
        var listed: [String: MetadataValue] = [:]
        for (id, device) in devices { listed[id.text] = device.json }
        let answer: MetadataValue = ["devices": .object(listed)]
        return .json(answer)
    }

    private func unlink() throws(SandboxRefusal) -> HTTPResponse {
        let household = try provenHousehold()
        let body = try? UntrustedJSON.decode(Devices.self, from: request.body, .small)
        guard let devices = body?.devices, !devices.isEmpty else { throw HouseholdRefusal.noDevices.refusal }
        let unlinked = state.withTables { tables, now in
            devices.filter { tables.households.unlink($0, from: household, at: now) }
        }
        let answer: MetadataValue = ["status": "OK", "unlinkedDevices": .array(unlinked.map { .string($0) })]
        return .json(answer)
    }

    private struct Devices: Decodable {
        let devices: [String]
    }

    /// Returns the key of the household that the request proves with a valid token of a linked device.
    private func provenHousehold() throws(SandboxRefusal) -> String {
        let text = try shownToken(orElse: .missingToken)
        guard let deviceID else { throw HouseholdRefusal.missingDevice.refusal }
        let known = try record(of: text)
        guard state.judge({ known.expires > $0 }) else { throw HouseholdRefusal.endedToken.refusal }
        guard known.deviceID.isSameBytes(as: deviceID) else { throw HouseholdRefusal.invalidToken.refusal }
        let info = info
        let isMember = state.withTables { tables, now in
            tables.households.see(deviceID, in: known.household, info: info, at: now)
        }
        guard isMember else { throw HouseholdRefusal.invalidToken.refusal }
        return known.household
    }

    /// Returns the record of a token, which is valid for the requestor that it was issued to.
    private func record(of token: String) throws(SandboxRefusal) -> ServiceTokenRecord {
        let found = state.find { tables, now in
            tables.households.tokens.entry(token, at: now).map { record in
                (record, tables.households.households[ExactText(record.household)]?.requestorID)
            }
        }
        guard let (record, owner) = found else {
            throw (isOurs(token) ? HouseholdRefusal.endedToken : .invalidToken).refusal
        }
        guard owner == requestorID else { throw HouseholdRefusal.invalidToken.refusal }
        return record
    }

    private func shownToken(orElse missing: HouseholdRefusal) throws(SandboxRefusal) -> String {
        guard let text = request.header("AD-Service-Token"), !text.isEmpty else { throw missing.refusal }
        return text
    }

    // MARK: - The device

    private var deviceID: String? { RESTv2Call.identifier(request.header("AP-Device-Identifier")) }

    /// The texts of the device's description, because a list of devices contains nothing else of it.
    private var info: [String: MetadataValue]? {
        request.header("X-Device-Info").flatMap { Data(base64Encoded: $0) }
            .flatMap { try? UntrustedJSON.read([String: MetadataValue].self, from: $0, .small) }?
            .filter { $0.value.stringValue != nil }
    }

    /// The issuer that the tokens name.
    static let issuer = "ssoservicetoken"
    /// The time in seconds for which the wrong codes of a device are remembered: ten minutes.
    private static let triesLast = 600

    /// The claims of a service token (single sign-on service, step 2), with an id that makes the text of each token
    /// unique.
    private struct Claims: Codable {
        var iss: String
        var sub: String
        var nbf: Double
        var exp: Double
        var iat: Double
        var jti: String
    }
}

extension HouseholdRecord.Device {
    /// The device in the form in which the list contains it.
    var json: MetadataValue {
        func text(_ name: String) -> MetadataValue? { info[name]?.stringValue.map { .string($0) } }
        return .members([
            "deviceType": text("primaryHardwareType"), "model": text("model"), "os": text("osName"),
            "osVersion": text("osVersion"), "lastSeen": .milliseconds(lastSeen),
            "type": isLinked ? "sso" : "regular",
        ])
    }
}

extension SandboxState {
    /// Creates a link code of six digits, with which another device joins a household.
    func linkCode(
        of household: String, _ requestorID: RequestorID, lifetime: Int
    ) -> (text: String, expires: Date) {
        withTables { tables, now in
            let expires = now.addingTimeInterval(TimeInterval(lifetime))
            while true {
                let text = "\(Int.random(in: 100_000...999_999))"
                let key = Self.key(requestorID.text, text)
                guard tables.households.codes.entry(key, at: now) == nil else { continue }
                let record = LinkCodeRecord(
                    text: text, household: household, requestorID: requestorID, expires: expires)
                // The code is stored for a day longer than it is valid, so that the service can tell an old code from
                // one that never existed.
                tables.households.codes.set(record, key, until: expires.addingTimeInterval(86_400), at: now)
                return (text, expires)
            }
        }
    }
}
