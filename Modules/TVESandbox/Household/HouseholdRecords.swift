import Foundation
import TVEModels

/// The devices that share logins, for one requestor and one id of an account.
struct HouseholdRecord: Sendable, Codable {
    let requestorID: RequestorID
    /// The id of the account, which names the household; a secret of the viewer.
    let subject: String
    /// By their ids.
    var devices: [ExactText: Device] = [:]

    /// A device of a household.
    struct Device: Sendable, Codable {
        /// What the device has said about itself.
        var info: [String: MetadataValue]
        var lastSeen: Date
        /// Whether it came with a code.
        let isLinked: Bool
    }
}

/// A service token that was given out.
struct ServiceTokenRecord: Sendable, Codable {
    let household: String
    let deviceID: String
    let expires: Date
}

/// A code for another device.
struct LinkCodeRecord: Sendable, Codable {
    let text: String
    let household: String
    let requestorID: RequestorID
    let expires: Date
    var isUsed = false
}

/// What the single sign-on service knows.
struct HouseholdTables: Sendable, Codable {
    var households: [ExactText: HouseholdRecord] = [:]
    /// By the token; as long as it may be renewed.
    var tokens = ExpiringTable<ServiceTokenRecord>()
    /// By requestor and code; for a while after their end, so that the service can say so.
    var codes = ExpiringTable<LinkCodeRecord>()
    /// How many wrong codes a device has tried in the last minutes.
    var tries = ExpiringTable<Int>()

    /// The key of a household.
    static func key(_ requestorID: RequestorID, _ subject: String) -> String {
        SandboxState.key(requestorID.text, subject)
    }

    /// The household that a token proves, if the token has not ended and the device is still linked.
    func household(provenBy token: String, deviceID: String, at now: Date) -> HouseholdRecord? {
        guard let record = tokens.entry(token, at: now), record.expires > now else { return nil }
        guard let household = households[ExactText(record.household)] else { return nil }
        return household.devices[ExactText(deviceID)] == nil ? nil : household
    }

    /// Removes a device, and makes its tokens unknown.
    ///
    /// - Returns: whether it was there.
    mutating func unlink(_ deviceID: String, from household: String, at now: Date) -> Bool {
        guard households[ExactText(household)]?.devices.removeValue(forKey: ExactText(deviceID)) != nil else {
            return false
        }
        tokens.endAll(at: now) { $0.household.isSameBytes(as: household) && $0.deviceID.isSameBytes(as: deviceID) }
        return true
    }

    /// Adds a device, or notes that it was seen.
    mutating func see(
        _ deviceID: String, in household: String, info: [String: MetadataValue]?, isLinked: Bool, at now: Date
    ) {
        let known = households[ExactText(household)]?.devices[ExactText(deviceID)]
        households[ExactText(household)]?.devices[ExactText(deviceID)] = HouseholdRecord.Device(
            info: info ?? known?.info ?? [:], lastSeen: now, isLinked: known?.isLinked ?? isLinked)
    }
}
