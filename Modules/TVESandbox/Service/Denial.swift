import FlyingFox
import Foundation
import TVEModels

/// A denied resource, with the part of the sandbox that has denied it.
///
/// A tester learns from it where to look.
package struct Denial: Sendable, Equatable {
    /// The part of the sandbox that decides about a permission.
    package enum Decider: String, Sendable, CaseIterable {
        /// The viewer's resources in the world.
        case viewer
        /// A field of the TV provider in the world.
        case provider
        /// A fault that was active.
        case fault
        /// A setting of the service, `forcedErrors`.
        case behavior
        /// The limits of a TempPass.
        case pass
        /// The absence of a login.
        case login

        /// The end of a sentence that begins with "Denied …, because".
        package var reason: String {
            switch self {
            case .viewer: "the viewer may not watch it"
            case .provider: "a field of the TV provider in the world says so"
            case .fault: "a fault was on"
            case .behavior: "the world forces an error at this step (forcedErrors)"
            case .pass: "the TempPass has reached its limit"
            case .login: "no viewer is logged in on this device"
            }
        }
    }

    package let decider: Decider
    package let resource: String

    /// Groups denied resources by the part of the sandbox that has denied them, in the order of the denials.
    package static func byDecider(_ denials: [Denial]) -> [(decider: Decider, resources: [String])] {
        var groups: [(decider: Decider, resources: [String])] = []
        for denial in denials {
            if let place = groups.firstIndex(where: { $0.decider == denial.decider }) {
                groups[place].resources.append(denial.resource)
            } else {
                groups.append((denial.decider, [denial.resource]))
            }
        }
        return groups
    }

    /// The header of an answer that carries the denials.
    ///
    /// No real service has it.
    static let header = "X-Sandbox-Decision"
    /// The largest number of denials in a header.
    private static let maximum = 20

    fileprivate static func value(_ denials: [Denial]) -> String {
        denials.prefix(maximum).map { "\($0.decider.rawValue) \($0.resource.escapedForPath)" }.joined(separator: ", ")
    }

    fileprivate static func read(_ value: String) -> [Denial] {
        value.parts(separatedBy: ",").compactMap { part in
            let words = part.parts(separatedBy: " ", keepsEmpty: false)
            guard words.count == 2, let decider = Decider(rawValue: String(words[0])),
                let resource = String(words[1]).removingPercentEncoding
            else { return nil }
            return Denial(decider: decider, resource: resource)
        }
    }
}

extension SandboxExchange {
    /// The resources that the answer denies.
    package var denials: [Denial] { answer.header(Denial.header).map(Denial.read) ?? [] }
}

extension HTTPResponse {
    /// Returns the answer with a header that explains its denials.
    func explaining(_ denials: [Denial]) -> HTTPResponse {
        guard !denials.isEmpty else { return self }
        var response = self
        response.headers[HTTPHeader(Denial.header)] = Denial.value(denials)
        return response
    }
}

extension Verdict {
    /// Returns the part of the sandbox that has denied a channel; `nil` when the verdict allows it.
    ///
    /// - Parameters:
    ///   - channel: the channel.
    ///   - login: the login of the viewer; `nil` for none.
    ///   - provider: the provider of the decision.
    ///   - state: the state that has decided.
    func decider(
        of channel: String, for login: Login?, at provider: MVPDID, in state: SandboxState
    ) -> Denial.Decider? {
        switch self {
        case .allowed: nil
        case .deniedByProvider:
            login.map { state.isDeniedByFault(channel, to: $0) } == true ? .fault : .viewer
        case .deniedRepeatedly: .provider
        case .deniedByDegradation: state.isDenyingByFault(provider) ? .fault : .provider
        case .providerUnreachable: state.isUnreachableByFault(provider) ? .fault : .provider
        case .trialIsOver: .pass
        }
    }
}
