public import Foundation

/// The texts of an error for the viewer.
extension TVEError: LocalizedError {
    /// The TV provider's message if it is plain text; otherwise the suggested sentence in the app's translation.
    ///
    /// An app that renders HTML should use ``providerMessage`` directly.
    public var errorDescription: String? {
        if let providerMessage, !providerMessage.unicodeScalars.allSatisfy(\.properties.isWhitespace),
            !providerMessage.utf8.contains(UInt8(ascii: "<"))
        {
            return providerMessage
        }
        return viewerSentence.localized()
    }

    /// A sentence about what the viewer can do, in the app's translation, or nil if nothing helps.
    ///
    /// It is the sentence of ``recovery``, except for errors whose usual cause is the device's clock or network.
    public var recoverySuggestion: String? {
        let sentence: ViewerSentence? =
            if isAboutConnection { .named("recovery.checkConnection") } else { recovery.viewerSentence }
        return sentence?.localized()
    }

    /// A Boolean value that indicates whether the usual cause is the device's clock or its network, which the viewer
    /// can correct, and neither the app nor the service.
    package var isAboutConnection: Bool {
        code == .connectionNotTrusted || viewerCause == .network || viewerCause == .clockOrNetwork
    }

    /// The suggested sentence about what happened.
    ///
    /// It does not mention causes that only a developer can remove.
    public var viewerSentence: ViewerSentence {
        if let sentence = viewerCause?.sentence { return sentence }
        guard code == .notAuthorized else { return .named(code.rawValue) }
        // A denial has several possible reasons, and not all of them concern the TV provider's decision.
        return switch (status, recovery) {
        case (.providerUnreachable, _): .named("notAuthorized.providerUnreachable")
        case (.deniedByDegradation, _): .named("notAuthorized.degraded")
        case (_, .chooseProvider): .named(Code.temporaryAccessExpired.rawValue)
        default: .named(code.rawValue)
        }
    }
}

extension TVEError {
    /// A cause of which the viewer can be told more than the code and the recovery say.
    package enum ViewerCause: Sendable {
        /// Parental controls deny the resource.
        case parentalControls
        /// A TempPass opens no further resource.
        case offerUsedUp
        /// Something between the device and the service has answered in its place, such as the login page of a hotel.
        case network
        /// The clock of the device is wrong, or its network is.
        case clockOrNetwork

        /// The sentence about what happened, or nil if that of the code says enough.
        fileprivate var sentence: ViewerSentence? {
            switch self {
            case .parentalControls: .named("notAuthorized.parentalControls")
            case .offerUsedUp: .named("temporaryAccessExpired.offerUsedUp")
            case .network: .named(Code.serviceUnreachable.rawValue)
            case .clockOrNetwork: nil
            }
        }
    }
}

extension TVEError.Recovery {
    /// The suggested sentence about what the viewer can do, or nil if nothing helps.
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
