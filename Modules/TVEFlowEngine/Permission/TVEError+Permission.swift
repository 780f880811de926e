import TVEModels
import TVENetworking

extension TVEError {
    static let loggedOutMeanwhile = TVEError(.notAuthenticated, message: "The viewer has logged out in the meantime.")

    static let authorizationCancelled = TVEError(
        .authorizationFailed, status: .authorizationFailed, message: "The call was cancelled.")

    /// Whether the service answered that the login of the question has ended.
    var meansLoginIsOver: Bool {
        if case .pendingLogout? = underlying as? ServiceError { true } else { false }
    }
}
