import Foundation
public import TVEModels

/// The vendor's single sign-on service, with which the devices of a household share one login.
///
/// The service is a premium feature (revision 1.0.0). It issues service tokens, which REST API v2 accepts as proof of a
/// login on another device. Every call sends one request, or a few if the access token has expired. All calls may be
/// made from any task. A session for REST API v2 has a household service of its own, which also stores the token.
public struct HouseholdService: Sendable {
    private let service: RESTv2Service
    private let requestorID: RequestorID

    /// Creates the service for a requestor.
    ///
    /// It sends nothing before the first call.
    ///
    /// - Parameters:
    ///   - service: the REST API v2 service that supplies the access tokens.
    ///   - requestorID: the requestor. Devices, codes and tokens of one requestor are not valid for another.
    public init(_ service: RESTv2Service, requestorID: RequestorID) {
        self.service = service
        self.requestorID = requestorID
    }

    // MARK: - Tokens

    /// Requests a token for an account of the programmer.
    ///
    /// - Parameter account: the id of the account in the programmer's own login, which is the same on all devices of
    ///   the account. An empty id is refused without a request.
    /// - Returns: the token.
    /// - Throws: ``HouseholdError``.
    public func token(forAccount account: String) async throws(HouseholdError) -> ServiceToken {
        try await token(.serviceToken(of: requestorID, account: account), about: .nothing)
    }

    /// Requests a token for the household of a link code, which can be used only once.
    ///
    /// - Parameter code: the code that another device of the household shows.
    /// - Returns: the token.
    /// - Throws: ``HouseholdError``, including `.codeUnknown` and `.codeEnded`.
    public func token(joiningWith code: LinkCode) async throws(HouseholdError) -> ServiceToken {
        try await token(.serviceToken(of: requestorID, code: code.text), about: .code)
    }

    /// Renews a token, which may have expired recently.
    ///
    /// - Parameter token: the current token.
    /// - Returns: a new token of the same household.
    /// - Throws: ``HouseholdError``, including `.tokenEnded` and `.tokenRefused`.
    public func renewed(_ token: ServiceToken) async throws(HouseholdError) -> ServiceToken {
        try await self.token(.renewServiceToken(of: requestorID, token.value), about: .token)
    }

    private func token(_ request: RESTv2Request, about subject: Subject) async throws(HouseholdError) -> ServiceToken {
        let grant = try await fetch(ServiceTokenAnswer.self, request, about: subject)
        let lifetime = grant.lifetime ?? JWSClaims(grant.text)?.lifetime ?? Self.usualTokenLifetime
        // The expiry is computed by the clock of this device. If the clock is wrong, the device must not renew its
        // token with every call.
        return ServiceToken(
            value: grant.text, expires: service.now().addingTimeInterval(min(lifetime, Self.longestLifetime)))
    }

    // MARK: - Devices

    /// Requests a code with which another device joins the household.
    ///
    /// - Parameter token: a valid token of this device.
    /// - Returns: the code, which should be shown at once.
    /// - Throws: ``HouseholdError``, including `.tokenEnded` and `.tokenRefused`.
    public func linkCode(_ token: ServiceToken) async throws(HouseholdError) -> LinkCode {
        let grant = try await fetch(LinkAnswer.self, .link(of: requestorID, token.value), about: .token)
        let lifetime = grant.lifetime ?? Self.shortestCodeLifetime
        return LinkCode(grant.text, expires: service.now().addingTimeInterval(min(lifetime, Self.longestLifetime)))
    }

    /// Requests the devices of the household.
    ///
    /// - Parameter token: a valid token of this device.
    /// - Returns: the devices, with the most recently seen one first. The list is empty if the service knows no devices
    ///   of the household.
    /// - Throws: ``HouseholdError``, including `.tokenEnded` and `.tokenRefused`.
    public func devices(_ token: ServiceToken) async throws(HouseholdError) -> [HouseholdDevice] {
        let answer = try await fetch(
            HouseholdDevicesAnswer.self, .householdDevices(of: requestorID, token.value), about: .token)
        return answer.devices.sorted {
            ($0.lastSeen ?? .distantPast, $1.id) > ($1.lastSeen ?? .distantPast, $0.id)
        }
    }

    /// Removes devices from the household.
    ///
    /// - Parameters:
    ///   - devices: the ids of the devices. If there are none, no request is sent.
    ///   - token: a valid token of this device.
    /// - Returns: the ids of the devices that were unlinked and of those that were not.
    /// - Throws: ``HouseholdError``, including `.tokenEnded` and `.tokenRefused`.
    public func unlink(
        _ devices: [HouseholdDevice.ID], _ token: ServiceToken
    ) async throws(HouseholdError) -> UnlinkedDevices {
        guard !devices.isEmpty else { return UnlinkedDevices(unlinked: [], remaining: []) }
        let answer = try await fetch(
            UnlinkAnswer.self, .unlink(of: requestorID, devices, token.value), about: .token)
        let unlinked = Set(answer.unlinked.map { ExactText($0) })
        return UnlinkedDevices(
            unlinked: devices.filter { unlinked.contains(ExactText($0)) },
            remaining: devices.filter { !unlinked.contains(ExactText($0)) })
    }

    /// The id by which the service knows this device.
    public var deviceID: HouseholdDevice.ID { service.client.deviceID }

    // MARK: - Errors

    /// The value that a request presents to the service, which decides what an error of the answer means.
    fileprivate enum Subject {
        case nothing, code, token
    }

    private func fetch<Answer: JSONReadable>(
        _ type: Answer.Type, _ request: RESTv2Request, about subject: Subject
    ) async throws(HouseholdError) -> Answer {
        do throws(ServiceError) {
            return try await service.fetch(type, request)
        } catch {
            throw HouseholdError(error, subject)
        }
    }

    /// The lifetime of a token for which the service states none: one hour, as in the vendor's samples.
    private static let usualTokenLifetime: TimeInterval = 3_600
    /// The lifetime of a code for which the service states none: five minutes, the shortest in the vendor's documents.
    private static let shortestCodeLifetime: TimeInterval = 300
    /// The longest lifetime that an answer of the service can have: one year.
    ///
    /// Every token is renewed long before that.
    private static let longestLifetime: TimeInterval = 31_536_000
}

extension HouseholdError {
    fileprivate init(_ error: ServiceError, _ subject: HouseholdService.Subject) {
        switch error {
        case .status(429): self = .throttled
        // The service does not exist at this address, or it is closed to this application.
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
