import Foundation
import TVEModels

/// The measures of a check against the problems it found.
extension EntitlementStore {
    func act(
        on report: inout IntegrityReport, _ requestorIDs: [RequestorID], _ progress: Progress?
    ) throws(StorageError) {
        guard !report.problems.isEmpty else { return }
        // An incomplete record was never acknowledged, so no value is lost. The probe of the check has already replaced
        // the file.
        let failures = report.problems.count { $0.reason != .damaged(.truncated) }
        switch report.mode {
        case .all where failures == 0: break
        // All failures are values that another key or a newer version sealed. They prove nothing about the values that
        // this key opens, so only they are moved aside.
        case .all where failures == report.valuesOfOtherKeys: try repair(&report, progress)
        case .all: try clear(&report, requestorIDs)
        case .repair: try repair(&report, progress)
        case .none, .report, .clear: break
        }
    }

    /// Removes entitlements, and adds records for services that store logins themselves.
    func clear(_ report: inout IntegrityReport, _ requestorIDs: [RequestorID]) throws(StorageError) {
        let mode = report.mode
        let problems = report.problems
        let isCleared: Bool
        do throws(StorageError) {
            isCleared = try clearOnceOrTwice(mode, problems: problems, loggingOut: requestorIDs)
        } catch {
            // A caller that clears the store wants none of its values, so a missing key does not matter.
            let isWithoutKey = mode == .clear && (error == .keyMissing || error == .invalidKey)
            guard !error.passesByItself || isWithoutKey else { throw error }
            // The contents can no longer be read or changed. The names of the entries are not sealed, and show whose
            // logins the service may have.
            let names = try readableNames()
            try backend.removeEverything()
            try change { entitlements throws(StorageError) in
                try entitlements.clear(mode, problems: [], loggingOut: requestorIDs, lost: names)
            }
            isCleared = true
        }
        report.outcome = isCleared ? .cleared : .untouched
        if !isCleared { report.problems = [] }
    }

    /// Removes entitlements in a change that is repeated if the medium fails, because a single failure proves nothing
    /// about the other values.
    ///
    /// - Returns: false if another process has repaired the problems in the meantime.
    private func clearOnceOrTwice(
        _ mode: IntegrityMode, problems: [IntegrityReport.Problem], loggingOut requestorIDs: [RequestorID]
    ) throws(StorageError) -> Bool {
        func attempt() throws(StorageError) -> Bool {
            try change { entitlements throws(StorageError) in
                if mode != .clear, try !entitlements.stillHas(problems) { return false }
                try entitlements.clear(mode, problems: problems, loggingOut: requestorIDs)
                return true
            }
        }
        do throws(StorageError) {
            return try attempt()
        } catch {
            switch error {
            case .cannotRead where !error.passesByItself, .cannotWrite where !error.passesByItself:
                // If the second attempt finds nothing, the first one has taken effect although it failed.
                _ = try attempt()
                return true
            default: throw error
            }
        }
    }

    /// Returns the names of all entries, or none if the store can never be read.
    private func readableNames() throws(StorageError) -> [StorageKey] {
        do throws(StorageError) {
            return try backend.keys(under: .everything)
        } catch {
            guard !error.passesByItself else { throw error }
            return []
        }
    }

    private func repair(_ report: inout IntegrityReport, _ progress: Progress?) throws(StorageError) {
        // In a store that cannot be read or written, nothing can be moved.
        for case .unusable(let error) in report.problems.map(\.reason) { throw error }
        do throws(StorageError) {
            report.outcome = .repaired(try moveAside(report.problems))
        } catch .damaged {
            // The store is not readable as a whole. The backend preserves its bytes elsewhere, and retains the values
            // that it can read nevertheless, which no check has read yet.
            try backend.setAside()
            report.problems.removeAll { $0.key != nil }
            report.unknownEntries = []
            try inspectValues(&report, progress)
            report.outcome = .cleared
            if report.checked > 0 { report.outcome = .repaired(try moveAside(report.problems)) }
        }
    }

