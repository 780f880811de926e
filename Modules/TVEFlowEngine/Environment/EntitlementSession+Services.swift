import Crypto
import Foundation
import TVEDeviceBinding
public import TVEModels
public import TVENetworking
public import TVEStorage
import TVETokenCodec

extension EntitlementSession {
    /// Makes a session.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor to work for.
    ///   - softwareStatement: the application's statement, a JWT; each dialect needs its own.
    ///   - serviceProviders: the endpoints of the services. Several are asked at once, and the fastest that knows a
    ///     provider serves that provider.
    ///   - service: the wire dialect; nil takes the one that the application is registered for, and registers it first if
    ///     it is not registered yet.
    ///   - environment: storage, transport, clock, device.
    ///   - observer: called with every event in order, inside the call that causes it; it must be short.
    /// - Throws: `TVEError.storageFailed` when the device has no id of its own and a random one could not be stored;
    ///   without a dialect also what the registration of ``start(using:)`` throws.
    public init(
        requestorID: RequestorID, softwareStatement: String, serviceProviders: [ServiceProvider],
        service: ServiceDialect? = nil, environment: SessionEnvironment,
        observer: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) async throws(TVEError) {
        try await self.init(
            requestorID: requestorID, softwareStatement: softwareStatement, serviceProviders: serviceProviders,
            service: service, environment: environment, earlierCheck: nil, observer: observer)
    }

