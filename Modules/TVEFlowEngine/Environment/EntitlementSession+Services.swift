import Crypto
import Foundation
import TVEDeviceBinding
public import TVEModels
public import TVENetworking
public import TVEStorage
import TVETokenCodec

extension EntitlementSession {
    /// Creates a session that creates its services itself.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor that the session works for.
    ///   - softwareStatement: the application's statement, a JWT. Each dialect needs its own statement.
    ///   - serviceProviders: the endpoints of the services. Several receive the request for the configuration at the
    ///     same time, and the fastest that knows a provider serves that provider.
    ///   - service: the wire dialect. With `nil` the session uses the dialect that the application is registered for,
    ///     and registers the application first if necessary.
    ///   - environment: the storage, transport, clock and device of the session.
    ///   - observer: a closure that is called with every event in order, inside the call that causes it. It must return
    ///     quickly.
    /// - Throws: `TVEError`: `storageFailed` if the device's id cannot be read now, or if the device has no id of its
    ///   own and a random one could not be stored. Without a dialect, also the errors of the registration; see
    ///   ``start(using:)``.
    public init(
        requestorID: RequestorID, softwareStatement: String, serviceProviders: [ServiceProvider],
        service: ServiceDialect? = nil, environment: SessionEnvironment,
        observer: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) async throws(TVEError) {
        let earlierCheck = environment.earlierCheck
        let environment = environment.waitingBriefly
        let installation = InstallationStore(backend: environment.storage)
        // The whole store is checked before its entitlements are read, because damaged data must not prevent a session.
        // If the device's own random text cannot be read, the device gets a new identity, for which the service has no
        // login.
        let known = try await environment.knownIdentity()
        let registrations = StoredRegistrations(
            softwareStatement: softwareStatement, serviceProviders: serviceProviders, installation: installation)
        let knownDialect = service ?? registrations.dialect
        let requestorIDs = knownDialect == .restV2 ? [requestorID] : []
        let report = earlierCheck ?? environment.checkedStore(of: known, loggingOut: requestorIDs)
        let device = if let known { known.identity } else { try environment.madeIdentity() }
        // A stored login that seems to belong to another device may belong to this one, under an id that could not be
        // read.
        var housekeeping = environment.housekeeping
        if known?.mayHaveAnotherID == true { housekeeping.foreignTokens = .ignore }
        let store = EntitlementStore(
            backend: environment.storage, reader: .codec.rememberingLast, fingerprint: device.fingerprint.hexadecimal)
        if earlierCheck?.outcome == .cleared, !requestorIDs.isEmpty {
            // The check ran before the requestor was known. The service may have a login for it that this store does
            // not contain, so a logout of every login is recorded.
            try TVEError.storing {
                try store.change { (entitlements) throws(StorageError) in
                    try entitlements.endEveryLogin(of: requestorIDs)
                }
            }
        }
        let clock = environment.clock
        // All services share one pacer, because they throttle requests by client address.
        let pacer = PacedTransport(
            next: environment.transport, now: clock.now, sleep: clock.sleep, keeper: environment.pace)
        let factory = ServiceFactory(
            registrations: registrations, device: device, environment: environment, transport: pacer,
            client: ClientDescription(
                deviceID: device.deviceID, deviceInfo: environment.deviceInformation,
                connection: environment.connection, clientType: DeviceFacts.clientType,
                clientVersion: DeviceFacts.libraryVersion, redirectURL: environment.redirectURL))
        let dialect =
            if let knownDialect { knownDialect } else {
                try await factory.registeredDialect()
            }
        let platformProof = environment.platform.map { PlatformProof($0, clock) }
        let listeners = SessionEvents(observer: observer, answers: environment.answers)
        let proofs = factory.proofs(ofPlatform: platformProof)
        var services = serviceProviders.map { factory.service(at: $0, dialect: dialect, proofs: proofs) }
        // All services share one household, which the first service stores.
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
                housekeeping: housekeeping, loginStyle: environment.loginStyle,
                loginBrowser: environment.loginBrowser, systemBrowserProviders: environment.systemBrowserProviders,
                skipsPicker: environment.skipsPicker,
                redirects: LoginRedirects(
                    named: { environment.safariRedirectURL ?? SoftwareStatement(softwareStatement).ownRedirectURL },
                    usual: environment.redirectURL, registered: { registrations.redirectURLs }),
                activationURL: environment.activationURL, platform: environment.platform,
                platformProof: platformProof, household: household, sinks: environment.trackingSinks,
                listeners: listeners, pacer: pacer),
            checked: report)
    }
}

