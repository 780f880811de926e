import Foundation
import TVEModels

/// The use of a TempPass by one device or viewer (wire protocol, TempPass).
struct Trial: Sendable, Codable {
    /// A device, or for a promotional TempPass the viewer's id.
    struct Holder: Hashable, Sendable, Codable {
        let provider: MVPDID
        let id: ExactText
        /// The device on which it is used now; it says nothing about whose trial it is.
        var deviceID: ExactText?

        static func == (left: Self, right: Self) -> Bool { left.provider == right.provider && left.id == right.id }

        func hash(into hasher: inout Hasher) {
            hasher.combine(provider)
            hasher.combine(id)
        }
    }

    /// The limit that ends a TempPass.
    enum Limit: Sendable {
        case time
        /// With its number of resources.
        case resources(Int)
    }

    /// When its time began to count: at the first authorization.
    var began: Date?
    var resources: Set<ExactText> = []
    /// The devices on which it was used; nil in a state of earlier versions.
    var devices: Set<ExactText>?

    /// The limit that prevents a resource; nil when there is none.
    func limit(of channel: String?, _ access: SandboxWorld.Provider.TemporaryAccess, now: Date) -> Limit? {
        guard end(access, now: now) > now else { return .time }
        guard let channel, let limit = access.resourceLimit, resources.count >= limit,
            !resources.contains(ExactText(channel))
        else { return nil }
        return .resources(limit)
    }

    func end(_ access: SandboxWorld.Provider.TemporaryAccess, now: Date) -> Date {
        (began ?? now).addingTimeInterval(TimeInterval(access.seconds))
    }
}

/// Who uses which TempPass, and what is left of it.
enum Trials {
    /// Who uses a TempPass; nil when a promotional one lacks the viewer's id.
    ///
    /// A new id on a device with a trial gets no second one: the trial is the device's (TempPass page, user
    /// identification).
    static func holder(
        _ provider: SandboxWorld.Provider, deviceID: String, _ data: [String: MetadataValue], _ state: SandboxState
    ) -> Trial.Holder? {
        let device = ExactText(deviceID)
        guard let identityKey = provider.temporaryAccess?.identityKey else {
            return Trial.Holder(provider: provider.id, id: device)
        }
        guard let identity = data[identityKey]?.stringValue, !identity.isEmpty else { return nil }
        let own = Trial.Holder(provider: provider.id, id: ExactText(identity), deviceID: device)
        return state.withTables { tables, _ in
            guard tables.trials[own] == nil else { return own }
            let ofDevice = tables.trials.first { holder, trial in
                holder.provider == provider.id && trial.devices?.contains(device) == true
            }
            return ofDevice.map { Trial.Holder(provider: provider.id, id: $0.key.id, deviceID: device) } ?? own
        }
    }

    static func expiry(_ holder: Trial.Holder, _ login: Login, _ state: SandboxState) -> Date {
        withTrial(holder, login, state) { trial, access, now in trial.end(access, now: now) }
    }

    /// Why a TempPass does not open a resource, nil when it does; the first call starts its time.
    static func denial(
        of channel: String, _ holder: Trial.Holder, _ login: Login, _ state: SandboxState
    ) -> Trial.Limit? {
        withTrial(holder, login, state) { trial, access, now in
            if let limit = trial.limit(of: channel, access, now: now) { return limit }
            trial.began = trial.began ?? now
            trial.resources.insert(ExactText(channel))
            if let device = holder.deviceID { trial.devices = (trial.devices ?? []).union([device]) }
            return nil
        }
    }

    /// The same without starting its time.
    ///
    /// - Parameter channel: the resource; nil checks the time alone.
    static func limit(
        of channel: String?, _ holder: Trial.Holder, _ login: Login, _ state: SandboxState
    ) -> Trial.Limit? {
        withTrial(holder, login, state) { trial, access, now in trial.limit(of: channel, access, now: now) }
    }

    /// The attributes of a TempPass in REST API v2.
    static func attributes(_ holder: Trial.Holder, _ login: Login, _ state: SandboxState) -> [String: MetadataValue] {
        withTrial(holder, login, state) { trial, access, now in
            let milliseconds = (trial.end(access, now: now).timeIntervalSince1970 * 1000).rounded()
            guard access.identityKey != nil else { return ["expiration_date": .number(milliseconds)] }
            return trial.facts(
                access, expires: milliseconds, used: .array(trial.resources.map(\.text).sorted().map { .string($0) }))
        }
    }

    /// The metadata of a promotional TempPass.
    static func metadata(_ holder: Trial.Holder, _ login: Login, _ state: SandboxState) -> [String: MetadataValue] {
        withTrial(holder, login, state) { trial, access, now in
            guard access.identityKey != nil else { return [:] }
            return trial.facts(
                access, expires: trial.end(access, now: now).timeIntervalSince1970,
                used: .number(Double(trial.resources.count)))
        }
    }

    private static func withTrial<Value: Sendable>(
        _ holder: Trial.Holder, _ login: Login, _ state: SandboxState,
        _ body: (inout Trial, SandboxWorld.Provider.TemporaryAccess, Date) -> Value
    ) -> Value {
        // A TempPass without further description lasts a day.
        let access =
            state.provider(login.mvpdID, of: login.requestorID)?.temporaryAccess ?? .init(seconds: 86_400)
        return state.withTables { tables, now in
            var trial = tables.trials[holder] ?? Trial()
            let value = body(&trial, access, now)
            // One that was only asked about is not in use.
            if trial.began != nil { tables.trials[holder] = trial }
            return value
        }
    }
}

extension Trial {
    fileprivate func facts(
        _ access: SandboxWorld.Provider.TemporaryAccess, expires: Double, used: MetadataValue
    ) -> [String: MetadataValue] {
        var data: [String: MetadataValue] = ["expiration_date": .number(expires), "used_assets": used]
        if let limit = access.resourceLimit {
            data["remaining_resources"] = .number(Double(max(0, limit - resources.count)))
        }
        return data
    }
}
