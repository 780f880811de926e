import Foundation
import TVEModels

/// A store of a viewer's entitlements: requestor → TV provider → tokens, and the provider chosen last.
///
/// Tokens are stored as the text that the service signed, and are parsed when they are read. Media tokens cannot be
/// stored, because no method accepts one. Apps that share a backend but are different devices to the service (another
/// vendor prefix) have separate parts, and cannot read each other's. All methods are synchronous and may be called from
/// any thread.
///
/// Only `change(_:)` changes the store. A change reads the values that it depends on inside its body, so that no other
/// login or logout can occur in between.
public struct EntitlementStore: EntitlementReading, Sendable {
    /// The reader that parses stored texts into tokens.
    public let reader: StoredTokenReader
    /// The fingerprint in tokens for this device, which selects this device's part of the store.
    public let fingerprint: String
    let backend: any StorageBackend

    /// Opens the store in a backend.
    ///
    /// It reads nothing before the first call.
    ///
    /// - Parameters:
    ///   - backend: the place that stores the bytes.
    ///   - reader: the reader that parses stored texts into tokens.
    ///   - fingerprint: the fingerprint in tokens for this device, in lowercase hexadecimal.
    public init(backend: any StorageBackend, reader: StoredTokenReader, fingerprint: String) {
        self.backend = backend
        self.reader = reader
        self.fingerprint = fingerprint
    }

    /// The source of the stored bytes.
    public var values: any StorageReading { backend }

    /// Reads, decides and changes in one step, during which no other handle and no other process changes the store.
    ///
    /// - Parameters:
    ///   - patience: the longest time to wait for another handle or process that is writing, or nil for the backend's
    ///     own; see ``StorageBackend/update(patience:_:)``.
    ///   - body: reads the current entitlements and changes them. It may run again if another process was faster, and
    ///     must not use the store itself. Its result is returned after the changes are made.
    /// - Returns: the result of `body`.
    /// - Throws: every error of `body`, or any ``StorageError``. Then nothing has changed.
    @discardableResult
    public func change<Outcome: Sendable>(
        patience: Duration? = nil,
        _ body: @escaping @Sendable (_ entitlements: inout EntitlementChanges) throws(StorageError) -> Outcome
    ) throws(StorageError) -> Outcome {
        let reader = reader
        let fingerprint = fingerprint
        let capacity = backend.capacity
        return try backend.updating(patience: patience) { present throws(StorageError) in
            var changes = EntitlementChanges(of: present, reader: reader, fingerprint: fingerprint)
            let outcome = try body(&changes)
            if let capacity { try changes.makeRoom(within: capacity, before: present) }
            return (changes.draft.changes, outcome)
        }
    }

    /// Reads, decides and changes in one step, for a body that does not name the errors it throws.
    ///
    /// Without `throws(StorageError) in`, the compiler assumes that a closure that throws can throw any error.
    ///
    /// - Parameter body: reads the current entitlements and changes them, as in the other overload.
    /// - Returns: the result of `body`.
    /// - Throws: every error of `body`, or any ``StorageError``. Then nothing has changed.
    @discardableResult @_disfavoredOverload
    public func change<Outcome: Sendable>(
        _ body: @escaping @Sendable (_ entitlements: inout EntitlementChanges) throws -> Outcome
    ) throws -> Outcome {
        let other = Guarded<(any Error)?>(nil)
        do throws(StorageError) {
            return try change { entitlements throws(StorageError) in
                other.withLock { $0 = nil }
                do {
                    return try body(&entitlements)
                } catch let error as StorageError {
                    throw error
                } catch {
                    other.withLock { $0 = error }
                    throw .cannotWrite(errno: ECANCELED)
                }
            }
        } catch {
            throw other.withLock(\.self) ?? error
        }
    }
}
