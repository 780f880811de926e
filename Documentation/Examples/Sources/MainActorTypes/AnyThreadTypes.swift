import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage

// Protocols with requirements that are called at once, on any thread. The methods that they require say `nonisolated`,
// and the rest of a class may stay on the main actor.

/// Counts events for a screen.
@MainActor final class Analytics: TrackingSink {
    private var count = 0

    nonisolated func record(_ event: TrackingEvent, client: TrackedClient, at time: Date) {
        Task { @MainActor in count += 1 }
    }
}

/// A dialect of one's own: its facts are constants, its calls are async.
@MainActor final class OwnDialect: LoginKeepingService, PlatformSignOnService {
    nonisolated let root: URL
    private var calls = 0

    init(root: URL) {
        self.root = root
    }

    nonisolated func recognizes(_ login: AuthenticationToken) -> Bool { false }

    private func failure() -> ServiceError {
        calls += 1
        return .status(501)
    }

    func configuration(of requestorID: RequestorID) async throws(ServiceError) -> RequestorConfiguration {
        throw failure()
    }

    func login(_ request: LoginRequest) async throws(ServiceError) -> LoginPage { throw failure() }

    func authentication(of login: LoginPage) async throws(ServiceError) -> AuthenticationAnswer { throw failure() }

    func authorization(
        for resource: Resource, requestorID: RequestorID, data: [String: MetadataValue],
        _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> AuthorizationAnswer { throw failure() }

    func mediaToken(
        for authorization: AuthorizationToken, data: [String: MetadataValue], _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> MediaToken { throw failure() }

    func preauthorization(
        of resources: [Resource], requestorID: RequestorID, usesServiceCache: Bool,
        _ authentication: AuthenticationToken
    ) async throws(ServiceError) -> [PreauthorizationDecision] { throw failure() }

    func logout(
        requestorID: RequestorID, mvpdID: MVPDID, _ login: AuthenticationToken?, redirectURL: URL?
    ) async throws(ServiceError) -> LogoutStep { throw failure() }

    func logins(
        of requestorID: RequestorID, with mvpdID: MVPDID?, knowing known: AuthenticationToken?
    ) async throws(ServiceError) -> [AuthenticationAnswer] { throw failure() }

    func platformRequest(_ request: LoginRequest) async throws(ServiceError) -> PlatformStep { throw failure() }

    func authentication(
        from platformAnswer: String, requestorID: RequestorID, mvpdID: MVPDID
    ) async throws(ServiceError) -> AuthenticationAnswer { throw failure() }
}

/// A store answers at once, on any thread: it keeps nothing on the main actor.
nonisolated final class CountingStorage: StorageBackend {
    private let memory = MemoryStorage()

    func value(for key: StorageKey) throws(StorageError) -> Data? { memory.value(for: key) }

    func keys(under ancestor: StorageKey) throws(StorageError) -> [StorageKey] { memory.keys(under: ancestor) }

    func update(
        _ body: @escaping @Sendable (_ present: any StorageReading) throws(StorageError) -> [StorageChange]
    ) throws(StorageError) {
        try memory.update(body)
    }
}

/// Values compare and print on any thread.
nonisolated struct ChannelID: OpaqueID {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

nonisolated struct Secret: Redacting {
    let text: String
    var redactedDescription: String { "Secret" }
}

nonisolated struct Channel: BytewiseEquatable {
    let name: String

    static func areBytewiseEqual(_ left: Channel, _ right: Channel) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8)
    }
}

nonisolated struct OneLogin: EntitlementReading {
    let values: any StorageReading
    let reader: StoredTokenReader
    let fingerprint: String
}
