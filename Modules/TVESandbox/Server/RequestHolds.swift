import FlyingFox
package import Foundation
import TVEModels

/// The answers that wait until the tester lets them go.
///
/// A rule holds the next answer at a step or to a device, for a limited time.
package final class RequestHolds: Sendable {
    /// A rule that holds one answer for a limited time.
    package struct Rule: Hashable, JSONForm {
        /// The name of the step; `nil` for every request of an app.
        package var step: String?
        /// The id of the device; `nil` for every device.
        package var device: String?
        /// The time in seconds after which the answer goes by itself; `nil` for ``usualSeconds``.
        package var seconds: Int?

        package static let usualSeconds = 60
        package static let range = 1...600
        package static let shape = JSONShape(Rule(step: "step", device: "id", seconds: usualSeconds))

        fileprivate func fits(_ step: ServiceStep, _ device: String?) -> Bool {
            if let wanted = self.device, !wanted.isSameBytes(as: device ?? "") { return false }
            if let wanted = self.step { return wanted == step.id }
            return step.sender == .app && step.dialect != .sandbox
        }
    }

    /// An answer that waits.
    package struct Held: Sendable {
        /// The number of its exchange.
        package let id: Int
        package let step: ServiceStep
        /// The machine's time at which the answer goes by itself.
        package let until: Date
        package let status: Int
        package let body: Data
    }

    /// The form in which the tester lets an answer go.
    package enum Release: Sendable {
        case asItIs
        case edited(status: Int, body: Data?)
        case fault(SandboxWorld.Fault)
    }

    private struct State {
        var rules: [Rule] = []
        var held: [Int: (answer: Held, way: AsyncStream<Release>.Continuation)] = [:]
    }

    private static let maximumRules = 20
    private let state = Guarded(State())

    /// The rules that have not held an answer yet.
    package var rules: [Rule] { state.withLock(\.rules) }

    /// The answers that wait, in the order of their requests.
    package var held: [Held] { state.withLock { $0.held.values.map(\.answer).sorted { $0.id < $1.id } } }

    /// Adds a rule that holds the next answer that fits it.
    ///
    /// - Returns: `false` when there are too many rules already.
    package func add(_ rule: Rule) -> Bool {
        state.withLock { state in
            guard state.rules.count < Self.maximumRules else { return false }
            state.rules.append(rule)
            return true
        }
    }

    /// Removes all rules.
    ///
    /// Answers that wait go on waiting.
    package func removeRules() { state.withLock { $0.rules = [] } }

    /// Lets an answer go.
    ///
    /// - Returns: `false` when the exchange has no answer that waits.
    package func release(_ id: Int, _ release: Release) -> Bool {
        // The answer goes once, so its first release takes it out of the list.
        guard let held = state.withLock({ $0.held.removeValue(forKey: id) }) else { return false }
        held.way.yield(release)
        return true
    }

    /// Removes the first rule that fits a request, and returns it.
    func take(_ step: ServiceStep, device: () -> String?) -> Rule? {
        let rules = rules
        guard !rules.isEmpty else { return nil }
        let deviceID = rules.contains { $0.device != nil } ? device() : nil
        return state.withLock { state in
            state.rules.firstIndex { $0.fits(step, deviceID) }.map { state.rules.remove(at: $0) }
        }
    }

    /// Waits until the tester lets an answer go, at most for the time of the rule.
    func wait(
        _ reply: SandboxReply, ofExchange id: Int, at step: ServiceStep, rule: Rule
    ) async -> Release {
        let seconds = rule.seconds ?? Rule.usualSeconds
        let (releases, way) = AsyncStream<Release>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let answer = Held(
            id: id, step: step, until: Date().addingTimeInterval(TimeInterval(seconds)),
            status: reply.response.statusCode.code, body: reply.body)
        state.withLock { $0.held[id] = (answer, way) }
        let timer = Task {
            do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
            _ = self.release(id, .asItIs)
        }
        defer {
            timer.cancel()
            state.withLock { $0.held[id] = nil }
        }
        for await release in releases { return release }
        // The stream ends without an element when the sandbox stops.
        return .asItIs
    }
}

extension SandboxReply {
    /// Returns the answer in the form in which the tester lets it go, with the kinds of faults that this changes.
    ///
    /// An answer that the tester has edited counts as rewritten.
    func released(
        _ release: RequestHolds.Release, at step: ServiceStep, to origin: String?
    ) async -> (reply: SandboxReply, kinds: [SandboxWorld.Fault.Kind]) {
        switch release {
        case .asItIs: return (self, [])
        case .edited(let status, let body):
            guard let edited = rewritten(status: status, body: body) else { return (self, []) }
            return (edited, [.rewritten])
        case .fault(let fault):
            let applied = AppliedFaults([fault], at: step)
            var answer = self
            if let replacement = applied.replacement() {
                answer = await SandboxReply(replacement.allowing(origin: origin))
            }
            answer = applied.send(answer)
            return (answer, applied.effectiveKinds)
        }
    }
}
