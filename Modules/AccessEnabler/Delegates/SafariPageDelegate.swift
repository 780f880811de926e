#if canImport(ObjectiveC)
/// With Objective-C, ``EntitlementDelegate`` itself declares the optional method.
public typealias SafariPageDelegate = AnyObject
#else
/// The one method of ``EntitlementDelegate`` that an app may omit, in each of its spellings: without Objective-C a
/// protocol has no optional methods, and each spelling is another method.
public typealias SafariPageDelegate = ImplicitSafariPage & OptionalSafariPage & PlainSafariPage

/// The method with `String!`.
public protocol ImplicitSafariPage: AnyObject {
    /// Asks the app to open a page with `SFSafariViewController`, after `setOptions` with ``OPTION_HANDLE_SVC``.
    ///
    /// An app may omit it; `navigate(toUrl:)` is called instead.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @preconcurrency @MainActor
    func navigate(toUrl url: String!, useSVC: Bool)
}

/// The method with `String?`.
public protocol OptionalSafariPage: AnyObject {
    /// The same with `String?`.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @preconcurrency @MainActor
    func navigate(toUrl url: String?, useSVC: Bool)
}

/// The method with `String`.
public protocol PlainSafariPage: AnyObject {
    /// The same with `String`.
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
    /// Asks for the page in a web view instead.
    ///
    /// - Parameters:
    ///   - url: the login page or the logout page.
    ///   - useSVC: true.
    @MainActor public func navigate(toUrl url: String, useSVC: Bool) {
        (self as? any EntitlementDelegate)?.navigate(toUrl: url)
    }
}
#endif
