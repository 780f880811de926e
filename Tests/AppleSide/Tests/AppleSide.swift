import AppleDevice
import Testing

/// The code for Apple systems, run against stand-ins for their frameworks.
///
/// One test after the other: at any time a process is one app on one device.
@Suite(.serialized, .timeLimit(.minutes(60)))
enum AppleSide {}

extension App {
    static let player = App("com.example.tv.Player", team: "TEAM1", keychainGroups: ["com.example.tv"])
    static let guide = App("com.example.tv.Guide", team: "TEAM1", keychainGroups: ["com.example.tv"])
}
