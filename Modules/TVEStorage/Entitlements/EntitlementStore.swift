import Foundation
import TVEModels

/// Stores a viewer's entitlements: requestor → TV provider → tokens, and the provider chosen last.
///
/// Tokens are stored as the text that the service signed and are parsed when they are read. Media tokens cannot be
/// stored: no method takes one. Apps that share a backend but are different devices to the service (another vendor
/// prefix) have separate parts and do not see each other's. All methods are synchronous and may be called from any
/// thread.
///
/// Only `change(_:)` changes the store. What a change depends on is read inside it, so that no other login or logout
/// comes in between.
public struct EntitlementStore: EntitlementReading, Sendable {
    /// How stored texts are parsed into tokens.
    public let reader: StoredTokenReader
    /// The fingerprint that tokens for this device carry: it selects this device's part of the store.
    public let fingerprint: String
    let backend: any StorageBackend

    /// Opens the store in a backend; nothing is read before the first call.
    ///
    /// - Parameters:
    ///   - backend: where the bytes go.
    ///   - reader: how stored texts are parsed into tokens.
    ///   - fingerprint: the fingerprint that tokens for this device carry, lowercase hexadecimal.
    public init(backend: any StorageBackend, reader: StoredTokenReader, fingerprint: String) {
        self.backend = backend
        self.reader = reader
        self.fingerprint = fingerprint
    }

    /// Where the bytes are.
    public var values: any StorageReading { backend }

    /// Reads, decides and changes in one step, during which no other handle and no other process changes the store.
    ///
    /// - Parameter body: reads the current entitlements and changes them. It may run again when another process was
    ///   faster, and must not use the store itself. Its result is returned after the changes are made.
    /// - Returns: what `body` returned.
    /// - Throws: what `body` throws, or any ``StorageError``; nothing has changed then.
    @discardableResult
    public func change<Outcome: Sendable>(
        _ body: @escaping @Sendable (_ entitlements: inout EntitlementChanges) throws(StorageError) -> Outcome
    ) throws(StorageError) -> Outcome {
        let (reader, fingerprint, capacity) = (reader, fingerprint, backend.capacity)
        return try backend.updating { present throws(StorageError) in
            var changes = EntitlementChanges(of: present, reader: reader, fingerprint: fingerprint)
            let outcome = try body(&changes)
            if let capacity { try changes.makeRoom(within: capacity, before: present) }
            return (changes.draft.changes, outcome)
        }
    }

    /// The same, for a body that does not name the errors it throws.
    ///
    /// The compiler takes a closure that throws for one that throws anything, unless it says `throws(StorageError) in`.
    ///
    /// - Parameter body: reads the current entitlements and changes them, as above.
    /// - Returns: what `body` returned.
    /// - Throws: what `body` throws, or any ``StorageError``; nothing has changed then.
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
