import Foundation
import TVEModels

/// The devices of a household, which share their logins at one requestor.
struct HouseholdRecord: Sendable, Codable {
    let requestorID: RequestorID
    /// The id of the account that identifies the household; a secret of the viewer.
    let subject: String
    /// The devices by their ids.
    var devices: [ExactText: Device] = [:]

    /// A device of a household.
    struct Device: Sendable, Codable {
        /// The facts that the device has sent about itself.
        var info: [String: MetadataValue]
        var lastSeen: Date
        /// A Boolean value that indicates whether the device has joined with a link code.
        let isLinked: Bool
    }
}

/// A service token that the sandbox has issued.
struct ServiceTokenRecord: Sendable, Codable {
    let household: String
    let deviceID: String
    let expires: Date
}

/// A signed service token that is not stored yet.
struct NewServiceToken: Sendable {
    let text: String
    let issued: Date
    /// The time until which the token may be renewed.
    let renewalEnds: Date
    let record: ServiceTokenRecord
}

/// A link code, with which another device joins a household.
struct LinkCodeRecord: Sendable, Codable {
    let text: String
    let household: String
    let requestorID: RequestorID
    let expires: Date
    var isUsed = false
}

/// The data of the single sign-on service.
struct HouseholdTables: Sendable, Codable {
    var households: [ExactText: HouseholdRecord] = [:]
    /// The issued tokens by their texts, for as long as they may be renewed.
    var tokens = ExpiringTable<ServiceTokenRecord>()
    /// The link codes by requestor and code, for a while after their end, so that the service can report that they have
    /// ended.
    var codes = ExpiringTable<LinkCodeRecord>()
    /// The number of wrong codes that each device has tried, by its id; forgotten ten minutes after the last one.
    var tries = ExpiringTable<Int>()

    /// Returns the key of a household.
    static func key(_ requestorID: RequestorID, _ subject: String) -> String {
        SandboxState.key(requestorID.text, subject)
    }

    /// Returns the household that a token proves; `nil` when the token has ended or the device is no longer linked.
    func household(provenBy token: String, deviceID: String, at now: Date) -> HouseholdRecord? {
        guard let record = tokens.entry(token, at: now), record.expires > now else { return nil }
        guard let household = households[ExactText(record.household)] else { return nil }
        return household.devices[ExactText(deviceID)] == nil ? nil : household
    }

    /// Removes a device from a household, and ends its tokens.
    ///
    /// - Returns: a Boolean value that indicates whether the device was a member.
    mutating func unlink(_ deviceID: String, from household: String, at now: Date) -> Bool {
        guard households[ExactText(household)]?.devices.removeValue(forKey: ExactText(deviceID)) != nil else {
            return false
        }
        tokens.endAll(at: now) { $0.household.isSameBytes(as: household) && $0.deviceID.isSameBytes(as: deviceID) }
        return true
    }

    /// Adds a device to a household, unless it is a member already.
    mutating func add(
        _ deviceID: String, to household: String, info: [String: MetadataValue]?, isLinked: Bool, at now: Date
    ) {
        guard !see(deviceID, in: household, info: info, at: now) else { return }
        households[ExactText(household)]?.devices[ExactText(deviceID)] = HouseholdRecord.Device(
            info: info ?? [:], lastSeen: now, isLinked: isLinked)
    }

    /// Updates the facts about a device of a household, and the time at which it was last seen.
    ///
    /// - Returns: a Boolean value that indicates whether the device is a member. It may have been unlinked since its
    ///   token was found.
    mutating func see(
        _ deviceID: String, in household: String, info: [String: MetadataValue]?, at now: Date
    ) -> Bool {
        guard var device = households[ExactText(household)]?.devices[ExactText(deviceID)] else { return false }
        device.info = info ?? device.info
        device.lastSeen = now
        households[ExactText(household)]?.devices[ExactText(deviceID)] = device
        return true
    }

    /// Stores a token whose device is still a member of its household.
    ///
    /// - Returns: a Boolean value that indicates whether the token was stored.
    mutating func store(_ token: NewServiceToken, at now: Date) -> Bool {
        let record = token.record
        guard see(record.deviceID, in: record.household, info: nil, at: now) else { return false }
        tokens.set(record, token.text, until: token.renewalEnds, at: now)
        return true
    }
}
