// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Replaces the part of the Objective-C runtime that the compiler needs.
@_exported import ObjectiveC

public struct ObjCBool {
    public var boolValue: Bool
    public init(_ value: Bool) { boolValue = value }
}

public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { ObjCBool(x) }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { x.boolValue }
