import TVEModels
import TVENetworking
import TVEStorage

/// Calls the layers below and translates their errors.
extension EntitlementSession {
    /// Runs a storage call and translates its error.
    func stored<Value>(_ body: () throws(StorageError) -> Value) throws(TVEError) -> Value {
        do throws(StorageError) {
            return try body()
        } catch {
            throw TVEError(error)
        }
    }

    /// Runs a storage call whose value may be unreadable.
    ///
    /// Without an integrity check, an unreadable value stays stored and counts as missing (row T-65).
    func readable<Value>(_ body: () throws(StorageError) -> Value?) throws(TVEError) -> Value? {
        try stored { () throws(StorageError) in
            do throws(StorageError) {
                return try body()
            } catch .invalidValue(_) {
                return nil
            }
        }
    }

    /// Runs a service call and translates its error.
    func served<Value>(
        _ phase: FlowPhase, _ body: () async throws(ServiceError) -> Value
    ) async throws(TVEError) -> Value {
        do throws(ServiceError) {
            return try await body()
        } catch {
            throw TVEError(error, during: phase)
        }
    }
}
