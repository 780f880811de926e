package import TVEModels

/// The membership of this device in a household of one requestor, in the store.
package final class KeptMembership: Sendable {
    private struct Memory {
        /// A Boolean value that indicates whether the store had no membership when it was last read.
        var isNone = false
        /// The number of times that the absence was forgotten because the store may have a membership.
        var changes = 0
        /// The outcome of a renewal that could not be stored, and the membership in whose place it is used.
        var unsaved: (insteadOf: StoredMembership, settled: StoredMembership)?
    }

    private let store: InstallationStore
    private let requestorID: RequestorID
    private let fingerprint: String
    private let memory = Guarded(Memory())

    package init(in store: InstallationStore, requestorID: RequestorID, fingerprint: String) {
        self.store = store
        self.requestorID = requestorID
        self.fingerprint = fingerprint
    }

    /// Returns the membership.
    ///
    /// A membership is read each time, because another process may have ended it.
    ///
    /// - Parameter isAnew: a Boolean value that indicates whether to read the store even if it had no membership the
    ///   last time. Requests of devices without a household, which are most, do not.
    package func readMembership(isAnew: Bool) throws(StorageError) -> StoredMembership? {
        guard let changes: Int = memory.withLock({ !isAnew && $0.isNone ? nil : $0.changes }) else { return nil }
        let read = try store.membership(requestorID: requestorID, fingerprint: fingerprint)
        return memory.withLock { memory in
            // The device may have joined a household since the store was read.
            if memory.changes == changes { memory.isNone = read == nil }
            guard let unsaved = memory.unsaved, unsaved.insteadOf == read else { return read }
            return unsaved.settled
        }
    }

    /// Reads the store at the next request even if it had no membership the last time.
    ///
    /// Another process may have joined a household.
    package func forgetAbsence() {
        memory.withLock { memory in
            memory.isNone = false
            memory.changes += 1
        }
    }

    /// Stores a membership.
    ///
    /// - Parameter isFirst: a Boolean value that indicates whether to store nothing if the device is a member already.
    /// - Returns: a Boolean value that indicates whether the membership was stored, and the one that was stored before.
    package func writeMembership(
        _ membership: StoredMembership, isFirst: Bool
    ) throws(StorageError) -> (isStored: Bool, earlier: StoredMembership?) {
        let unsaved = memory.withLock(\.unsaved)
        let earlier = Guarded<StoredMembership?>(nil)
        let isStored = try store.setMembership(membership, requestorID: requestorID, fingerprint: fingerprint) { kept in
            // A device whose membership has ended is no member, even if the end could not be stored.
            let present = unsaved.flatMap { $0.insteadOf == kept ? $0.settled : nil } ?? kept
            earlier.withLock { $0 = present }
            return !isFirst || present?.state != .member
        }
        memory.withLock { memory in
            memory = Memory(changes: memory.changes + 1, unsaved: isStored ? nil : memory.unsaved)
        }
        return (isStored, earlier.withLock(\.self))
    }

    /// Stores the outcome of a renewal.
    ///
    /// An outcome that cannot be stored is used until this process ends.
    ///
    /// - Returns: `false` if the device has joined or left a household in the meantime.
    package func replaceMembership(_ membership: StoredMembership, by settled: StoredMembership) -> Bool {
        let unsaved = memory.withLock(\.unsaved)
        let before = unsaved?.settled == membership ? unsaved?.insteadOf ?? membership : membership
        do throws(StorageError) {
            let isStored = try store.setMembership(
                settled, requestorID: requestorID, fingerprint: fingerprint, isRenewal: true, if: { $0 == before })
            memory.withLock { $0.unsaved = nil }
            return isStored
        } catch {
            memory.withLock { $0.unsaved = (before, settled) }
            return true
        }
    }
}
