import Foundation
import TVEModels

/// Conversions between the values of the app, which uses `Any`, and those of the session, which uses JSON.
enum GenericData {
    /// Returns the part of an app's dictionary that can be sent.
    ///
    /// Keys that are not strings and values that are not JSON are omitted.
    static func values(_ data: [AnyHashable: Any]?) -> [String: MetadataValue] {
        var values: [String: MetadataValue] = [:]
        for (key, value) in data ?? [:] {
            if let key = key as? String, let value = self.value(value) { values[key] = value }
        }
        return values
    }

    /// Returns a value as a string for a query, or nil for `NSNull` and values that are not JSON.
    ///
    /// A string is returned unmodified. Any other value is encoded as JSON.
    static func text(_ any: Any) -> String? {
        switch value(any) {
        case .string(let text): return text
        case nil, .null?: return nil
        case let value?:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func value(_ any: Any) -> MetadataValue? {
        #if canImport(Darwin)
        // On Apple systems, the number 1 would otherwise be read as `true`, and `true` as 1.
        if let number = any as? NSNumber {
            let isBool = CFGetTypeID(number) == CFBooleanGetTypeID()
            if isBool { return .bool(number.boolValue) }
            if !CFNumberIsFloatType(number as CFNumber) {
                return Int64(exactly: number).map { whole($0) } ?? UInt64(exactly: number).map { whole($0) }
            }
            return number.doubleValue.isFinite ? .number(number.doubleValue) : nil
        }
        #endif
        return switch any {
        case let value as String: .string(value)
        case let value as Bool: .bool(value)
        case let value as any BinaryInteger: whole(value)
        case let value as Double where value.isFinite: .number(value)
        case let value as Float where value.isFinite: .number(Double(value))
        case let value as [Any]: .array(value.compactMap(self.value))
        case let value as [AnyHashable: Any]: .object(values(value))
        case is NSNull: .null
        default: nil
        }
    }

    /// Returns a whole number.
    ///
    /// A number that no `Double` holds, such as 2^53 + 1, becomes a text. Rounded, it could be another viewer's id.
    private static func whole(_ value: some BinaryInteger) -> MetadataValue {
        Double(exactly: value).map { .number($0) } ?? .string("\(value)")
    }

    /// Returns a value in the form that the app receives.
    static func any(_ value: MetadataValue) -> Any? {
        switch value {
        case .null: nil
        case .bool(let value): value
        case .number(let value): Int(exactly: value) ?? value
        case .string(let value): value
        case .array(let values): values.compactMap(any)
        case .object(let values): values.compactMapValues(any)
        }
    }
}
