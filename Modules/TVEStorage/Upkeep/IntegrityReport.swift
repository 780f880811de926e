/// The result of an integrity check, with the values that it read, the problems, and the measures taken.
public struct IntegrityReport: Sendable, Equatable {
    /// The requested mode.
    public var mode: IntegrityMode
    /// The number of checked values.
    public var checked = 0
    /// The problems, in no particular order.
    public var problems: [Problem] = []
    /// The entries that this version does not know, perhaps of a newer version.
    ///
    /// They are not problems.
    public var unknownEntries: [StorageKey] = []
    /// The measure that was taken against the problems.
    public var outcome = Outcome.untouched
    /// The time that the check took.
    public var duration = Duration.zero
    /// The number of values that another key or a newer version sealed, each of which is one of the problems.
    package var valuesOfOtherKeys = 0

    /// Creates the report of a check that has not begun.
    ///
    /// - Parameter mode: the requested mode.
    public init(mode: IntegrityMode) {
        self.mode = mode
    }

    /// A single problem.
    public struct Problem: Sendable, Equatable {
        /// The entry, or nil if the problem concerns the whole store.
        public var key: StorageKey?
        /// The kind of problem.
        public var reason: Reason

        /// Describes the problem of an entry.
        ///
        /// - Parameters:
        ///   - key: the entry, or nil if the problem concerns the whole store.
        ///   - reason: the kind of problem.
        public init(_ key: StorageKey?, _ reason: Reason) {
            self.key = key
            self.reason = reason
        }
    }

    /// The kinds of problems.
    public enum Reason: Sendable, Equatable {
        /// A value that was written was read with other bytes, or was missing.
        case probeFailed
        /// The store's bytes are not consistent.
        case damaged(StorageError.Damage)
        /// The value cannot be opened, because it was changed, moved from another entry, or sealed with another key.
        case unreadable
        /// The value has another type than its entry requires.
        case invalid
        /// The token is for another requestor, provider or resource than its entry.
        case misplaced
        /// The store cannot be read or written, for a permanent reason.
        case unusable(StorageError)
    }

    /// The measure that was taken.
    public enum Outcome: Sendable, Equatable {
        /// Nothing was removed.
        case untouched
        /// All entitlements were removed.
        case cleared
        /// This number of bad values was set aside.
        case repaired(Int)
        /// The store was temporarily unusable, which proves nothing about its values, so nothing was removed.
        case unavailable(StorageError)
    }
}

/// The mode of an integrity check (API reference, `IntegrityCheckType`; `report` and `repair` are ours).
public enum IntegrityMode: String, Sendable, CaseIterable {
    /// Neither checks nor removes anything (`INTEGRITY_CHECK_NONE`, the default).
    case none
    /// Checks the store and every value, and writes nothing.
    case report
    /// Checks the store and every value, and logs the viewer out if the check fails (`INTEGRITY_CHECK_ALL`).
    ///
    /// On any failure, all entitlements are removed. Two findings are no failures: a record that was never finished,
    /// and values that another key sealed, which are set aside.
    case all
    /// Removes everything without a check (`INTEGRITY_CHECK_CLEAR`).
    case clear
    /// Checks like ``all``, but only sets bad values aside and retains the good ones.
    case repair
}
