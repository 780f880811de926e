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
    /// - Parameter statusDictionary: the values of `errorId` and `level` and, where they apply, `message` and
    ///   `resource`.
    @preconcurrency @MainActor
    func status(_ statusDictionary: [AnyHashable: Any]!)
}
