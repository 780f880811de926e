import Foundation
import TVEModels

/// A token or a code of the single sign-on service, with its dates.
///
/// The tables of the vendor's documents name the text of a token `jws` and that of a code `link`, while their samples
/// name them `serviceToken` and `code`. This type reads all four names.
struct HouseholdGrant: JSONReadable {
    let text: String
    /// The lifetime in seconds, or nil if the service does not state it.
    let lifetime: TimeInterval?

    private enum Field: String, CaseIterable { case serviceToken, jws, code, link, notBefore, notAfter }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var text: String?
        var begin: Date?
        var end: Date?
        let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .serviceToken, .jws, .code, .link:
                let found = try json.text()
                text = text ?? found
            case .notBefore: begin = try json.instant()
            case .notAfter: end = try json.instant()
            }
        }
        guard isObject, let text, !text.isEmpty else { return nil }
        self.text = text
        if let begin, let end {
            let seconds = end.timeIntervalSince(begin)
            lifetime = seconds > 0 ? seconds : nil
        } else {
            lifetime = nil
        }
    }
}

/// The devices of a household, by their ids.
struct HouseholdDevicesAnswer: JSONReadable {
    let devices: [HouseholdDevice]

    private enum Field: String, CaseIterable { case devices }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var devices: [HouseholdDevice] = []
        var isMap = false
        let isObject = try json.object(Self.names) { (_, json) throws(UntrustedJSONError) in
            isMap = try json.members { (id, json) throws(UntrustedJSONError) in
                devices.append(try HouseholdDevice(id: id, &json))
            }
        }
        guard isObject, isMap else { return nil }
        self.devices = devices
    }
}

extension HouseholdDevice {
    private enum Field: String, CaseIterable { case deviceType, model, os, osVersion, lastSeen, type }

    private static let names = JSONNames<Field>()

    /// Reads the service's description of a device, which may be empty.
    fileprivate init(id: String, _ json: inout JSONCursor) throws(UntrustedJSONError) {
        var device = HouseholdDevice(id: id)
        _ = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .deviceType: device.type = try json.text()
            case .model: device.model = try json.text()
            case .os: device.system = try json.text()
            case .osVersion: device.systemVersion = try json.text()
            case .lastSeen: device.lastSeen = try json.instant()
            case .type: device.origin = try json.text()
            }
        }
        self = device
    }
}

/// The devices that were unlinked.
struct UnlinkAnswer: JSONReadable {
    let unlinked: [String]

    private enum Field: String, CaseIterable { case unlinkedDevices }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var unlinked: [String]?
        let isObject = try json.object(Self.names) { (_, json) throws(UntrustedJSONError) in
            unlinked = try json.texts()
        }
        guard isObject, let unlinked else { return nil }
        self.unlinked = unlinked
    }
}
