import TVEModels

/// A logout that ends the login of the whole household, and not only the login of this device.
///
/// Requests of this logout carry the service token. The logout is a task-local value, so only the requests of its own
/// tasks belong to it. If the service is unreachable, the logout is repeated later as one of this device alone.
package final class HouseholdLogout: Sendable {
    private let told = Guarded(false)

    package init() {}

    /// A Boolean value that indicates whether the service has received the logout.
    package var wasTold: Bool { told.withLock(\.self) }

    /// Notes that the service has ended the household's logins, or has none.
    package func tell() { told.withLock { $0 = true } }

    /// Runs a logout for the household.
    ///
    /// - Returns: the result of `logout`.
    package func run<Value>(
        isolation: isolated (any Actor)? = #isolation, _ logout: () async -> Value
    ) async -> Value {
        await Self.asked.withValue(self, operation: logout)
    }

    private static let asked = TaskLocal<HouseholdLogout?>(wrappedValue: nil)

    /// The household's logout that the current task performs, or nil if a logout concerns this device alone.
    package static var current: HouseholdLogout? { asked.get() }
}
