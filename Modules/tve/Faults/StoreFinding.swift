import TVEStorage

/// A finding of `tve storage check` about an entry of a store, or about the whole store.
enum StoreFinding: ToolFault {
    /// A value that was written for a test and not read back.
    case probeFailed
    /// A store whose end is missing.
    case truncated
    /// A store whose bytes do not match their checksum.
    case checksum
    /// A value that cannot be decrypted.
    case unreadable
    /// A value of another type than its entry requires.
    case invalid
    /// A value of another entry.
    case misplaced
    /// A store that cannot be used, with its problem.
    case unusable(StoreProblem)
    /// An entry that this version does not know, which is no problem.
    case unknownEntry

    init(_ reason: IntegrityReport.Reason, at places: StorePlaces) {
        self =
            switch reason {
            case .probeFailed: .probeFailed
            case .damaged(.truncated): .truncated
            case .damaged(.checksum): .checksum
            case .unreadable: .unreadable
            case .invalid: .invalid
            case .misplaced: .misplaced
            case .unusable(let error): .unusable(StoreProblem(error, at: places))
            }
    }

    var sentences: (found: String, advice: String) {
        switch self {
        case .probeFailed:
            (
                "A value that was written for a test could not be read back.",
                "Check the disk, or name another store with --directory."
            )
        case .truncated: ("The end of the store is missing.", StoreProblem.repair)
        case .checksum: ("The bytes of the store do not match their checksum.", StoreProblem.repair)
        case .unreadable:
            (
                "The value cannot be decrypted: it is damaged, was moved, or is sealed with another key.",
                StoreProblem.repair
            )
        case .invalid: ("The value is not valid for this entry.", StoreProblem.repair)
        case .misplaced: ("The value belongs to another entry.", StoreProblem.repair)
        case .unusable(let problem): (problem.cause, problem.nextStep)
        case .unknownEntry:
            ("This version does not know the entry.", "Leave it there: a newer version may have written it.")
        }
    }
}
