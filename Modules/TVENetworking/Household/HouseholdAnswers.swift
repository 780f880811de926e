import Foundation
import TVEModels

/// The members of an answer with a token or a code of the single sign-on service.
///
/// The tables of the vendor's documents name the text of a token `jws` and that of a code `link`, while their samples
/// name them `serviceToken` and `code`. This type reads all four names.
private struct HouseholdGrant {
    /// The text of a token.
    var token: String?
    /// The text of a code.
    ///
    /// An error has a member `code` too, together with a sentence, an action, or the number or name of an HTTP status.
    var code: String?
    /// The lifetime in seconds, or nil if the service does not state it.
    var lifetime: TimeInterval?

    private enum Field: String, CaseIterable {
        case serviceToken, jws, code, link, notBefore, notAfter, status, message, action
    }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var texts: [Field: String] = [:]
        var begin: Date?
        var end: Date?
        var isError = false
        var status: String?
        let isObject = try json.object(Self.names) { (field, json) throws(UntrustedJSONError) in
            switch field {
            case .notBefore: begin = try json.instantOfService()
            case .notAfter: end = try json.instantOfService()
            case .status: status = try json.identifier()
            case .message, .action: if try json.trimmedText()?.isEmpty == false { isError = true }
            case .serviceToken, .jws, .code, .link:
                texts[field] = try json.trimmedText().flatMap { $0.isEmpty ? nil : $0 }
            }
        }
        guard isObject else { return nil }
        token = texts[.serviceToken] ?? texts[.jws]
        if let status {
            // The status of a grant is a word, and no document lists all words. Only a grant has an end.
            let isGrant = end != nil || ["created", "ok", "success"].contains(status.lowercasedASCII)
            if Int(status).map({ $0 >= 400 }) ?? !isGrant { isError = true }
        }
        code = texts[.link] ?? (isError ? nil : texts[.code])
        if let begin, let end, end > begin { lifetime = end.timeIntervalSince(begin) }
    }
}

/// A service token, with its lifetime in seconds, or nil if the service does not state it.
struct ServiceTokenAnswer: JSONReadable {
    let text: String
    let lifetime: TimeInterval?

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        guard let grant = try HouseholdGrant(&json), let text = grant.token else { return nil }
        self.text = text
        lifetime = grant.lifetime
    }
}

/// A link code, with its lifetime in seconds, or nil if the service does not state it.
struct LinkAnswer: JSONReadable {
    let text: String
    let lifetime: TimeInterval?

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        guard let grant = try HouseholdGrant(&json), let text = grant.code else { return nil }
        self.text = text
        lifetime = grant.lifetime
    }
}

/// The devices of a household, by their ids.
struct HouseholdDevicesAnswer: JSONReadable {
    let devices: [HouseholdDevice]

    private enum Field: String, CaseIterable { case devices }

    private static let names = JSONNames<Field>()

    init?(_ json: inout JSONCursor) throws(UntrustedJSONError) {
        var devices: [HouseholdDevice] = []
        var ids: Set<ExactText> = []
        var isMap = false
        _ = try json.object(Self.names) { (_, json) throws(UntrustedJSONError) in
            isMap = try json.members { (id, json) throws(UntrustedJSONError) in
                let device = try HouseholdDevice(id: JSONCursor.trimmed(id), &json)
                // Of two descriptions of one device, the first one is used.
                if ids.insert(ExactText(device.id)).inserted { devices.append(device) }
            }
        }
        guard isMap else { return nil }
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
            case .lastSeen: device.lastSeen = try json.instantOfService()
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
        _ = try json.object(Self.names) { (_, json) throws(UntrustedJSONError) in
            unlinked = try json.texts()?.map(JSONCursor.trimmed)
        }
        guard let unlinked else { return nil }
        self.unlinked = unlinked
    }
}
