import Foundation
import TVEModels

/// TempPass: for which viewers, for how long and for which resources (wire protocol, TempPass).
enum Trials {
    /// A TempPass without further description lasts a day.
    static let usual = SandboxWorld.Provider.TemporaryAccess(seconds: 86_400)

    /// The key under which the use of a TempPass by a device or viewer is counted; nil when a promotional one lacks the
    /// viewer's id.
    static func key(
        _ provider: SandboxWorld.Provider, deviceID: String, _ data: [String: MetadataValue]
    ) -> String? {
        guard let identityKey = provider.temporaryAccess?.identityKey else { return "\(provider.id)\n\(deviceID)" }
        guard case .string(let identity)? = data[identityKey], !identity.isEmpty else { return nil }
        return "\(provider.id)\n\(identity)"
    }

    /// When the token of a TempPass expires.
    static func expiry(_ key: String, _ login: Login, _ state: SandboxState) -> Date {
        let access = access(login, state)
        return state.withTables { tables, now in tables.trials[ExactText(key), default: Trial()].end(access, now: now) }
    }

    /// The limit that ends a TempPass.
    enum Limit: Sendable {
        case time
        /// With its number of resources.
        case resources(Int)
    }

    /// Why a TempPass does not open a resource, nil when it does; the first call starts its time.
    static func denial(of channel: String, _ key: String, _ login: Login, _ state: SandboxState) -> Limit? {
        let access = access(login, state)
        return state.withTables { tables, now in
            var trial = tables.trials[ExactText(key), default: Trial()]
            if let limit = trial.limit(of: channel, access, now: now) { return limit }
            trial.began = trial.began ?? now
            trial.resources.insert(ExactText(channel))
            tables.trials[ExactText(key)] = trial
            return nil
        }
    }

    /// The same without starting its time.
    ///
    /// - Parameter channel: the resource; nil checks the time alone.
    static func limit(of channel: String?, _ key: String, _ login: Login, _ state: SandboxState) -> Limit? {
        let access = access(login, state)
        return state.withTables { tables, now in
            tables.trials[ExactText(key), default: Trial()].limit(of: channel, access, now: now)
        }
    }

    /// The attributes of a TempPass in REST API v2.
    static func attributes(_ key: String, _ login: Login, _ state: SandboxState) -> [String: MetadataValue] {
        let access = access(login, state)
        return state.withTables { tables, now in
            let trial = tables.trials[ExactText(key), default: Trial()]
            var data: [String: MetadataValue] = [
                "expiration_date": .number((trial.end(access, now: now).timeIntervalSince1970 * 1000).rounded())
            ]
            guard access.identityKey != nil else { return data }
            data["used_assets"] = .array(trial.resources.map(\.text).sorted().map(MetadataValue.string))
            if let limit = access.resourceLimit {
                data["remaining_resources"] = .number(Double(max(0, limit - trial.resources.count)))
            }
            return data
        }
    }

    /// The metadata of a promotional TempPass.
    static func metadata(_ key: String, _ login: Login, _ state: SandboxState) -> [String: MetadataValue] {
        let access = access(login, state)
        guard access.identityKey != nil else { return [:] }
        return state.withTables { tables, now in
            let trial = tables.trials[ExactText(key), default: Trial()]
            var data: [String: MetadataValue] = [
                "used_assets": .number(Double(trial.resources.count)),
                "expiration_date": .number(trial.end(access, now: now).timeIntervalSince1970),
            ]
            if let limit = access.resourceLimit {
                data["remaining_resources"] = .number(Double(max(0, limit - trial.resources.count)))
            }
            return data
        }
    }

    private static func access(_ login: Login, _ state: SandboxState) -> SandboxWorld.Provider.TemporaryAccess {
        state.provider(login.mvpdID, of: login.requestorID)?.temporaryAccess ?? usual
    }
}
