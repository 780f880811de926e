/// Receives advanced status codes, on the same run as ``EntitlementDelegate`` (API reference, `EntitlementStatus`).
public protocol EntitlementStatus: AnyObject {
    /// A status was reported.
    ///
    /// - Parameter statusDictionary: `errorId` and `level`, and where they apply `message` and `resource`.
    func status(_ statusDictionary: [AnyHashable: Any]!)
}