/// The registrations of an application at its services, as far as they are stored on this device.
private struct StoredRegistrations: Sendable {
    let softwareStatement: String
    let serviceProviders: [ServiceProvider]
    let installation: InstallationStore

    /// The dialect of a stored registration; `nil` if there is none.
    ///
    /// Registrations of earlier versions do not name a dialect. They were made for the classic services, unless the app
    /// named the other dialect. Such an app must continue to name it, because a new registration would log the viewer
    /// out.
    var dialect: ServiceDialect? { all.first.map { $0.dialect ?? .classic } }

    /// The redirects that are registered for the application; `nil` if they are not known.
    var redirectURLs: [URL]? {
        all.first { $0.redirectURLs != nil }?.redirectURLs?
            .compactMap { URL(string: $0) }.filter { $0.scheme != nil }
    }

    /// The stored registrations, in the order of the services.
    private var all: [RegisteredApplication] {
        // The sequence is not lazy: a lazy one would read the store twice, and the two results could differ.
        serviceProviders.compactMap { provider in try? keeper(at: provider).load() }
    }

    /// Returns the store of the registration at a service.
    func keeper(at provider: ServiceProvider) -> RegistrationKeeper {
        let root = provider.root.absoluteString
        let application = "\(root.lowercasedASCII)\n\(SoftwareStatement(softwareStatement).trimmed)"
        let id = Self.id(of: application)
        return RegistrationKeeper(
            stored: { [installation] in try installation.registration(of: id) },
            former: { [installation, softwareStatement] in
                // Earlier versions kept capitals and white space.
                let former = "\(root)\n\(softwareStatement)"
                return try former.isSameBytes(as: application)
                    ? nil : installation.registration(of: Self.id(of: former))
            },
            store: { [installation] in try installation.setRegistration($0, of: id, if: $1) },
            checkIsWritable: { [installation] in try installation.checkIsWritable() })
    }

    /// Returns the id of an application at a service, which does not contain the statement itself.
    ///
    /// Neither capitals in the name of the host nor white space around the statement make another application.
    private static func id(of application: String) -> String {
        SHA256.hash(data: Data(application.utf8)).hexadecimal
    }
}

/// A factory that creates the services of a session from the values that they share.
private struct ServiceFactory: Sendable {
    let registrations: StoredRegistrations
    let device: DeviceIdentity
    let environment: SessionEnvironment
    let transport: any HTTPTransport
    let client: ClientDescription

    /// Registers the application with the first service that answers, and returns its dialect.
    func registeredDialect() async throws(TVEError) -> ServiceDialect {
        var failure: TVEError?
        for provider in registrations.serviceProviders {
            do throws(ServiceError) {
                return try await registration(at: provider).application().dialect ?? .classic
            } catch {
                // The failure of the first service in the app's order matters most.
                failure = failure ?? TVEError(error, during: .start)
            }
        }
        throw failure ?? .noService
    }

    /// Creates the proofs of logins.
    ///
    /// An app or a platform that does not answer delays a request only for a short time.
    func proofs(ofPlatform platform: PlatformProof?) -> LoginProofs {
        var proofs = LoginProofs(platformStatus: { await platform?.status() })
        if let serviceToken = environment.serviceToken {
            proofs.hasTokenService = true
            proofs.serviceToken = { [clock = environment.clock] in
                await clock.run(atMost: .seconds(5)) { await serviceToken() } ?? nil
            }
        }
        return proofs
    }

    /// Creates a service in a dialect.
    func service(
        at provider: ServiceProvider, dialect: ServiceDialect, proofs: LoginProofs
    ) -> any EntitlementService {
        let now = environment.clock.now
        let options = environment.options
        let registration = registration(at: provider)
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

    private func registration(at provider: ServiceProvider) -> ApplicationRegistration {
        ApplicationRegistration(
            softwareStatement: registrations.softwareStatement, provider: provider, transport: transport,
            keeper: registrations.keeper(at: provider), redirectURL: environment.registeredRedirectURL,
            deviceInfo: client.encodedDeviceInfo(adding: environment.options().deviceInfo),
            now: environment.clock.now)
    }
}

/// The identity of this device, as far as it is known before the store is checked.
private struct KnownDevice {
    let identity: DeviceIdentity
    /// A Boolean value that indicates whether another id may be stored that could not be read.
    var mayHaveAnotherID = false
}

extension SessionEnvironment {
    /// Checks the storage as the housekeeping requests, before the session exists.
    ///
    /// - Returns: the findings and the repairs; `nil` if no check is requested, or if the storage could not be used.
    package func checkStore() async -> IntegrityReport? {
        guard housekeeping.integrityCheck != .none else { return nil }
        do throws(TVEError) {
            return checkedStore(of: try await knownIdentity(), loggingOut: [])
        } catch {
            return nil
        }
    }

