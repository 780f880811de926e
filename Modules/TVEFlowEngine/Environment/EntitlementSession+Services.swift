import Crypto
import Foundation
import TVEDeviceBinding
public import TVEModels
public import TVENetworking
public import TVEStorage
import TVETokenCodec

extension EntitlementSession {
    /// Creates a session.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor whose entitlements the session manages.
    ///   - softwareStatement: the application's software statement, a JWT. Each dialect needs its own statement.
    ///   - serviceProviders: the endpoints of the services. The session sends requests to all of them at the same time,
    ///     and a provider is served by the fastest service that knows it.
    ///   - service: the wire dialect. Pass `nil` to use the dialect for which the application is registered; an
    ///     application that is not registered yet is registered first.
    ///   - environment: the storage, transport, clock and device of the session.
    ///   - observer: a closure that receives every event in order, during the call that causes it. It must return
    ///     quickly.
    /// - Throws: `TVEError.storageFailed` if the device has no identifier of its own and a random one could not be
    ///   stored. Without a dialect, also the errors that the registration in ``start(using:)`` throws.
    public init(
        requestorID: RequestorID, softwareStatement: String, serviceProviders: [ServiceProvider],
        service: ServiceDialect? = nil, environment: SessionEnvironment,
        observer: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) async throws(TVEError) {
        try await self.init(
            requestorID: requestorID, softwareStatement: softwareStatement, serviceProviders: serviceProviders,
            service: service, environment: environment, earlierCheck: nil, observer: observer)
    }

    /// Creates a session, using the result of a check that the app requested before the session existed.
    ///
    /// - Parameter earlierCheck: the result of ``SessionEnvironment/checkStore()``. Pass `nil` to let the session check
    ///   the store itself.
    package init(
        requestorID: RequestorID, softwareStatement: String, serviceProviders: [ServiceProvider],
        service: ServiceDialect?, environment: SessionEnvironment, earlierCheck: IntegrityReport?,
        observer: @escaping @Sendable (SessionEvent) -> Void
    ) async throws(TVEError) {
        let installation = InstallationStore(backend: environment.storage)
        // The identity is read before everything else, because damaged data must not prevent the session. If the
        // device's stored random text cannot be read, the device gets a new identity, for which the service has no
        // login.
        let known = try await environment.knownIdentity()
        let kept = service ?? Self.keptDialect(of: softwareStatement, at: serviceProviders, in: installation)
        let requestorIDs = kept == .restV2 ? [requestorID] : []
        let report =
            earlierCheck
            ?? environment.checkedStore(fingerprint: known?.fingerprint.hexadecimal ?? "", loggingOut: requestorIDs)
        let device = if let known { known } else { try environment.madeIdentity() }
        let store = EntitlementStore(
            backend: environment.storage, reader: .codec.rememberingLast, fingerprint: device.fingerprint.hexadecimal)
        if earlierCheck?.outcome == .cleared, !requestorIDs.isEmpty {
            // The requestor was not known during the check, and its service may have a login that the store does not
            // contain.
            do throws(StorageError) {
                try store.change { entitlements throws(StorageError) in
                    try entitlements.endEveryLogin(of: requestorIDs)
                }
            } catch {
                throw TVEError(error)
            }
        }
        let clock = environment.clock
        // All services share one pacer, because the service throttles by client address.
        let transport = PacedTransport(next: environment.transport, now: clock.now, sleep: clock.sleep)
        let client = Self.client(device, environment)
        let dialect =
            if let kept { kept } else {
                try await Self.registeredDialect(
                    of: softwareStatement, at: serviceProviders, for: client, in: installation, over: transport,
                    environment)
            }
        let platformProof = PlatformProof(environment.platform, clock)
        let listeners = SessionEvents(observer: observer)
        let proofs = Self.proofs(environment, platformProof)
        var services = serviceProviders.map { provider in
            Self.service(
                dialect, at: provider, statement: softwareStatement, device: device, client: client, proofs: proofs,
                in: installation, over: transport, environment)
        }
        // All services share one household, which the first service maintains.
        let household = (services.first as? RESTv2Service).map { service in
            Household(
                HouseholdService(service, requestorID: requestorID), store: installation, requestorID: requestorID,
                fingerprint: device.fingerprint.hexadecimal, clock: clock, isOpen: { listeners.isOpen })
        }
        if let household {
            services = services.map { service in
                (service as? RESTv2Service)?.proving { await household.proof(isRenewed: $0) } ?? service
            }
        }
        self.init(
            SessionParts(
                requestorID: requestorID, services: services, store: store, device: device, clock: clock,
                housekeeping: environment.housekeeping, loginStyle: environment.loginStyle,
                loginBrowser: environment.loginBrowser, systemBrowserProviders: environment.systemBrowserProviders,
                redirects: LoginRedirects(
                    named: environment.safariRedirectURL ?? SoftwareStatement(softwareStatement).ownRedirectURL,
                    usual: environment.redirectURL
                ) { Self.registeredRedirectURLs(of: softwareStatement, at: serviceProviders, in: installation) },
                activationURL: environment.activationURL, platform: environment.platform,
                platformProof: platformProof, household: household, sinks: environment.trackingSinks,
                listeners: listeners),
            checked: report)
    }

