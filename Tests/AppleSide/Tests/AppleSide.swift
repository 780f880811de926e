import AppleDevice
import Testing

/// The code for Apple systems, run against stand-ins for their frameworks.
///
/// The tests run one after the other, because at any time a process is one app on one device. The time limit ends a
/// test whose callback never arrives; `.ci/apple/stand-ins` ends one that cannot be cancelled.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum AppleSide {}

extension App {
    static let player = App("com.example.tv.Player", team: "TEAM1", keychainGroups: ["com.example.tv"])
    static let guide = App("com.example.tv.Guide", team: "TEAM1", keychainGroups: ["com.example.tv"])
}

extension AppleDevice {
    /// Lets apps read the TV provider account, and applies further changes to it.
    func grantAccess(_ change: (inout TVAccount) -> Void) {
        with {
            $0.account.access = .granted
            change(&$0.account)
        }
    }
}
