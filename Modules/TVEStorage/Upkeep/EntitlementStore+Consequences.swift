import Foundation
import TVEModels

/// What a check does about the problems it found.
extension EntitlementStore {
    func act(on report: inout IntegrityReport, _ requestorIDs: [RequestorID]) throws(StorageError) {
        guard !report.problems.isEmpty else { return }
        switch report.mode {
        case .all: try clear(&report, requestorIDs)
        case .repair: try repair(&report)
        case .none, .report, .clear: break
        }
    }

    /// Removes entitlements, with notes for services that keep logins themselves.
    func clear(_ report: inout IntegrityReport, _ requestorIDs: [RequestorID]) throws(StorageError) {
        let (mode, problems) = (report.mode, report.problems)
        let isCleared: Bool
        do throws(StorageError) {
            isCleared = try change { entitlements throws(StorageError) in
                if mode != .clear, try !entitlements.stillHas(problems) { return false }
                try entitlements.clear(mode, problems, requestorIDs)
                return true
            }
        } catch {
            guard !error.passesByItself else { throw error }
            // Its contents cannot be read or changed any more.
            try backend.removeEverything()
            try change { entitlements throws(StorageError) in try entitlements.clear(mode, [], requestorIDs) }
            isCleared = true
        }
        report.outcome = isCleared ? .cleared : .untouched
        if !isCleared { report.problems = [] }
    }

    private func repair(_ report: inout IntegrityReport) throws(StorageError) {
        // In a store that cannot be read or written, nothing can be moved.
        for case .unusable(let error) in report.problems.map(\.reason) { throw error }
        let problems = report.problems
        do throws(StorageError) {
            let moved = try change { entitlements throws(StorageError) in try entitlements.quarantine(problems) }
            report.outcome = .repaired(moved)
        } catch .damaged {
            // Its contents cannot be read any more; the backend keeps the bytes aside.
            try backend.setAside()
            report.outcome = .cleared
        }
    }
}

extension EntitlementChanges {
    /// Whether any of the found problems still exists; another process may have repaired it in the meantime.
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

    fileprivate mutating func clear(
        _ mode: IntegrityMode, _ problems: [IntegrityReport.Problem], _ requestorIDs: [RequestorID]
    ) throws(StorageError) {
        let notes = try notesOfAll(requestorIDs)
        for problem in problems {
            guard let key = problem.key, !key.isInside(StoredEntry.entitlements) else { continue }
            try draft.add([.removeAll(under: key)])
            try renewMark(key)
        }
        try carryOut(.cleared)
        try draft.add([.removeAll(under: StoredEntry.probes)] + notes)
        if mode == .clear { try draft.add([.removeAll(under: StoredEntry.registrations)]) }
        // With an unreadable text no session could be made, and the entitlements of its device are useless.
        for key in try draft.keys(under: StoredEntry.devices) where try isBad(key) {
            try draft.add([.remove(key)])
        }
    }

    /// Replaces an unreadable mark with a good one: the mark's existence is what counts.
    private mutating func renewMark(_ key: StorageKey) throws(StorageError) {
        let marks = [StoredEntry.imports, StoredEntry.begunLogins]
        if marks.contains(where: key.isInside) { try draft.add([.put(key, StoredEntry.yes)]) }
        if key.isInside(StoredEntry.logouts) { try draft.add([.put(key, LogoutNote().bytes)]) }
    }

    /// Notes for services that keep logins: about the given requestors, those whose viewer has begun to log in, and those
    /// with a copy, or possibly with one, in this store.
    private func notesOfAll(_ requestorIDs: [RequestorID]) throws(StorageError) -> [StorageChange] {
        var owners = Set(fingerprint.isEmpty ? [] : requestorIDs.map { owner($0) })
        owners.formUnion(try ownersOfBegunLogins())
        for key in try draft.keys(under: StoredEntry.entitlements) {
            guard case .authentication(let login) = StoredEntry(key) else { continue }
            if try readableLogin(at: key)?.text.isCopy != false { owners.insert(login.owner) }
        }
        return owners.flatMap(\.endingEveryLogin)
    }

    /// Moves bad values aside.
    ///
    /// - Returns: how many values were moved.
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
        // Any write repairs a damaged log, even when no single value is bad.
        if moved == 0 { try draft.add([.put(StoredEntry.quarantine.appending("repaired"), Data())]) }
        return moved
    }
}
