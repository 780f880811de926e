import Crypto
package import Foundation
package import TVEModels

/// A report of the households for the sandbox's pages, without the households' secrets.
package struct HouseholdReport: Encodable {
    /// A household.
    package struct Household: Encodable {
        /// An id that replaces the id of the account, with which anyone could join.
        package let id: String
        package let requestor: RequestorID
        /// The devices, the most recently seen first.
        package let devices: [Device]
        /// The codes with which a device can still join, the newest first.
        package let codes: [Code]
    }

    /// A link code.
    package struct Code: Encodable {
        package let code: String
        /// The time at which the code ends, in milliseconds since 1970.
        package let ends: Int64

        package init(code: String, ends: Date) {
            self.code = code
            self.ends = ends.milliseconds
        }
    }

    /// A device of a household.
    package struct Device: Encodable {
        package let id: String
        package let model: String
        package let isLinked: Bool
        /// The time at which the device was last seen, in milliseconds since 1970.
        package let lastSeen: Int64
        /// The time at which the newest token of the device ends, in milliseconds since 1970; `nil` without a valid
        /// token.
        package let tokenEnds: Int64?
    }

    package let households: [Household]

    /// The largest number of households in a report.
    private static let maximum = 500

    package init(_ state: SandboxState) {
        let (tables, now) = state.withTables { ($0.households, $1) }
        let tokens = tables.tokens.all(at: now).filter { $0.expires > now }
        let codes = tables.codes.all(at: now).filter { !$0.isUsed && $0.expires > now }
            .sorted { ($0.expires, $0.text) > ($1.expires, $1.text) }
        households = tables.households.map { key, record in
            let devices = record.devices.map { id, device in
                let ends = tokens.filter {
                    $0.household.isSameBytes(as: key.text) && $0.deviceID.isSameBytes(as: id.text)
                }.map(\.expires).max()
                return Device(
                    id: id.text, model: device.info["model"]?.stringValue ?? "unknown model",
                    isLinked: device.isLinked, lastSeen: device.lastSeen.milliseconds, tokenEnds: ends?.milliseconds)
            }
            return Household(
                id: Self.id(key.text), requestor: record.requestorID,
                devices: devices.sorted { ($0.lastSeen, $0.id) > ($1.lastSeen, $1.id) },
                codes: codes.filter { $0.household.isSameBytes(as: key.text) }
                    .map { Code(code: $0.text, ends: $0.expires) })
        }.sorted { ($0.requestor.text, $0.id) < ($1.requestor.text, $1.id) }.prefix(Self.maximum).map(\.self)
    }

    /// Returns the id of a household in the report.
    fileprivate static func id(_ key: String) -> String {
        String(SHA256.hash(data: Data("household\n\(key)".utf8)).hexadecimal.prefix(16))
    }
}

extension HouseholdTables {
    /// Returns the household with an id of the report, under its key.
    fileprivate func household(named id: String) -> (key: ExactText, value: HouseholdRecord)? {
        households.first { HouseholdReport.id($0.key.text).isSameBytes(as: id) }
    }
}

/// The changes that a tester makes to the households of the report.
extension SandboxState {
    /// Creates a link code for a household of the report, as one of its devices would.
    ///
    /// - Returns: the code and its end; `nil` when there is no such household.
    package func linkCode(forHousehold id: String) -> (text: String, expires: Date)? {
        let found = withTables { tables, _ in
            tables.households.household(named: id).map { ($0.key.text, $0.value.requestorID) }
        }
        return found.map { linkCode(of: $0.0, $0.1, lifetime: world.behavior.households.codeLifetime) }
    }

    /// Adds a device of the tester to a household, as if the tester had typed a link code there.
    ///
    /// - Returns: a sentence that says why the code is refused; `nil` when the device has joined.
    package func typeLinkCode(_ typed: String, for requestorID: RequestorID) -> String? {
        let key = Self.key(requestorID.text, TypedCode.plain(typed))
        return withTables { tables, now in
            guard let record = tables.households.codes.entry(key, at: now) else {
                return "There is no such code for \(requestorID)."
            }
            guard !record.isUsed else { return "The code was used." }
            guard record.expires > now else { return "The code has expired." }
            tables.households.codes.change(key) { $0.isUsed = true }
            tables.households.add(
                "tester-\(Self.randomID().prefix(8))", to: record.household,
                info: ["model": "A device of the tester", "primaryHardwareType": "TV"], isLinked: true, at: now)
            return nil
        }
    }

    /// Unlinks a device from a household of the report.
    ///
    /// - Returns: a Boolean value that indicates whether the device was a member of such a household.
    package func unlink(_ deviceID: String, fromHousehold id: String) -> Bool {
        withTables { tables, now in
            let found = tables.households.household(named: id)
            return found.map { tables.households.unlink(deviceID, from: $0.key.text, at: now) } ?? false
        }
    }

    /// Ends the tokens of a household of the report now.
    ///
    /// They may still be renewed.
    ///
    /// - Returns: a Boolean value that indicates whether there is such a household.
    package func endTokens(ofHousehold id: String) -> Bool {
        withTables { tables, now in
            guard let key = tables.households.household(named: id)?.key else { return false }
            tables.households.tokens.changeAll { record in
                guard record.household.isSameBytes(as: key.text), record.expires > now else { return }
                record = ServiceTokenRecord(household: record.household, deviceID: record.deviceID, expires: now)
            }
            return true
        }
    }
}
