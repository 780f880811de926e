import Foundation
public import TVEModels

/// The vendor's single sign-on service, with which the devices of a household share one login (premium, revision 1.0.0).
///
/// It gives out service tokens, which REST API v2 takes as proof of a login that another device has made. Every call is
/// one exchange, or a few when the access token has ended, and may be made from any task. A session that was made for REST
/// API v2 has one of its own, which also keeps the token.
public struct HouseholdService: Sendable {
    private let service: RESTv2Service
    private let requestorID: RequestorID

    /// Makes the service for a requestor; nothing is sent before the first call.
    ///
    /// - Parameters:
    ///   - service: the service of REST API v2 beside which it lives, and whose access token it uses.
    ///   - requestorID: the requestor. Its devices, codes and tokens are its own.
    public init(_ service: RESTv2Service, requestorID: RequestorID) {
        self.service = service
        self.requestorID = requestorID
    }

    // MARK: - Tokens

    /// Obtains a token for an account of the programmer.
    ///
    /// - Parameter account: the id of the account at the programmer's own login, which is the same on all its devices.
    /// - Returns: the token.
    /// - Throws: ``HouseholdError``.
    public func token(forAccount account: String) async throws(HouseholdError) -> ServiceToken {
        try await token(.serviceToken(of: requestorID, account: account), about: .nothing)
    }

    /// Obtains a token for the household of a link code, which is used up by it.
    ///
    /// - Parameter code: the code that another device of the household shows.
    /// - Returns: the token.
    /// - Throws: ``HouseholdError``: also `.codeUnknown` and `.codeEnded`.
    public func token(joiningWith code: LinkCode) async throws(HouseholdError) -> ServiceToken {
        try await token(.serviceToken(of: requestorID, code: code.text), about: .code)
    }

    /// Renews a token, also one that has ended recently.
    ///
    /// - Parameter token: the last token.
    /// - Returns: a fresh token of the same household.
    /// - Throws: ``HouseholdError``: also `.tokenEnded` and `.tokenRefused`.
    public func renewed(_ token: ServiceToken) async throws(HouseholdError) -> ServiceToken {
        try await self.token(.renewServiceToken(of: requestorID, token.value), about: .token)
    }

    private func token(_ request: RESTv2Request, about subject: Subject) async throws(HouseholdError) -> ServiceToken {
        let grant = try await ask(HouseholdGrant.self, request, about: subject)
        let lifetime = grant.lifetime ?? JWSClaims(grant.text)?.lifetime ?? Self.usualTokenLifetime
        // By our own clock: a device whose clock is wrong must not renew its token with each call.
        return ServiceToken(value: grant.text, expires: service.now().addingTimeInterval(lifetime))
    }

    // MARK: - Devices

    /// Makes a code with which another device joins the household.
    ///
    /// - Parameter token: a valid token of this device.
    /// - Returns: the code, to be shown at once.
    /// - Throws: ``HouseholdError``: also `.tokenEnded` and `.tokenRefused`.
    public func linkCode(_ token: ServiceToken) async throws(HouseholdError) -> LinkCode {
        let grant = try await ask(HouseholdGrant.self, .link(of: requestorID, token.value), about: .token)
        let lifetime = grant.lifetime ?? Self.shortestCodeLifetime
        return LinkCode(grant.text, expires: service.now().addingTimeInterval(lifetime))
    }

    /// Lists the devices of the household.
    ///
    /// - Parameter token: a valid token of this device.
    /// - Returns: the devices, the one that was seen last first; none for a household of which no other device is known.
    /// - Throws: ``HouseholdError``: also `.tokenEnded` and `.tokenRefused`.
    public func devices(_ token: ServiceToken) async throws(HouseholdError) -> [HouseholdDevice] {
        let answer = try await ask(
            HouseholdDevicesAnswer.self, .householdDevices(of: requestorID, token.value), about: .token)
        return answer.devices.sorted {
            ($0.lastSeen ?? .distantPast, $1.id) > ($1.lastSeen ?? .distantPast, $0.id)
        }
    }

    /// Removes devices from the household.
    ///
    /// - Parameters:
    ///   - devices: the ids of the devices; none does nothing.
    ///   - token: a valid token of this device.
    /// - Returns: which devices were unlinked, and which were not.
    /// - Throws: ``HouseholdError``: also `.tokenEnded` and `.tokenRefused`.
    public func unlink(
        _ devices: [HouseholdDevice.ID], _ token: ServiceToken
    ) async throws(HouseholdError) -> UnlinkedDevices {
        guard !devices.isEmpty else { return UnlinkedDevices(unlinked: [], remaining: []) }
        let answer = try await ask(
            UnlinkAnswer.self, .unlink(of: requestorID, devices, token.value), about: .token)
        let unlinked = Set(answer.unlinked.map { ExactText($0) })
        return UnlinkedDevices(
            unlinked: devices.filter { unlinked.contains(ExactText($0)) },
            remaining: devices.filter { !unlinked.contains(ExactText($0)) })
    }

    /// The id by which the service knows this device.
    public var deviceID: HouseholdDevice.ID { service.householdDeviceID }

    // MARK: - Errors

    /// What a request shows to the service, and what an error of the answer can be about.
    fileprivate enum Subject {
        case nothing, code, token
    }

    private func ask<Answer: JSONReadable>(
        _ type: Answer.Type, _ request: RESTv2Request, about subject: Subject
    ) async throws(HouseholdError) -> Answer {
        do throws(ServiceError) {
            return try await service.ask(type, request)
        } catch {
            throw HouseholdError(error, subject)
        }
    }

    /// An hour, as in the documents' samples.
    private static let usualTokenLifetime: TimeInterval = 3_600
    /// Five minutes, the shortest time in the documents.
    private static let shortestCodeLifetime: TimeInterval = 300
}

extension HouseholdError {
    fileprivate init(_ error: ServiceError, _ subject: HouseholdService.Subject) {
        switch error {
        case .status(429): self = .throttled
        // Nothing is there, or it is closed to this application.
        case .status(403), .status(404), .status(405): self = .notOffered
        case .accessTokenRefused("unauthorized"): self = .notOffered
        case .refused(let refusal):
            switch (refusal.code ?? "", subject) {
            case ("token_expired", .token): self = .tokenEnded
            case ("token_expired", .code): self = .codeEnded
            case ("token_invalid", .token), ("header_invalid", .token): self = .tokenRefused
            case ("token_invalid", .code), ("header_invalid", .code): self = .codeUnknown
            case ("unauthorized", _): self = .notOffered
            default: self = refusal.status == 429 ? .throttled : .service(error)
            }
        default: self = .service(error)
        }
    }
}
