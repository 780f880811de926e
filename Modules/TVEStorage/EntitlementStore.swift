import Foundation
import TVEModels

/// Keeps what a viewer is entitled to: requestor → TV provider → tokens, and the provider last chosen.
///
/// Tokens are kept as the text the service signed and are parsed when they are asked for. Media tokens cannot be kept:
/// no method takes one. Apps that share a backend but are different devices to the service (another vendor prefix) each
/// have a part of their own and do not see the other's. All methods are synchronous and may be called from any thread.
///
/// What is kept is changed in ``change(_:)`` alone. What a change depends on is read inside it, so that nobody else's login
/// or logout comes in between.
public struct EntitlementStore: EntitlementReading, Sendable {
    /// How stored texts become tokens again.
    public let reader: StoredTokenReader
    /// Whose part of the store this is: the fingerprint that tokens for this device carry.
    public let fingerprint: String
    let backend: any StorageBackend

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - backend: where the bytes go.
    ///   - reader: how stored texts become tokens again.
    ///   - fingerprint: the fingerprint that tokens for this device carry, lowercase hexadecimal.
    public init(backend: any StorageBackend, reader: StoredTokenReader, fingerprint: String) {
        self.backend = backend
        self.reader = reader
        self.fingerprint = fingerprint
    }

    /// Where the bytes are.
    public var values: any StorageReading { backend }

    /// Reads, decides and changes in one step, which no other handle and no other process comes in between of.
    ///
    /// - Parameter body: reads the present entitlements and changes them. It may run again when somebody else was faster, and
    ///   must not use the store itself. What it returns is handed out once the changes are made.
    /// - Returns: what `body` returned.
    /// - Throws: what `body` throws, or any ``StorageError``; nothing has changed then.
    @discardableResult
    public func change<Outcome: Sendable>(
        _ body: @escaping @Sendable (_ entitlements: inout EntitlementChanges) throws(StorageError) -> Outcome
    ) throws(StorageError) -> Outcome {
        let (reader, fingerprint) = (reader, fingerprint)
        return try backend.updating { present throws(StorageError) in
            var changes = EntitlementChanges(of: present, reader: reader, fingerprint: fingerprint)
            let outcome = try body(&changes)
            return (changes.draft.changes, outcome)
        }
    }
}
