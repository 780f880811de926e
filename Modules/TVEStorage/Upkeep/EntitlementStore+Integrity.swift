import Foundation
public import TVEModels

extension EntitlementStore {
    /// A function that receives the number of checked values and of all values.
    ///
    /// It may run on any thread, but its calls follow one another.
    public typealias Progress = @Sendable (_ checked: Int, _ all: Int) -> Void

    /// Checks the store.
    ///
    /// A store that is temporarily unusable (locked, full, no permission, written by a newer version, sealed with
    /// another key) is not damaged: the report states the reason, and nothing is removed. A store that can never be
    /// read or written is damaged; ``IntegrityMode/all`` inspects it a second time before it removes anything. An entry
    /// that this version does not know is not a problem. Problems that ``IntegrityMode/all`` and
    /// ``IntegrityMode/repair`` find are checked again inside the change that follows, so that a login which another
    /// process made in the meantime remains.
    ///
    /// Valid registrations of the application survive every mode except ``IntegrityMode/clear``. The random text that
    /// identifies the device survives all modes as long as it is readable. Every mode that removes anything also
    /// removes an unreadable one. Then the device gets a new identity, and all viewers must log in again.
    ///
    /// - Parameters:
    ///   - mode: the extent of the check and the measures against problems.
    ///   - requestorIDs: the requestors whose service stores the logins itself, and must receive a logout if a check
    ///     removes them here.
    ///   - progress: receives the number of checked values and of all values from time to time.
    /// - Returns: the report of the check.
    public func check(
        _ mode: IntegrityMode, loggingOut requestorIDs: [RequestorID] = [], progress: Progress? = nil
    ) -> IntegrityReport {
        var report = IntegrityReport(mode: mode)
        let clock = ContinuousClock()
        let start = clock.now
        do throws(StorageError) {
            switch mode {
            case .none: break
            case .report, .all, .repair:
                try inspect(&report, progress)
                // No other mode removes anything because of such a failure.
                if mode == .all, report.problems.contains(where: \.isUnusable) { try confirm(&report, progress) }
                try act(on: &report, requestorIDs, progress)
            case .clear: try clear(&report, requestorIDs)
            }
        } catch {
            report.outcome = .unavailable(error)
        }
        report.duration = clock.now - start
        return report
    }

    private func inspect(_ report: inout IntegrityReport, _ progress: Progress?) throws(StorageError) {
        do throws(StorageError) {
            // This comes before anything is written, because a write sets damage aside.
            if let damage = try backend.damage() { report.problems.append(.init(nil, .damaged(damage))) }
            if report.mode != .report, try !backend.probe() { report.problems.append(.init(nil, .probeFailed)) }
            try inspectValues(&report, progress)
        } catch .damaged(let damage) {
            report.problems.append(.init(nil, .damaged(damage)))
        } catch {
            guard !error.passesByItself else { throw error }
            report.problems.append(.init(nil, .unusable(error)))
        }
    }

    /// Inspects a store again that could not be used, because a single failure proves nothing about the values.
    private func confirm(_ report: inout IntegrityReport, _ progress: Progress?) throws(StorageError) {
        // Damage may be reported only once, and must be in the report even if this inspection fails.
        let others = report.problems.filter { !$0.isUnusable }
        report = IntegrityReport(mode: report.mode)
        defer {
            let found = report.problems
            report.problems += others.filter { !found.contains($0) }
        }
        try inspect(&report, progress)
    }

    func inspectValues(_ report: inout IntegrityReport, _ progress: Progress?) throws(StorageError) {
        let keys = try backend.keys(under: .everything).filter { !$0.isInside(StoredEntry.quarantine) }
        let findings = Guarded(Findings())
        let portions = (keys.count + Self.portion - 1) / Self.portion
        @Sendable func inspect(_ number: Int) {
            let some = Array(keys[(number * Self.portion)..<min((number + 1) * Self.portion, keys.count)])
            let result = Result { () throws(StorageError) in try inspected(some) }
            findings.withLock { findings in
                findings.add(result)
                progress?(findings.checked, keys.count)
            }
        }
        // Opening and parsing use all cores if there is enough work for each.
        if portions < Self.worthSharing {
            for number in 0..<portions { inspect(number) }
        } else {
            DispatchQueue.concurrentPerform(iterations: portions, execute: inspect)
        }
        let all = findings.withLock(\.self)
        if let failure = all.failure { throw failure }
        // If the key opens no value at all, it is the wrong key, or a newer version sealed all of them. Neither proves
        // anything about the values.
        if all.checked > 0, all.ofOtherKeys == all.checked { throw all.areNewer ? .unknownLayout : .keyMissing }
        report.checked = all.checked
        report.valuesOfOtherKeys = all.ofOtherKeys
        report.problems += all.problems
        report.unknownEntries += all.unknown
    }

    /// The number of values that are read at once.
    private static let portion = 256
    /// The number of portions from which several threads are faster.
    private static let worthSharing = 4

    /// The results of the threads of one check so far.
    private struct Findings: Sendable {
        var checked = 0
        var problems: [IntegrityReport.Problem] = []
        var unknown: [StorageKey] = []
        /// The number of values that another key or a newer version sealed.
        var ofOtherKeys = 0
        /// A Boolean value that indicates whether a newer version sealed one of them.
        var areNewer = false
        var failure: StorageError?

        mutating func add(_ result: Result<Findings, StorageError>) {
            switch result {
            case .success(let more):
                checked += more.checked
                problems += more.problems
                unknown += more.unknown
                ofOtherKeys += more.ofOtherKeys
                areNewer = areNewer || more.areNewer
            case .failure(let error): failure = failure ?? error
            }
        }
    }

    /// Returns the problems of some values.
    private func inspected(_ keys: [StorageKey]) throws(StorageError) -> Findings {
        var findings = Findings()
        let validity = EntitlementValidity(reader: reader)
        for (key, value) in zip(keys, try backend.values(for: keys)) {
            findings.checked += 1
            let isNewer = value == .failure(.unknownLayout)
            if isNewer { findings.areNewer = true }
            if isNewer || value == .failure(.keyMissing) { findings.ofOtherKeys += 1 }
            switch try validity.verdict(on: value, at: key) {
            case .good: break
            case .bad(let reason): findings.problems.append(.init(key, reason))
            case .unknown: findings.unknown.append(key)
            }
        }
        return findings
    }
}

extension IntegrityReport.Problem {
    /// A Boolean value that indicates whether the store could not be read or written.
    fileprivate var isUnusable: Bool { if case .unusable = reason { true } else { false } }
}
