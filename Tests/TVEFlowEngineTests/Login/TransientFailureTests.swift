import TVEModels
import TVENetworking
import Testing

@testable import TVEFlowEngine

/// The failures of a service after which a login goes on.
struct TransientFailureTests {
    /// The call would have the recovery `retry` for the same error, so a code that is shown must not end with it.
    @Test(arguments: [
        (429, "too_many_requests", "none", true), (429, "too_many_requests", "configuration", false),
        (200, "internal_server_error", "none", true), (503, "something_new", "none", true),
        (503, "something_new", "configuration", false), (503, "something_new", "application-registration", false),
        (400, "something_new", "retry", true), (400, "something_new", "none", false),
        (500, "invalid_configuration_temporary_access", "none", false),
    ])
    func aFailureOfTheService_mayPass(status: Int, code: String, action: String, mayPass: Bool) {
        let error = ServiceError(EnhancedError(status: status, code: code, action: action))
        #expect(error.isTransient == mayPass)
    }
}