    private func moveAside(_ problems: [IntegrityReport.Problem]) throws(StorageError) -> Int {
        try change { entitlements throws(StorageError) in try entitlements.quarantine(problems) }
    }
}

extension EntitlementChanges {
    /// Returns a Boolean value that indicates whether any of the found problems still exists.
    ///
    /// Another process may have repaired it in the meantime.
    fileprivate func stillHas(_ problems: [IntegrityReport.Problem]) throws(StorageError) -> Bool {
        for problem in problems {
            guard let key = problem.key, try !isBad(key) else { return true }
        }
        return false
    }

    private func isBad(_ key: StorageKey) throws(StorageError) -> Bool {
        guard let value = try draft.values(for: [key]).first else { return false }
        if case .bad = try EntitlementValidity(reader: reader).verdict(on: value, at: key) { return true }
        return false
    }

    /// Removes entitlements, and adds records for services that store logins themselves.
    ///
    /// - Parameter names: the entries that were removed unread. Marks and records among them matter by their existence,
    ///   and are written anew.
    fileprivate mutating func clear(
        _ mode: IntegrityMode, problems: [IntegrityReport.Problem], loggingOut requestorIDs: [RequestorID],
        lost names: [StorageKey] = []
    ) throws(StorageError) {
        for key in names where StoredEntry(key) != nil { try renewMark(key) }
        let notes = try notesOfAll(requestorIDs, lost: names)
        for problem in problems {
            guard let key = problem.key, !key.isInside(StoredEntry.entitlements) else { continue }
            try draft.add([.removeAll(under: key)])
            try renewMark(key)
        }
        try carryOut(.cleared)
        try draft.add([.removeAll(under: StoredEntry.probes)] + notes)
        if mode == .clear { try draft.add([.removeAll(under: StoredEntry.registrations)]) }
        // No session could be created with an unreadable text, and the entitlements of its device are useless.
        for key in try draft.keys(under: StoredEntry.devices) where try isBad(key) {
            try draft.add([.remove(key)])
        }
    }

    /// Replaces an unreadable mark with a good one, because only the mark's existence matters.
    private mutating func renewMark(_ key: StorageKey) throws(StorageError) {
        let marks = [StoredEntry.imports, StoredEntry.begunLogins]
        if marks.contains(where: key.isInside) { try draft.add([.put(key, StoredEntry.yes)]) }
        if key.isInside(StoredEntry.logouts) { try draft.add([.put(key, LogoutNote().bytes)]) }
    }

    /// Returns the records for services that store logins.
    ///
    /// They concern the given requestors, those whose viewer has begun to log in, and those with a copy, or possibly
    /// with one, in this store or among the entries that were removed unread.
    private func notesOfAll(
        _ requestorIDs: [RequestorID], lost names: [StorageKey]
    ) throws(StorageError) -> [StorageChange] {
        var owners = Set(fingerprint.isEmpty ? [] : requestorIDs.map { owner($0) })
        owners.formUnion(try ownersOfBegunLogins())
        for case .authentication(let login)? in names.map(StoredEntry.init) { owners.insert(login.owner) }
        for key in try draft.keys(under: StoredEntry.entitlements) {
            guard case .authentication(let login) = StoredEntry(key) else { continue }
            if try readableLogin(at: key)?.text.isCopy != false { owners.insert(login.owner) }
        }
        return owners.flatMap(\.endingEveryLogin)
    }

    /// Sets bad values aside.
    ///
    /// - Returns: the number of values that were moved.
    fileprivate mutating func quarantine(_ problems: [IntegrityReport.Problem]) throws(StorageError) -> Int {
        var moved = 0
        for problem in problems {
            guard let key = problem.key, try isBad(key) else { continue }
            if let raw = try draft.rawValue(for: key) {
                try draft.add([.put(StoredEntry.quarantine.appending(key.rawValue), raw)])
            }
            try draft.add([.remove(key)])
            try renewMark(key)
            moved += 1
        }
        // Any write repairs a damaged log, even if no single value is bad.
        if moved == 0 { try draft.add([.put(StoredEntry.quarantine.appending("repaired"), Data())]) }
        return moved
    }
}
