import Foundation
import TVEModels
import TVEStorage

/// Makes one system call fail, or all from one on, once it is armed; and counts them.
final class FaultPlan: Sendable {
    struct Plan: Sendable {
        /// Which call fails, counted from the moment of arming.
        var number: Int
        var fault: StorageSystem.Fault
        /// Whether every later call of the same kind fails too.
        var lasts = false
    }

    private struct State {
        var plan: Plan?
        var count = 0
        var kind: StorageSystem.Call?
    }

    private let state = Guarded(State())

    func arm(_ plan: Plan?) { state.withLock { $0 = State(plan: plan) } }

    /// How many calls there were since the last arming.
    var count: Int { state.withLock(\.count) }

    /// Whether the fault has occurred.
    var isPlayed: Bool { state.withLock { $0.kind != nil } }

    var system: StorageSystem {
        StorageSystem { [self] call in
            state.withLock { state in
                defer { state.count += 1 }
                guard let plan = state.plan else { return nil }
                if state.count == plan.number {
                    state.kind = call
                } else if !plan.lasts || state.kind != call {
                    return nil
                }
                return plan.fault
            }
        }
    }
}