    // MARK: - Dialects

    /// Returns the dialect of the stored registration, or `nil` if there is none.
    ///
    /// Registrations of earlier versions of the library do not name a dialect. They belong to the classic services
    /// unless the app names the other dialect, as such an app must continue to do: a new registration would log the
    /// viewer out.
    private static func keptDialect(
        of statement: String, at providers: [ServiceProvider], in installation: InstallationStore
    ) -> ServiceDialect? {
        kept(of: statement, at: providers, in: installation).first.map { $0.dialect ?? .classic }
    }

    /// Returns the stored registrations in the order of the services.
    private static func kept(
        of statement: String, at providers: [ServiceProvider], in installation: InstallationStore
    ) -> [RegisteredApplication] {
        // The sequence is not lazy: a lazy sequence would read the store twice, and the two results could differ.
        providers.compactMap { provider in
            (try? RegistrationKeeper.store(installation, applicationID(statement, provider)).load()) ?? nil
        }
    }

    /// Returns the redirects that are registered for the application, or `nil` if they are not known.
    private static func registeredRedirectURLs(
        of statement: String, at providers: [ServiceProvider], in installation: InstallationStore
    ) -> [URL]? {
        kept(of: statement, at: providers, in: installation).first { $0.redirectURLs != nil }?.redirectURLs?
            .compactMap { URL(string: $0) }.filter { $0.scheme != nil }
    }

    /// Registers the application with the first service that answers, and returns its dialect.
    private static func registeredDialect(
        of statement: String, at providers: [ServiceProvider], for client: ClientDescription,
        in installation: InstallationStore, over transport: any HTTPTransport, _ environment: SessionEnvironment
    ) async throws(TVEError) -> ServiceDialect {
        var failure: TVEError?
        for provider in providers {
            let registration = registration(
                of: statement, at: provider, for: client, in: installation, over: transport, environment)
            do throws(ServiceError) {
                return try await registration.application().dialect ?? .classic
            } catch {
                // The caller sees the failure of the first service in the app's order.
                failure = failure ?? TVEError(error, during: .start)
            }
        }
        throw failure ?? .noService
    }

    // MARK: - Services

    private static func client(
        _ device: DeviceIdentity, _ environment: SessionEnvironment
    ) -> ClientDescription {
        ClientDescription(
            deviceID: device.deviceID, deviceInfo: environment.deviceInformation, connection: environment.connection,
            clientType: DeviceFacts.clientType, clientVersion: DeviceFacts.libraryVersion,
            redirectURL: environment.redirectURL)
    }

    private static func registration(
        of statement: String, at provider: ServiceProvider, for client: ClientDescription,
        in installation: InstallationStore, over transport: any HTTPTransport, _ environment: SessionEnvironment
    ) -> ApplicationRegistration {
        ApplicationRegistration(
            softwareStatement: statement, provider: provider, transport: transport,
            keeper: .store(installation, applicationID(statement, provider)),
            redirectURL: environment.registeredRedirectURL,
            deviceInfo: client.encodedDeviceInfo(adding: environment.options().deviceInfo),
            now: environment.clock.now)
    }

    /// Returns the sources of the proofs of logins.
    ///
    /// A time limit keeps an app or a platform that does not answer from delaying requests.
    private static func proofs(_ environment: SessionEnvironment, _ platform: PlatformProof) -> LoginProofs {
        let clock = environment.clock
        return LoginProofs(
            serviceToken: { [serviceToken = environment.serviceToken] in
                guard let serviceToken else { return nil }
                return await clock.run(atMost: .seconds(5)) { await serviceToken() } ?? nil
            }, platformStatus: { await platform.status() })
    }

    private static func service(
        _ dialect: ServiceDialect, at provider: ServiceProvider, statement: String, device: DeviceIdentity,
        client: ClientDescription, proofs: LoginProofs, in installation: InstallationStore,
        over transport: any HTTPTransport, _ environment: SessionEnvironment
    ) -> any EntitlementService {
        let now = environment.clock.now
        let options = environment.options
        let registration = registration(
            of: statement, at: provider, for: client, in: installation, over: transport, environment)
        switch dialect {
        case .classic:
            return ClassicXMLService(
                provider: provider, client: client, registration: registration,
                transport: OptionsTransport(next: transport, options: options), options: options, now: now)
        case .restV2:
            return RESTv2Service(
                provider: provider, client: client, fingerprint: device.fingerprint.hexadecimal,
                registration: registration, transport: transport, options: options, proofs: proofs, now: now,
                sleep: environment.clock.sleep)
        }
    }

    /// Returns the key under which the registration of a statement at a service is stored.
    ///
    /// The key does not reveal the statement.
    private static func applicationID(_ statement: String, _ provider: ServiceProvider) -> String {
        SHA256.hash(data: Data("\(provider.root.absoluteString)\n\(statement)".utf8)).hexadecimal
    }
}

