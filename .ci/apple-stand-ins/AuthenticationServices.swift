// What the code for Apple systems uses of AuthenticationServices, as far as a compiler must know it.
import Foundation
@_exported import UIKit

public typealias ASPresentationAnchor = UIWindow

@MainActor
public protocol ASWebAuthenticationPresentationContextProviding {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

@MainActor
public final class ASWebAuthenticationSession {
    public init(
        url: URL, callbackURLScheme: String?, completionHandler: @escaping (URL?, (any Error)?) -> Void
    ) {}
    public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding & AnyObject)?
    public func start() -> Bool { false }
    public func cancel() {}
}
