import Crypto
import Foundation
import TVEDeviceBinding
public import TVEModels
public import TVENetworking
public import TVEStorage
import TVETokenCodec

extension EntitlementSession {
    /// Puts together a session that speaks one of the wire dialects.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor to work for.
    ///   - softwareStatement: the application's statement, a JWT; each dialect wants one of its own.
    ///   - serviceProviders: where services answer; several are asked at once, and the fastest that knows a provider is asked
    ///     about it.
    ///   - service: the wire dialect.
    ///   - environment: storage, transport, clock, device.
    ///   - observer: called with every event in order, inside the call that causes it; it must be short.
    /// - Throws: `TVEError.storageFailed` when the device has no id of its own and none could be kept.
    public init(
        requestorID: String, softwareStatement: String, serviceProviders: [ServiceProvider],
        service: ServiceDialect = .classic, environment: SessionEnvironment,
        observer: @escaping @Sendable (SessionEvent) -> Void = { _ in }
    ) async throws(TVEError) {
        let installation = InstallationStore(backend: environment.storage)
        // Before anything else is read: what is damaged shall not keep the session from being made. A device whose own text
        // cannot be read is another one to the service from now on, which knows no login of it.
        let known = try await environment.knownIdentity(installation)
        let report = environment.checkedStore(
            fingerprint: known?.fingerprint.hexadecimal ?? "", loggingOut: service == .restV2 ? [requestorID] : [])
        let device = if let known { known } else { try environment.madeIdentity(installation) }
        let store = EntitlementStore(
            backend: environment.storage, reader: .codec, fingerprint: device.fingerprint.hexadecimal)
        let clock = environment.clock
        // One pace for all services: the throttle counts by client address.
        let transport = PacedTransport(next: environment.transport, now: clock.now, sleep: clock.sleep)
        let services = serviceProviders.map { provider in
            Self.service(service, provider, softwareStatement, device, installation, transport, environment)
        }
        self.init(
            requestorID: requestorID, services: services, store: store, device: device, clock: clock,
            housekeeping: environment.housekeeping, loginStyle: environment.loginStyle,
            safariRedirectURL: environment.safariRedirectURL ?? SoftwareStatement(softwareStatement).ownRedirectURL,
            platform: environment.platform, sinks: environment.trackingSinks, observer: observer)
        remember(report)
    }

    private static func service(
        _ dialect: ServiceDialect, _ provider: ServiceProvider, _ softwareStatement: String, _ device: DeviceIdentity,
        _ installation: InstallationStore, _ transport: any HTTPTransport, _ environment: SessionEnvironment
    ) -> any EntitlementService {
        let (now, options) = (environment.clock.now, environment.options)
        let client = ClientDescription(
            deviceID: device.deviceID, deviceInfo: dialect == .classic ? DeviceFacts.current : DeviceFacts.restV2,
            clientType: DeviceFacts.clientType, clientVersion: DeviceFacts.libraryVersion,
            redirectURL: environment.redirectURL)
        let registration = ApplicationRegistration(
            softwareStatement: softwareStatement, provider: provider, transport: transport,
            keeper: .store(installation, applicationID(softwareStatement, provider)),
            deviceInfo: dialect == .classic ? nil : client.encodedDeviceInfo, now: now)
        switch dialect {
        case .classic:
            return ClassicXMLService(
                provider: provider, client: client, registration: registration, transport: transport, options: options,
                now: now)
        case .restV2:
            return RESTv2Service(
                provider: provider, client: client, fingerprint: device.fingerprint.hexadecimal,
                registration: registration, transport: transport, options: options, now: now,
                sleep: environment.clock.sleep)
        }
    }

    /// Names the registration of one statement at one service without showing the statement.
    private static func applicationID(_ statement: String, _ provider: ServiceProvider) -> String {
        SHA256.hash(data: Data("\(provider.root.absoluteString)\n\(statement)".utf8)).hexadecimal
    }
}

extension SessionEnvironment {
    /// Looks at the whole store, if the housekeeping asks for it; nil when it could not be looked at just now.
    fileprivate func checkedStore(fingerprint: String, loggingOut requestorIDs: [String]) -> IntegrityReport? {
        guard housekeeping.integrityCheck != .none else { return nil }
        let report = EntitlementStore(backend: storage, reader: .codec, fingerprint: fingerprint)
            .check(housekeeping.integrityCheck, loggingOut: requestorIDs)
        if case .unavailable = report.outcome { return nil }
        return report
    }

    /// The given device, else the system's id, else the random text that is kept; nil when there is none to be read.
    fileprivate func knownIdentity(_ store: InstallationStore) async throws(TVEError) -> DeviceIdentity? {
        if let device { return device }
        if let seed = await MachineSeed.read() { return DeviceIdentity(seed, app: app) }
        do throws(StorageError) {
            return try store.knownDeviceSeed().map { DeviceIdentity(DeviceSeed($0, .stored), app: app) }
        } catch {
            // What does not pass by itself is for the check to find.
            guard !error.passesByItself else { throw TVEError(error) }
            return nil
        }
    }

    /// A device made of a random text, which is kept.
    fileprivate func madeIdentity(_ store: InstallationStore) throws(TVEError) -> DeviceIdentity {
        do throws(StorageError) {
            let seed = try store.deviceSeed { UUID().uuidString }
            return DeviceIdentity(DeviceSeed(seed, .stored), app: app)
        } catch {
            throw TVEError(error)
        }
    }
}

extension StoredTokenReader {
    /// Reads stored tokens with the codec, and the copies that stand in their place in the other dialect.
    public static let codec = StoredTokenReader(
        authentication: { text in
            let copy = TokenText(text)
            return copy.isCopy ? try StoredProfile(copy).token : try TokenDecoder().authenticationToken(text)
        },
        authorization: { text in
            let copy = TokenText(text)
            return copy.isCopy ? try StoredDecision(copy).token : try TokenDecoder().authorizationToken(text)
        },
        isRegistration: { (try? OutsideJSON.decode(RegisteredApplication.self, from: $0)) != nil })
}

extension RegistrationKeeper {
    /// Keeps a registration in the installation's store.
    ///
    /// A registration that cannot be read is made anew.
    fileprivate static func store(_ store: InstallationStore, _ application: String) -> RegistrationKeeper {
        RegistrationKeeper(
            load: {
                guard let kept = try store.registration(of: application) else { return nil }
                return try? OutsideJSON.decode(RegisteredApplication.self, from: kept)
            },
            save: { try store.setRegistration(JSONEncoder().encode($0), of: application) },
            saveFirst: { try store.setRegistration(JSONEncoder().encode($0), of: application) { $0 == nil } },
            replace: { clientID, registration in
                let bytes = try JSONEncoder().encode(registration)
                let kept = try store.setRegistration(bytes, of: application) { kept in
                    let known = kept.flatMap { try? OutsideJSON.decode(RegisteredApplication.self, from: $0) }
                    return (known?.clientID).isSameBytes(as: clientID)
                }
                return kept == bytes
            })
    }
}