extension SessionEnvironment {
    /// Checks the store as ``housekeeping`` specifies, before a session exists.
    ///
    /// - Returns: a report of the findings and repairs, or `nil` if no check is requested or the storage could not be
    ///   used.
    package func checkStore() async -> IntegrityReport? {
        guard housekeeping.integrityCheck != .none else { return nil }
        do throws(TVEError) {
            let known = try await knownIdentity()
            return checkedStore(fingerprint: known?.fingerprint.hexadecimal ?? "", loggingOut: [])
        } catch {
            return nil
        }
    }

    /// Checks the whole store if ``housekeeping`` requests it.
    ///
    /// Returns `nil` if the store could not be read.
    fileprivate func checkedStore(fingerprint: String, loggingOut requestorIDs: [RequestorID]) -> IntegrityReport? {
        guard housekeeping.integrityCheck != .none else { return nil }
        let report = EntitlementStore(backend: storage, reader: .codec, fingerprint: fingerprint)
            .check(housekeeping.integrityCheck, loggingOut: requestorIDs)
        if case .unavailable = report.outcome { return nil }
        return report
    }

    /// The store that holds the device's identifier.
    private var identity: InstallationStore { InstallationStore(backend: identityStorage ?? storage) }

    /// Returns the identity that the app set, else the first identifier that the system reported, else the identity
    /// from the stored random text.
    ///
    /// Returns `nil` if there is none of these.
    fileprivate func knownIdentity() async throws(TVEError) -> DeviceIdentity? {
        if let device { return device }
        let system = await systemIdentity()
        // A machine's identifier is permanent and must not be copied with a store to another machine. Apple's
        // identifier for the vendor can change after a reinstallation.
        if case .known(let device, isForGood: true) = system { return device }
        do throws(StorageError) {
            if let kept = try identity.keptDeviceID() { return DeviceIdentity(deviceID: kept) }
            switch system {
            case .known(let device, _):
                _ = try? identity.keepFirstDeviceID(device.deviceID)
                return device
            // A different identifier, created now, would log the viewer out permanently.
            case .notYetKnown: throw .locked
            case .missing:
                return try identity.knownDeviceSeed().map { DeviceIdentity(DeviceSeed($0, .stored), app: app) }
            }
        } catch {
            // Only the error `locked`, before the first unlock of the device, means that another identifier is
            // certainly stored.
            if case .known(let device, _) = system, error != .locked { return device }
            // The integrity check handles errors that are permanent.
            guard !error.passesByItself else { throw TVEError(error) }
            return nil
        }
    }

    private enum SystemIdentity {
        case known(DeviceIdentity, isForGood: Bool)
        case notYetKnown, missing
    }

    private func systemIdentity() async -> SystemIdentity {
        do {
            guard let seed = try await systemSeed() else { return .missing }
            return .known(DeviceIdentity(seed, app: app), isForGood: seed.generation != .vendorID)
        } catch {
            return .notYetKnown
        }
    }

    /// Returns an identity that is derived from a random text, which is stored.
    fileprivate func madeIdentity() throws(TVEError) -> DeviceIdentity {
        do throws(StorageError) {
            let seed = try identity.deviceSeed { UUID().uuidString }
            return DeviceIdentity(DeviceSeed(seed, .stored), app: app)
        } catch {
            throw TVEError(error)
        }
    }
}

extension StoredTokenReader {
    /// Decodes stored tokens with the codec, and the copies of profiles and decisions that REST API v2 stores in their
    /// place.
    public static let codec = StoredTokenReader(
        authentication: { text in
            let copy = TokenText(text)
            return copy.isCopy ? try StoredProfile.token(copy) : try TokenDecoder().authenticationToken(text)
        },
        authorization: { text in
            let copy = TokenText(text)
            return copy.isCopy ? try StoredDecision.token(copy) : try TokenDecoder().authorizationToken(text)
        },
        isRegistration: { (try? UntrustedJSON.read(RegisteredApplication.self, from: $0)) != nil })
}

extension RegistrationKeeper {
    /// Stores a registration in the installation's store.
    ///
    /// A registration that cannot be decoded is treated as missing, so the application registers again.
    fileprivate static func store(_ store: InstallationStore, _ application: String) -> RegistrationKeeper {
        RegistrationKeeper(
            load: {
                guard let kept = try store.registration(of: application) else { return nil }
                return try? UntrustedJSON.read(RegisteredApplication.self, from: kept)
            },
            save: { try store.setRegistration(JSONEncoder().encode($0), of: application) },
            saveFirst: { try store.setRegistration(JSONEncoder().encode($0), of: application) { $0 == nil } },
            replace: { clientID, registration in
                let bytes = try JSONEncoder().encode(registration)
                let kept = try store.setRegistration(bytes, of: application) { kept in
                    let known = kept.flatMap { try? UntrustedJSON.read(RegisteredApplication.self, from: $0) }
                    return known?.clientID.isSameBytes(as: clientID) == true
                }
                return kept == bytes
            })
    }
}
