// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Compiled together with Modules/AccessEnabler, which uses this `NSObject` and its protocol.
import Foundation
public import ObjectiveC

public typealias NSObject = ObjectiveC.NSObject
public typealias NSObjectProtocol = ObjectiveC.NSObjectProtocol

extension ObjectiveC.NSObject {
    @objc open var description: String { "" }
    @objc open var hash: Int { 0 }
    @objc(isEqual:) open func isEqual(_ object: Any?) -> Bool { false }
}
