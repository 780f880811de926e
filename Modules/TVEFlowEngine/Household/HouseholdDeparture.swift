import TVEModels
import TVENetworking
import TVEStorage

/// A notification of the single sign-on service that this device has left a household, in a task that no caller has to
/// wait for.
final class HouseholdDeparture: Sendable {
    private let service: HouseholdService
    private let clock: SessionClock
    private let tasks = Guarded<[Task<Void, Never>]>([])

    init(_ service: HouseholdService, clock: SessionClock) {
        self.service = service
        self.clock = clock
    }

    /// Notifies the service that the device has left the household of a membership.
    func begin(_ membership: StoredMembership) {
        let task = Task { [service, clock] in
            _ = await clock.run(atMost: Self.limit) {
                var membership = membership
                // The service accepts only a valid token for unlinking a device, so an expired token is renewed first.
                if !membership.isFresh(at: clock.now()),
                    let renewed = try? await membership.renewed(by: service, at: clock)
                {
                    membership = renewed
                }
                // A notice that was given up must not reach the service after the device has joined again.
                guard !Task.isCancelled else { return }
                _ = try? await service.unlink([service.deviceID], membership.serviceToken)
            }
        }
        tasks.withLock { $0.append(task) }
    }

    /// Waits until the service has received every notice, or the time for it is over.
    func finish() async {
        for task in tasks.withLock(\.self) { await task.value }
    }

    /// Waits a short time until the service has received every notice, and gives up those that are left, so that none
    /// undoes the next joining.
    func settle() async {
        let begun = tasks.withLock(\.self)
        guard !begun.isEmpty else { return }
        _ = await clock.run(atMost: Self.longestWait) {
            for task in begun { await task.value }
        }
        for task in begun { task.cancel() }
        tasks.withLock { tasks in tasks.removeAll { begun.contains($0) } }
    }

    private static let limit = Duration.seconds(30)
    private static let longestWait = Duration.seconds(5)
}
