import TVEModels

/// A logout that ends the login of the whole household, and not only the login of this device.
///
/// Requests of this logout carry the service token. The logout is a task-local value, so only the requests of its own
/// tasks belong to it. If the service is unreachable, the logout is repeated later as one of this device alone. A
/// household can have several logins, and the logout has succeeded only when the service has ended all of them.
///
/// `RESTv2Service.logout` records each login that ended with the token, `Logins.endAtService` records each failure, and
/// `Logins.sendPendingLogouts` records that no login is left or that every login was covered.
/// `EntitlementSession.logoutHousehold` evaluates these records.
package final class HouseholdWideLogout: Sendable {
    private struct Outcome {
        /// A Boolean value that indicates whether the service has ended a login of the household, or has none.
        var hasEndedLogin = false
        /// A Boolean value that indicates whether a login of the household may still exist at the service.
        var hasFailed = false
        /// A Boolean value that indicates whether the service has been asked about every login.
        var isComplete = false
    }

    private let outcome = Guarded(Outcome())

    package init() {}

    /// A Boolean value that indicates whether the service has ended every login of the household.
    package var hasEndedAllLogins: Bool { outcome.withLock { $0.hasEndedLogin && $0.isComplete && !$0.hasFailed } }

    /// Records that the service has ended a login of the household.
    package func recordEndedLogin() { outcome.withLock { $0.hasEndedLogin = true } }

    /// Records that a login of the household may still exist at the service.
    package func recordFailure() { outcome.withLock { $0.hasFailed = true } }

    /// Records that the service has no login of the household, whatever it has answered before.
    package func recordNoLogin() {
        outcome.withLock { outcome in
            outcome.hasEndedLogin = true
            outcome.hasFailed = false
        }
    }

    /// Records that the service has been asked about every login.
    package func recordCompletion() { outcome.withLock { $0.isComplete = true } }

    /// Runs a logout for the household.
    ///
    /// - Returns: the result of `logout`.
    package func run<Value>(
        isolation: isolated (any Actor)? = #isolation, _ logout: () async -> Value
    ) async -> Value {
        await Self.taskLocal.withValue(self, operation: logout)
    }

    private static let taskLocal = TaskLocal<HouseholdWideLogout?>(wrappedValue: nil)

    /// The household's logout that the current task performs, or nil if a logout concerns this device alone.
    package static var current: HouseholdWideLogout? { taskLocal.get() }
}
