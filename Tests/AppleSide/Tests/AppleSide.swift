import AppleDevice
import Testing

/// The code for Apple systems, run against stand-ins for their frameworks.
///
/// One test after the other: at any time a process is one app on one device. The limit ends a test whose callback never
/// comes; `.ci/apple/stand-ins` ends one that cannot be cancelled.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum AppleSide {}

extension App {
    static let player = App("com.example.tv.Player", team: "TEAM1", keychainGroups: ["com.example.tv"])
    static let guide = App("com.example.tv.Guide", team: "TEAM1", keychainGroups: ["com.example.tv"])
}
