import TVEModels

/// A logout that ends the login of the whole household, and not only that of this device.
///
/// Its requests carry the service token. It is set for the tasks in which the logout runs, so that a logout which the
/// service could not be told about, and hears of later, ends the login of one device.
package final class HouseholdLogout: Sendable {
    private let told = Guarded(false)

    package init() {}

    /// Whether the service has heard of it.
    package var wasTold: Bool { told.withLock(\.self) }

    func tell() { told.withLock { $0 = true } }

    /// Runs a logout for the household.
    ///
    /// - Returns: what the logout returns.
    package func run<Value>(
        isolation: isolated (any Actor)? = #isolation, _ logout: () async -> Value
    ) async -> Value {
        await Self.asked.withValue(self, operation: logout)
    }

    private static let asked = TaskLocal<HouseholdLogout?>(wrappedValue: nil)

    /// The logout for which the current task works; nil for one of this device alone.
    package static var current: HouseholdLogout? { asked.get() }
}
