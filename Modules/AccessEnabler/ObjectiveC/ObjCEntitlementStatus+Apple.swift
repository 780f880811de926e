#if canImport(ObjectiveC)
import Foundation

/// `EntitlementStatus` under its documented selector, for Objective-C; see the Swift protocol of that name.
@objc(EntitlementStatus)
public protocol ObjCEntitlementStatus: AnyObject {
    /// A status was reported.
    @objc(status:)
    func status(_ statusDictionary: [AnyHashable: Any])
}
#endif
