public import Foundation

/// What a viewer reads.
extension TVEError: LocalizedError {
    /// The TV provider's own words, unless they are HTML; else the suggested sentence, as the app translates it.
    ///
    /// An app that renders HTML reads ``providerMessage`` itself.
    public var errorDescription: String? {
        if let providerMessage, !providerMessage.isEmpty, !providerMessage.utf8.contains(UInt8(ascii: "<")) {
            return providerMessage
        }
        return viewerSentence.localized()
    }

    /// What the viewer can do, as the app translates it; nil where nothing helps.
    public var recoverySuggestion: String? { recovery.viewerSentence?.localized() }

    /// The suggested sentence about what happened.
    ///
    /// It says nothing about the cause that only a developer can remove.
    public var viewerSentence: ViewerSentence {
        guard code == .notAuthorized else { return .named(code.rawValue) }
        // A denial has several reasons, and not all of them are the viewer's plan.
        return switch (status, recovery) {
        case (.providerUnreachable, _): .named("notAuthorized.providerUnreachable")
        case (.deniedByDegradation, _): .named("notAuthorized.degraded")
        case (_, .chooseProvider): .named(Code.temporaryAccessExpired.rawValue)
        default: .named(code.rawValue)
        }
    }
}

extension TVEError.Recovery {
    /// The suggested sentence about what the viewer can do; nil where nothing helps.
    public var viewerSentence: ViewerSentence? {
        switch self {
        case .none: nil
        case .retry: .named("recovery.retry")
        case .logIn: .named("recovery.logIn")
        case .chooseProvider: .named("recovery.chooseProvider")
        case .fixConfiguration: .named("recovery.fixConfiguration")
        case .updateApplication: .named("recovery.updateApplication")
        case .checkStorage: .named("recovery.checkStorage")
        }
    }
}
