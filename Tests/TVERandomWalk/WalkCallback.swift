import TVETestSupport

/// The kinds of callbacks in which apps make further calls.
enum WalkCallback: Sendable, Equatable {
    case requestorComplete, authenticationStatus, picker, page, authorizationEnd, lookup

    /// Creates the kind of a callback, or `nil` for a callback in which apps make no calls.
    init?(_ callback: ClassicCallback) {
        switch callback {
        case .requestorComplete: self = .requestorComplete
        case .authenticationStatus: self = .authenticationStatus
        case .providerDialog: self = .picker
        case .navigate, .navigateInSafari: self = .page
        case .token, .tokenRequestFailed: self = .authorizationEnd
        case .preauthorizedResources, .metadata, .selectedProvider: self = .lookup
        case .presentPlatformDialog, .dismissPlatformDialog, .tracking, .status: return nil
        }
    }
}
