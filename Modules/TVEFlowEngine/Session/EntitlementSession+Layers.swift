import TVEModels
import TVENetworking
import TVEStorage

/// Calls of the layers below, whose errors become public ones here.
extension EntitlementSession {
    func read<Value>(_ body: (EntitlementStore) throws -> Value) throws(TVEError) -> Value {
        do {
            return try body(store)
        } catch {
            throw TVEError(storage: error)
        }
    }

    /// Reads a stored value that may be unreadable.
    ///
    /// Without an integrity check, an unreadable value stays stored and counts as missing (row T-65).
    func readIfReadable<Value>(_ body: (EntitlementStore) throws -> Value?) throws(TVEError) -> Value? {
        try read { store in
            do {
                return try body(store)
            } catch StorageError.invalidValue {
                return nil
            }
        }
    }

    /// Changes what is stored beside the login: permissions, metadata, notes.
    @discardableResult
    func change<Value: Sendable>(
        _ body: @escaping @Sendable (_ entitlements: inout EntitlementChanges) throws(StorageError) -> Value
    ) throws(TVEError) -> Value {
        try read { try $0.change(body) }
    }

    /// Changes who is logged in or which provider is chosen.
    ///
    /// The one way to do so, apart from the upkeep at a start and the service's own answer: an answer to an earlier
    /// question must not undo what was decided here.
    @discardableResult
    func changeLogin<Value: Sendable>(
        _ body: @escaping @Sendable (_ entitlements: inout EntitlementChanges) throws(StorageError) -> Value
    ) throws(TVEError) -> Value {
        handle(ProfileCopiesEvent.decided)
        permits = PermitMemory()
        return try change {
            [requestor = keepsCopies ? loaded?.merged.requestor : nil] entitlements throws(StorageError) in
            let value = try body(&entitlements)
            if let requestor { try entitlements.keepProviderCard(from: requestor) }
            return value
        }
    }

    func ask<Value>(
        during phase: FlowPhase, _ body: () async throws(ServiceError) -> Value
    ) async throws(TVEError) -> Value {
        do throws(ServiceError) {
            return try await body()
        } catch {
            throw TVEError(error, during: phase)
        }
    }
}