    /// Checks the whole store, if the housekeeping requests it.
    ///
    /// - Returns: the report; `nil` if no check is requested, or if the store could not be read.
    fileprivate func checkedStore(of device: KnownDevice?, loggingOut requestorIDs: [RequestorID]) -> IntegrityReport? {
        guard housekeeping.integrityCheck != .none else { return nil }
        let fingerprint = device?.identity.fingerprint.hexadecimal ?? ""
        let report = EntitlementStore(backend: storage, reader: .codec, fingerprint: fingerprint)
            .check(housekeeping.integrityCheck, loggingOut: requestorIDs)
        if case .unavailable = report.outcome { return nil }
        return report
    }

    /// This environment, whose stores wait only briefly for another process.
    ///
    /// See ``EntitlementSession/longestWaitForStore``.
    fileprivate var waitingBriefly: SessionEnvironment {
        var environment = self
        let longest = EntitlementSession.longestWaitForStore
        environment.storage = BoundedWaitStorage(storage, waitingAtMost: longest)
        environment.identityStorage = identityStorage.map { BoundedWaitStorage($0, waitingAtMost: longest) }
        return environment
    }

    /// The store of the values that identify the device.
    private var identity: InstallationStore { InstallationStore(backend: identityStorage ?? storage) }

    /// Returns the identity of this device, or `nil` if there is none yet.
    ///
    /// It is the given device, or else the first id that the system had, or else the stored random text.
    fileprivate func knownIdentity() async throws(TVEError) -> KnownDevice? {
        if let device { return KnownDevice(identity: device) }
        var seed: DeviceSeed?
        var isKnownLater = false
        do {
            seed = try await systemSeed()
        } catch {
            isKnownLater = true
        }
        let system = seed.map { DeviceIdentity($0, app: app) }
        // A machine's id never changes, and must not be copied with a store. Apple's id may change after a
        // reinstallation.
        if let system, seed?.generation != .vendorID { return KnownDevice(identity: system) }
        do throws(StorageError) {
            if let kept = try identity.keptDeviceID() { return KnownDevice(identity: DeviceIdentity(deviceID: kept)) }
            if let system {
                _ = try? identity.keepFirstDeviceID(system.deviceID)
                return KnownDevice(identity: system)
            }
            // The system's id is not available yet, and a new id would log the viewer out permanently.
            if isKnownLater { throw .locked }
            return try identity.knownDeviceSeed().map { seed in
                KnownDevice(identity: DeviceIdentity(DeviceSeed(seed, .stored), app: app))
            }
        } catch {
            if let system, !error.passesByItself || Self.lasting.contains(error) {
                return KnownDevice(identity: system, mayHaveAnotherID: true)
            }
            // The stored id may be readable later and may differ from the system's id, so no session is created now.
            if system != nil || isKnownLater { throw TVEError(error) }
            // The check that follows handles a permanent error, and one that it removes by clearing the store.
            guard !error.passesByItself || isRemovedByClearing(error) else { throw TVEError(error) }
            return nil
        }
    }

    /// The errors of reading the device's first id that do not pass while the app runs: the app has no entitlement for
    /// the keychain (errSecMissingEntitlement), or the key of the store is lost.
    private static let lasting: [StorageError] = [.cannotRead(errno: -34_018), .keyMissing, .invalidKey]

    /// Returns a Boolean value that indicates whether the check that follows removes the text that could not be read.
    ///
    /// A check that clears needs no key (T-71). Without it, a lost key would keep the app from starting for good.
    private func isRemovedByClearing(_ error: StorageError) -> Bool {
        housekeeping.integrityCheck == .clear && identityStorage == nil
            && (error == .keyMissing || error == .invalidKey)
    }

    /// Creates a device from a random text, and stores the text.
    fileprivate func madeIdentity() throws(TVEError) -> DeviceIdentity {
        let seed = try TVEError.storing { try identity.deviceSeed { UUID().uuidString } }
        return DeviceIdentity(DeviceSeed(seed, .stored), app: app)
    }
}

extension StoredTokenReader {
    /// A reader that decodes stored tokens with the codec, and the copies that the other dialect stores in their place.
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
