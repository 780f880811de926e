import Foundation
import TVEModels

extension EntitlementStore {
    /// Told how many of all values were checked; runs on whatever thread checks, one call after the other.
    public typealias Progress = @Sendable (_ checked: Int, _ all: Int) -> Void

    /// Checks the store.
    ///
    /// A store that cannot be used at the moment (locked, full, no permission, written by a newer version) is not a
    /// damaged one: the report says so, and nothing is removed. Registrations of the application outlive every mode but
    /// ``IntegrityMode/clear``; the text that stands for the device outlives all of them.
    ///
    /// - Parameters:
    ///   - mode: what to check and what to do about failures.
    ///   - progress: called now and then with the number of values checked and of all values.
    /// - Returns: what was checked, found and done.
    public func check(_ mode: IntegrityMode, progress: Progress? = nil) -> IntegrityReport {
        var report = IntegrityReport(mode: mode)
        let clock = ContinuousClock()
        let start = clock.now
        do throws(StorageError) {
            switch mode {
            case .none: break
            case .report, .all, .repair: try inspect(&report, progress)
            case .clear: try clear(&report, registrations: true)
            }
        } catch {
            report.outcome = .unavailable(error)
        }
        report.duration = clock.now - start
        return report
    }

    private func inspect(
        _ report: inout IntegrityReport, _ progress: Progress?
    ) throws(StorageError) {
        do throws(StorageError) {
            // Before anything is written, since a write puts damage aside.
            if let damage = try backend.damage() { report.problems.append(.init(nil, .damaged(damage))) }
            if report.mode != .report { try probe(&report) }
            try inspectValues(&report, progress)
        } catch .damaged(let damage) {
            report.problems.append(.init(nil, .damaged(damage)))
        }
        guard !report.problems.isEmpty else { return }
        switch report.mode {
        case .all: try clear(&report, registrations: false)
        case .repair: try repair(&report)
        case .none, .report, .clear: break
        }
    }

    /// Writes a value, reads it back and removes it.
    private func probe(_ report: inout IntegrityReport) throws(StorageError) {
        let key = StorageKey("probe", UUID().uuidString)
        let value = Data(key.rawValue.utf8)
        try backend.apply([.put(key, value)])
        let found: Data?
        do throws(StorageError) {
            found = try backend.value(for: key)
        } catch .invalidValue {
            found = nil
        }
        try backend.apply([.remove(key)])
        let left = try backend.value(for: key)
        if found != value || left != nil { report.problems.append(.init(nil, .probeFailed)) }
    }

    private func inspectValues(
        _ report: inout IntegrityReport, _ progress: Progress?
    ) throws(StorageError) {
        let keys = try backend.keys(under: .everything).filter { !$0.isInside(Self.quarantine) }
        let findings = Guarded(Findings())
        let portions = (keys.count + Self.portion - 1) / Self.portion
        @Sendable func inspect(_ number: Int) {
            let some = Array(keys[(number * Self.portion)..<min((number + 1) * Self.portion, keys.count)])
            let result = Result { () throws(StorageError) in try problems(of: some) }
            findings.withLock { findings in
                findings.add(result, of: some.count)
                progress?(findings.checked, keys.count)
            }
        }
        // Opening and parsing use all cores, once there is enough to do for each.
        if portions < Self.worthSharing {
            for number in 0..<portions { inspect(number) }
        } else {
            DispatchQueue.concurrentPerform(iterations: portions, execute: inspect)
        }
        let all = findings.withLock(\.self)
        if let failure = all.failure { throw failure }
        // A key that opens nothing at all is the wrong key: that proves nothing about the values.
        if all.checked > 0, all.problems.count(where: { $0.reason == .unreadable }) == all.checked { throw .keyMissing }
        report.checked = all.checked
        report.problems += all.problems
    }

    /// How many values are read at a time.
    private static let portion = 256
    /// How many portions are worth several threads.
    private static let worthSharing = 4

    /// What the threads of one check have found so far.
    private struct Findings: Sendable {
        var checked = 0
        var problems: [IntegrityReport.Problem] = []
        var failure: StorageError?

        mutating func add(_ result: Result<[IntegrityReport.Problem], StorageError>, of count: Int) {
            checked += count
            switch result {
            case .success(let problems): self.problems += problems
            case .failure(let error): failure = failure ?? error
            }
        }
    }

    /// What is wrong with some values.
    private func problems(of keys: [StorageKey]) throws(StorageError) -> [IntegrityReport.Problem] {
        var problems: [IntegrityReport.Problem] = []
        for (key, value) in zip(keys, try backend.values(for: keys)) {
            if let reason = try problem(with: value, at: key) { problems.append(.init(key, reason)) }
        }
        return problems
    }

