public import Foundation
package import TVEModels

/// The service's state of a login that has begun, for a second screen that continues it (REST API v2, 5.4).
public struct AuthenticationSessionState: Sendable, Hashable {
    /// The known parameters by their names: `mvpd`, `domainName`, `redirectUrl`, `serviceProvider`.
    public let existingParameters: [String: String]
    /// The names of the missing parameters.
    public let missingParameters: [String]
    /// The model of the device that shows the code, if the device sent it.
    public let deviceModel: String?
    /// The time at which the code expires, by the service's clock.
    public let expires: Date?
}

extension AuthenticationSessionState: JSONReadable {
    private enum Field: String, CaseIterable {
        case parameters, existingParameters, existing, missingParameters, missing, device, notAfter
    }

    private enum DeviceField: String, CaseIterable { case model }

    private static let names = JSONNames<Field>()
    private static let deviceNames = JSONNames<DeviceField>()

    /// The parameters in an answer, either at its top level or inside a member.
    private struct Parameters {
        var existing: [Field: [String: String]] = [:]
        var missing: [Field: [String]] = [:]
    }

    /// Reads the service's answer in its new, older or oldest shape, or returns nil if it contains no parameters.
    package init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var outer = Parameters()
        var inner: Parameters?
        var model: String?
        var expires: Date?
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .parameters:
                var parameters = Parameters()
                let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
                    try Self.read(field, &json, into: &parameters)
                }
                if isObject { inner = parameters }
            case .device:
                _ = try json.object(Self.deviceNames) { (_, json) throws(UntrustedJSONError) in
                    model = try json.trimmedText()
                }
            case .notAfter: expires = try json.instantOfService()
            case .existingParameters, .existing, .missingParameters, .missing:
                try Self.read(field, &json, into: &outer)
            }
        }
        let parameters = inner ?? outer
        let existing = parameters.existing[.existingParameters] ?? parameters.existing[.existing]
        let missing = parameters.missing[.missingParameters] ?? parameters.missing[.missing]
        guard existing != nil || missing != nil else { return nil }
        func current(_ name: String) -> String { name.isSameBytes(as: "domain") ? "domainName" : name }
        existingParameters = Dictionary(
            (existing ?? [:]).map { (current($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
        missingParameters = (missing ?? []).filter(\.isIdentifier).map(current)
        deviceModel = model
        self.expires = expires
    }

    private static func read(
        _ field: Field, _ json: inout JSONCursor, into parameters: inout Parameters
    ) throws(UntrustedJSONError) {
        switch field {
        case .existingParameters, .existing:
            var values: [String: String] = [:]
            let isMap = try json.members { (name, json) throws(UntrustedJSONError) in
                if let value = try json.trimmedString(), values[name] == nil { values[name] = value }
            }
            if isMap { parameters.existing[field] = values }
        case .missingParameters, .missing: parameters.missing[field] = try json.texts()
        case .parameters, .device, .notAfter: break
        }
    }
}
