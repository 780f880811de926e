public import Foundation

/// The receiver of advanced status codes, on the same run as ``EntitlementDelegate`` (API reference,
/// `EntitlementStatus`).
///
/// As with the original, a delegate is a subclass of `NSObject`.
#if canImport(ObjectiveC)
@objc(EntitlementStatus)
#endif
public protocol EntitlementStatus: NSObjectProtocol {
    /// Reports a status.
    ///
    /// - Parameter statusDictionary: strings under the keys `errorId` and `level` and, where they apply, `message`,
    ///   `resource`, `details` (the platform's own error), `trace` (the id to quote to the service), and for a
    ///   registration code `code` and `regCode`, which have the same value.
    @preconcurrency @MainActor
    func status(_ statusDictionary: [AnyHashable: Any]!)
}
