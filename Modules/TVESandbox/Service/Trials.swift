import Foundation
import TVEModels

/// The use of a TempPass by one device or viewer (wire protocol, TempPass).
struct Trial: Sendable, Codable {
    /// The owner of a trial: a device, or a viewer's id for a promotional TempPass.
    struct Holder: Hashable, Sendable, Codable {
        let provider: MVPDID
        let id: ExactText
        /// The device on which the trial is used now.
        ///
        /// It does not identify the owner.
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
        /// The largest number of resources, which the value contains.
        case resources(Int)
    }

    /// The time of the first authorization, from which the duration runs; `nil` before.
    var began: Date?
    var resources: Set<ExactText> = []
    /// The devices on which the trial was used; `nil` in a state that an earlier version has saved.
    var devices: Set<ExactText>?

    /// Returns the limit that prevents access to a channel; `nil` when the trial allows it.
    func limit(of channel: String, _ access: SandboxWorld.Provider.TemporaryAccess, now: Date) -> Limit? {
        switch reached(access, now: now) {
        case .resources where resources.contains(ExactText(channel)): nil
        case let limit: limit
        }
    }

    /// Returns the limit that has been reached, so that the trial opens no further resource; `nil` when there is none.
    func reached(_ access: SandboxWorld.Provider.TemporaryAccess, now: Date) -> Limit? {
        guard end(access, now: now) > now else { return .time }
        guard let limit = access.resourceLimit, resources.count >= limit else { return nil }
        return .resources(limit)
    }

    func end(_ access: SandboxWorld.Provider.TemporaryAccess, now: Date) -> Date {
        (began ?? now).addingTimeInterval(TimeInterval(access.seconds))
    }
}

/// The trials of the sandbox's TempPasses.
enum Trials {
    /// Returns the owner of a trial; `nil` when the viewer's id for a promotional TempPass is missing.
    ///
    /// A new id on a device that has used the pass already gets no second trial, because the trial belongs to the
    /// device as well (TempPass page, user identification).
    static func holder(
        of provider: SandboxWorld.Provider, deviceID: String, data: [String: MetadataValue], in state: SandboxState
    ) -> Trial.Holder? {
        let device = ExactText(deviceID)
        guard let identityKey = provider.temporaryAccess?.identityKey else {
            return Trial.Holder(provider: provider.id, id: device)
        }
        guard let identity = data[identityKey]?.stringValue, !identity.isEmpty else { return nil }
        let own = Trial.Holder(provider: provider.id, id: ExactText(identity), deviceID: device)
        return state.withTables { tables, _ in tables.owner(of: own) }
    }

    static func expiry(of holder: Trial.Holder, login: Login, in state: SandboxState) -> Date {
        withTrial(of: holder, login: login, in: state) { trial, access, now in trial.end(access, now: now) }
    }

    /// Uses a TempPass for a resource, and returns the limit that prevents it; `nil` when the pass opens the resource.
    ///
    /// The first successful call starts the time of the pass.
    static func denial(
        of channel: String, holder: Trial.Holder, login: Login, in state: SandboxState
    ) -> Trial.Limit? {
        withTrial(of: holder, login: login, in: state) { trial, access, now in
            if let limit = trial.limit(of: channel, access, now: now) { return limit }
            trial.began = trial.began ?? now
            trial.resources.insert(ExactText(channel))
            if let device = holder.deviceID { trial.devices = (trial.devices ?? []).union([device]) }
            return nil
        }
    }

    /// Returns the limit that a TempPass has reached; `nil` when it can open further resources.
    static func reachedLimit(of holder: Trial.Holder, login: Login, in state: SandboxState) -> Trial.Limit? {
        withTrial(of: holder, login: login, in: state) { trial, access, now in trial.reached(access, now: now) }
    }

    /// Returns the limit that prevents access to a resource, without using the TempPass; `nil` when there is none.
    static func limit(
        of channel: String, holder: Trial.Holder, login: Login, in state: SandboxState
    ) -> Trial.Limit? {
        withTrial(of: holder, login: login, in: state) { trial, access, now in
            trial.limit(of: channel, access, now: now)
        }
    }

    /// Returns the attributes of a TempPass in REST API v2.
    static func attributes(
        of holder: Trial.Holder, login: Login, in state: SandboxState
    ) -> [String: MetadataValue] {
        withTrial(of: holder, login: login, in: state) { trial, access, now in
            let milliseconds = (trial.end(access, now: now).timeIntervalSince1970 * 1000).rounded()
            guard access.identityKey != nil else { return ["expiration_date": .number(milliseconds)] }
            return trial.facts(
                access, expires: milliseconds, used: .array(trial.resources.map(\.text).sorted().map { .string($0) }))
        }
    }

    /// Returns the metadata of a promotional TempPass; empty for any other.
    static func metadata(
        of holder: Trial.Holder, login: Login, in state: SandboxState
    ) -> [String: MetadataValue] {
        withTrial(of: holder, login: login, in: state) { trial, access, now in
            guard access.identityKey != nil else { return [:] }
            return trial.facts(
                access, expires: trial.end(access, now: now).timeIntervalSince1970,
                used: .number(Double(trial.resources.count)))
        }
    }

    private static func withTrial<Value: Sendable>(
        of holder: Trial.Holder, login: Login, in state: SandboxState,
        _ body: (_ trial: inout Trial, _ access: SandboxWorld.Provider.TemporaryAccess, _ now: Date) -> Value
    ) -> Value {
        // A TempPass without a description in the world lasts a day.
        let access =
            state.provider(login.mvpdID, of: login.requestorID)?.temporaryAccess ?? .init(seconds: 86_400)
        // Almost every answer about a trial depends on the service's time, so a fault that moves the clock is recorded
        // as effective.
        state.noteClock()
        return state.withTables { tables, now in
            // The device may have used the pass with another id since its owner was asked for.
            let holder = tables.owner(of: holder)
            var trial = tables.trials[holder] ?? Trial()
            let value = body(&trial, access, now)
            // A trial whose limits were only read is not in use, so it is not stored.
            if trial.began != nil { tables.trials[holder] = trial }
            return value
        }
    }
}

extension SandboxState.Tables {
    /// Returns the owner of the trial that a device uses, which is another viewer's id if the device has used the pass
    /// with that id already.
    fileprivate func owner(of holder: Trial.Holder) -> Trial.Holder {
        guard let device = holder.deviceID, trials[holder] == nil else { return holder }
        let ofDevice = trials.first { other, trial in
            other.provider == holder.provider && trial.devices?.contains(device) == true
        }
        return ofDevice.map { Trial.Holder(provider: holder.provider, id: $0.key.id, deviceID: device) } ?? holder
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
