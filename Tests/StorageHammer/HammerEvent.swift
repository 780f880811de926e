import Foundation

/// What a process did or saw, between two times of the system's monotonic clock, in nanoseconds.
struct HammerEvent: Codable {
    enum Kind: String, Codable {
        case logIn, logOut, imported, look, check, other
    }

    var kind: Kind
    var begin: Int
    var end: Int
    /// The login that was made or imported.
    var login: String?
    /// Its place: requestor and provider.
    var place: String?
    /// The logins that were seen.
    var seen: [String]?
    /// Violations: permissions of other logins, problems of a check, errors.
    var wrong: [String]?

    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