    /// What is wrong with one value, nil when nothing is.
    private func problem(
        with value: Result<Data?, StorageError>, at key: StorageKey
    ) throws(StorageError) -> IntegrityReport.Reason? {
        switch value {
        case .success(let bytes): return bytes.flatMap { validity(of: $0, at: key.parts) }
        case .failure(.invalidValue): return .unreadable
        case .failure(let error): throw error
        }
    }

    /// What is wrong with a value that was read, by the layout of this store.
    private func validity(of value: Data, at path: [Substring]) -> IntegrityReport.Reason? {
        switch (path.first, path.count) {
        case ("registration", 2): return reader.isRegistration(value) ? nil : .invalid
        case ("device", 2), ("probe", 2), ("imported", 3): return value.isEmpty ? .invalid : nil
        case ("logout", 4) where path[3] == "all": return value == Self.yes ? nil : .invalid
        case ("logout", 5) where path[3] == "mvpd":
            return value == Self.yes || value == Data(Self.endedText.utf8) ? nil : .invalid
        // Empty when the viewer took the choice back.
        case ("requestor", 4) where path[3] == "current":
            return String(validating: value, as: UTF8.self) == nil ? .invalid : nil
        case ("requestor", 4) where path[3] == Self.pending: return value.isEmpty ? .invalid : nil
        case ("requestor", 6...) where path[3] == "mvpd": return validity(of: value, inLogin: path)
        default: return .unknownEntry
        }
    }

    /// Path: `requestor`, requestor, fingerprint, `mvpd`, provider, kind, and for AuthZ tokens the resource.
    private func validity(of value: Data, inLogin path: [Substring]) -> IntegrityReport.Reason? {
        let (requestorID, fingerprint, mvpdID, kind) = (path[1], path[2], path[4], path[5])
        func isSame(_ name: String, _ part: Substring) -> Bool { name == part || name == StorageKey.decoded(part) }
        let text = String(decoding: value, as: UTF8.self)
        switch (kind, path.count) {
        case ("authn", 6):
            guard let claims = try? reader.authentication(text).claims else { return .invalid }
            return isSame(claims.requestorID, requestorID) && isSame(claims.providerID, mvpdID)
                && (claims.fingerprint == fingerprint || claims.fingerprint.lowercased() == fingerprint)
                ? nil : .misplaced
        case ("authz", 7):
            guard let claims = try? reader.authorization(text).claims else { return .invalid }
            return isSame(claims.requestorID, requestorID) && isSame(claims.resource.text, path[6])
                && claims.fingerprint?.lowercased() ?? String(fingerprint) == fingerprint ? nil : .misplaced
        case ("metadata", 6): return (try? Self.metadata(value)) == nil ? .invalid : nil
        case (Substring(Self.preauthorization), 6): return Self.decisions(value) == nil ? .invalid : nil
        case ("canAuthenticate", 6), ("platform", 6): return value == Self.yes ? nil : .invalid
        default: return .unknownEntry
        }
    }

    // MARK: - Consequences

    private func clear(_ report: inout IntegrityReport, registrations: Bool) throws(StorageError) {
        do throws(StorageError) {
            var batch: [StorageChange] = [
                .removeAll(under: Self.root), .removeAll(under: Self.quarantine),
                .removeAll(under: StorageKey("probe")),
            ]
            if registrations { batch.append(.removeAll(under: InstallationStore.registrations)) }
            // What is neither entitlement nor known goes with them.
            for problem in report.problems {
                if let key = problem.key, !key.isInside(StorageKey("device")) { batch.append(.remove(key)) }
            }
            try backend.apply(batch)
        } catch .damaged {
            try backend.removeEverything()
        }
        report.outcome = .cleared
    }

    private func repair(_ report: inout IntegrityReport) throws(StorageError) {
        let bad = report.problems.compactMap(\.key)
        do throws(StorageError) {
            var batch: [StorageChange] = []
            for key in bad {
                if let raw = try backend.rawValue(for: key) {
                    batch.append(.put(Self.quarantine.appending(key.rawValue), raw))
                }
                batch.append(.remove(key))
            }
            // Writing at all makes a damaged log whole again, even when no single value is bad.
            if batch.isEmpty { batch.append(.put(Self.quarantine.appending("repaired"), Data())) }
            try backend.apply(batch)
            report.outcome = .repaired(bad.count)
        } catch .damaged {
            // Nothing in there can be read any more; the backend keeps the bytes aside.
            try backend.removeEverything()
            report.outcome = .cleared
        }
    }
}
