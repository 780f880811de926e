/// What an integrity check read, found and did.
public struct IntegrityReport: Sendable, Equatable {
    /// The requested mode.
    public var mode: IntegrityMode
    /// The number of checked values.
    public var checked = 0
    /// The problems, in no particular order.
    public var problems: [Problem] = []
    /// Entries that this version does not know, perhaps of a newer version; they are not problems.
    public var unknownEntries: [StorageKey] = []
    /// What was done about the problems.
    public var outcome = Outcome.untouched
    /// How long the check took.
    public var duration = Duration.zero

    /// Makes the report of a check that has not begun.
    ///
    /// - Parameter mode: the requested mode.
    public init(mode: IntegrityMode) {
        self.mode = mode
    }

    /// One problem.
    public struct Problem: Sendable, Equatable {
        /// The entry; nil when the problem concerns the whole store.
        public var key: StorageKey?
        /// The kind of problem.
        public var reason: Reason

        /// Says what is wrong with an entry.
        ///
        /// - Parameters:
        ///   - key: the entry; nil when the problem concerns the whole store.
        ///   - reason: the kind of problem.
        public init(_ key: StorageKey?, _ reason: Reason) {
            self.key = key
            self.reason = reason
        }
    }

    /// The kinds of problems.
    public enum Reason: Sendable, Equatable {
        /// A written value came back changed, or not at all.
        case probeFailed
        /// The store's bytes are not consistent.
        case damaged(StorageError.Damage)
        /// The value cannot be opened: it was changed, moved from another entry, or sealed with another key.
        case unreadable
        /// The value is not of the kind that its entry requires.
        case invalid
        /// The token is for another requestor, provider or resource than its entry says.
        case misplaced
        /// The store cannot be read or written, for a reason that lasts.
        case unusable(StorageError)
    }

    /// What was done.
    public enum Outcome: Sendable, Equatable {
        /// Nothing was removed.
        case untouched
        /// All entitlements were removed.
        case cleared
        /// This number of bad values was moved aside.
        case repaired(Int)
        /// The store could not be used now, which proves nothing about its values; nothing was removed.
        case unavailable(StorageError)
    }
}

/// What an integrity check does (API reference, `IntegrityCheckType`; `report` and `repair` are ours).
public enum IntegrityMode: String, Sendable, CaseIterable {
    /// Nothing: neither checks nor removes (`INTEGRITY_CHECK_NONE`, the default).
    case none
    /// Checks the store and every value, and writes nothing.
    case report
    /// Checks that the store works and that every value is valid; on any failure all entitlements are removed and the
    /// viewer is logged out (`INTEGRITY_CHECK_ALL`).
    case all
    /// Removes everything without a check (`INTEGRITY_CHECK_CLEAR`).
    case clear
    /// Checks like ``all``, but only moves bad values aside and keeps the good ones.
    case repair
}
