#if canImport(ObjectiveC)
/// The methods that a delegate may leave out stand in its own protocol there.
public typealias SafariPageDelegate = AnyObject
#else
/// The one method of ``EntitlementDelegate`` that an app may leave out, in each of its spellings: without Objective-C a protocol has
/// no optional methods, and each spelling is another method.
public typealias SafariPageDelegate = ImplicitSafariPage & OptionalSafariPage & PlainSafariPage

/// The method with `String!`.
public protocol ImplicitSafariPage: AnyObject {
    /// Asks the app to open a page with `SFSafariViewController`, after `setOptions` with ``OPTION_HANDLE_SVC``.
    ///
    /// An app may leave it out; `navigate(toUrl:)` is called in its place then.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @preconcurrency @MainActor
    func navigate(toUrl url: String!, useSVC: Bool)
}

/// The method with `String?`.
public protocol OptionalSafariPage: AnyObject {
    /// The same.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @preconcurrency @MainActor
    func navigate(toUrl url: String?, useSVC: Bool)
}

/// The method with `String`.
public protocol PlainSafariPage: AnyObject {
    /// The same.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @preconcurrency @MainActor
    func navigate(toUrl url: String, useSVC: Bool)
}

extension ImplicitSafariPage {
    /// Asks in the next spelling.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @MainActor public func navigate(toUrl url: String!, useSVC: Bool) {
        (self as? any OptionalSafariPage)?.navigate(toUrl: url, useSVC: useSVC)
    }
}

extension OptionalSafariPage {
    /// Asks in the next spelling.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @MainActor public func navigate(toUrl url: String?, useSVC: Bool) {
        (self as? any PlainSafariPage)?.navigate(toUrl: url ?? "", useSVC: useSVC)
    }
}

extension PlainSafariPage {
    /// Asks for the page as if a web view would do.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @MainActor public func navigate(toUrl url: String, useSVC: Bool) {
        (self as? any EntitlementDelegate)?.navigate(toUrl: url)
    }
}
#endif