    /// Makes the session after a check that the app requested before there was a session.
    ///
    /// - Parameter earlierCheck: the result of ``SessionEnvironment/checkStore()``; nil lets the session check by
    ///   itself.
    package init(
        requestorID: RequestorID, softwareStatement: String, serviceProviders: [ServiceProvider],
        service: ServiceDialect?, environment: SessionEnvironment, earlierCheck: IntegrityReport?,
        observer: @escaping @Sendable (SessionEvent) -> Void
    ) async throws(TVEError) {
        let installation = InstallationStore(backend: environment.storage)
        // Before anything else is read: damaged data must not prevent the session. If the device's own random text
        // cannot be read, the device gets a new identity, and the service knows no login of it.
        let known = try await environment.knownIdentity()
        let kept = service ?? Self.keptDialect(softwareStatement, serviceProviders, installation)
        let requestorIDs = kept == .restV2 ? [requestorID] : []
        let report =
            earlierCheck
            ?? environment.checkedStore(fingerprint: known?.fingerprint.hexadecimal ?? "", loggingOut: requestorIDs)
        let device = if let known { known } else { try environment.madeIdentity() }
        let store = EntitlementStore(
            backend: environment.storage, reader: .codec.rememberingLast, fingerprint: device.fingerprint.hexadecimal)
        if earlierCheck?.outcome == .cleared, !requestorIDs.isEmpty {
            // The requestor was not known during the check, and its service may keep a login that the store does not
            // mention.
            do throws(StorageError) {
                try store.change { entitlements throws(StorageError) in
                    try entitlements.endEveryLogin(of: requestorIDs)
                }
            } catch {
                throw TVEError(error)
            }
        }
        let clock = environment.clock
        // One pacer for all services: the throttle counts by client address.
        let transport = PacedTransport(next: environment.transport, now: clock.now, sleep: clock.sleep)
        let client = Self.client(device, environment)
        let dialect =
            if let kept { kept } else {
                try await Self.registeredDialect(
                    softwareStatement, serviceProviders, client, installation, transport, environment)
            }
        let platformProof = PlatformProof(environment.platform, clock)
        let listeners = SessionEvents(observer: observer)
        let proofs = Self.proofs(environment, platformProof)
        var services = serviceProviders.map { provider in
            Self.service(
                dialect, provider, softwareStatement, device, client, proofs, installation, transport, environment)
        }
        // One household for all services: the first one keeps it.
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
                ) { Self.registeredRedirectURLs(softwareStatement, serviceProviders, installation) },
                activationURL: environment.activationURL, platform: environment.platform,
                platformProof: platformProof, household: household, sinks: environment.trackingSinks,
                listeners: listeners),
            checked: report)
    }

    // MARK: - Dialects

    /// The dialect of a stored registration; nil if there is none.
    ///
    /// Registrations of earlier versions say nothing about it. They were made for the classic services unless the app
    /// named the other dialect, as it must go on doing: a new registration would log the viewer out.
    private static func keptDialect(
        _ statement: String, _ providers: [ServiceProvider], _ installation: InstallationStore
    ) -> ServiceDialect? {
        kept(statement, providers, installation).first.map { $0.dialect ?? .classic }
    }

    /// The stored registrations, in the order of the services.
    private static func kept(
        _ statement: String, _ providers: [ServiceProvider], _ installation: InstallationStore
    ) -> [RegisteredApplication] {
        // Not lazily: a lazy sequence reads the store twice, and a store may answer once.
        providers.compactMap { provider in
            (try? RegistrationKeeper.store(installation, applicationID(statement, provider)).load()) ?? nil
        }
    }

    /// The redirects that are registered for the application; nil if that is not known.
    private static func registeredRedirectURLs(
        _ statement: String, _ providers: [ServiceProvider], _ installation: InstallationStore
    ) -> [URL]? {
        kept(statement, providers, installation).first { $0.redirectURLs != nil }?.redirectURLs?
            .compactMap { URL(string: $0) }.filter { $0.scheme != nil }
    }

    /// Registers the application with the first service that answers, and returns its dialect.
    private static func registeredDialect(
        _ statement: String, _ providers: [ServiceProvider], _ client: ClientDescription,
        _ installation: InstallationStore, _ transport: any HTTPTransport, _ environment: SessionEnvironment
    ) async throws(TVEError) -> ServiceDialect {
        var failure: TVEError?
        for provider in providers {
            let registration = registration(statement, provider, client, installation, transport, environment)
            do throws(ServiceError) {
                return try await registration.application().dialect ?? .classic
            } catch {
                // The failure of the first service in the app's order matters most.
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
        _ statement: String, _ provider: ServiceProvider, _ client: ClientDescription,
        _ installation: InstallationStore, _ transport: any HTTPTransport, _ environment: SessionEnvironment
    ) -> ApplicationRegistration {
        ApplicationRegistration(
            softwareStatement: statement, provider: provider, transport: transport,
            keeper: .store(installation, applicationID(statement, provider)),
            redirectURL: environment.registeredRedirectURL,
            deviceInfo: client.encodedDeviceInfo(adding: environment.options().deviceInfo),
            now: environment.clock.now)
    }

    /// The proofs of logins; an app or a platform that does not answer keeps no request back for long.
    private static func proofs(_ environment: SessionEnvironment, _ platform: PlatformProof) -> LoginProofs {
        let clock = environment.clock
        return LoginProofs(
            serviceToken: { [serviceToken = environment.serviceToken] in
                guard let serviceToken else { return nil }
                return await clock.run(atMost: .seconds(5)) { await serviceToken() } ?? nil
            }, platformStatus: { await platform.status() })
    }

    private static func service(
        _ dialect: ServiceDialect, _ provider: ServiceProvider, _ softwareStatement: String, _ device: DeviceIdentity,
        _ client: ClientDescription, _ proofs: LoginProofs, _ installation: InstallationStore,
        _ transport: any HTTPTransport, _ environment: SessionEnvironment
    ) -> any EntitlementService {
        let (now, options) = (environment.clock.now, environment.options)
        let registration = registration(softwareStatement, provider, client, installation, transport, environment)
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

    /// Names the registration of one statement at one service, without the statement itself.
    private static func applicationID(_ statement: String, _ provider: ServiceProvider) -> String {
        SHA256.hash(data: Data("\(provider.root.absoluteString)\n\(statement)".utf8)).hexadecimal
    }
}

extension SessionEnvironment {
    /// Checks the storage as the housekeeping requests, before there is a session.
    ///
    /// - Returns: what was found and done; nil when no check is requested, or the storage could not be used.
    package func checkStore() async -> IntegrityReport? {
        guard housekeeping.integrityCheck != .none else { return nil }
        do throws(TVEError) {
            let known = try await knownIdentity()
            return checkedStore(fingerprint: known?.fingerprint.hexadecimal ?? "", loggingOut: [])
        } catch {
            return nil
        }
    }

    /// Checks the whole store, if the housekeeping requests it; nil when the store could not be read.
    fileprivate func checkedStore(fingerprint: String, loggingOut requestorIDs: [RequestorID]) -> IntegrityReport? {
        guard housekeeping.integrityCheck != .none else { return nil }
        let report = EntitlementStore(backend: storage, reader: .codec, fingerprint: fingerprint)
            .check(housekeeping.integrityCheck, loggingOut: requestorIDs)
        if case .unavailable = report.outcome { return nil }
        return report
    }

    /// The store of what identifies the device.
    private var identity: InstallationStore { InstallationStore(backend: identityStorage ?? storage) }

    /// The given device, else the first id that the system had, else the stored random text; nil when there is none.
    fileprivate func knownIdentity() async throws(TVEError) -> DeviceIdentity? {
        if let device { return device }
        let system = await systemIdentity()
        // A machine's id stays, and must not come along with a copied store. Apple's may be another one after a new
        // installation.
        if case .known(let device, isForGood: true) = system { return device }
        do throws(StorageError) {
            if let kept = try identity.keptDeviceID() { return DeviceIdentity(deviceID: kept) }
            switch system {
            case .known(let device, _):
                _ = try? identity.keepFirstDeviceID(device.deviceID)
                return device
            // Another id, made now, would log the viewer out for good.
            case .notYetKnown: throw .locked
            case .missing:
                return try identity.knownDeviceSeed().map { DeviceIdentity(DeviceSeed($0, .stored), app: app) }
            }
        } catch {
            // Only before the first unlock is it certain that another id is kept.
            if case .known(let device, _) = system, error != .locked { return device }
            // The check finds errors that last.
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

    /// A device made from a random text, which is stored.
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
    /// Reads stored tokens with the codec, and the copies that the other dialect stores in their place.
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
    /// A registration that cannot be read is made again.
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
