import TVETokenVerification
import TVEVerification

/// The requestors without keys, each of which is an obstacle to serving or a warning.
///
/// A requestor that has not had keys yet is an obstacle, so that a key directory that is misspelt or not mounted stops
/// a rollout. If its keys vanish later, they vanish for every verifier, because all of them read the same files. A load
/// balancer would then turn away from the whole fleet, and the plays of the other requestors would stop as well. While
/// another requestor has keys, this is therefore a warning.
struct MissingKeys: Sendable {
    private struct Requestor: Sendable {
        let policy: RequestorPolicy
        let directory: KeyDirectory?
    }

    private var requestors: [Requestor] = []

    /// Adds a requestor.
    ///
    /// - Parameters:
    ///   - policy: the requestor's id and keys.
    ///   - directory: the directory of the keys; `nil` if all keys are fixed.
    mutating func watch(_ policy: RequestorPolicy, in directory: KeyDirectory?) {
        requestors.append(Requestor(policy: policy, directory: directory))
    }

    /// The sentences about requestors for which the service is not ready.
    var obstacles: [String] { sentences(areWarnings: false) }

    /// The sentences about requestors that have lost their keys while another one has some.
    var warnings: [String] { sentences(areWarnings: true) }

    private func sentences(areWarnings: Bool) -> [String] {
        let missing = requestors.filter(\.policy.keys.keys.isEmpty)
        let isAnyServed = missing.count < requestors.count
        return missing.filter { (isAnyServed && $0.directory?.hasHadKeys == true) == areWarnings }
            .map { "\($0.policy.id) has no keys." }
    }
}
