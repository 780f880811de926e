// An app may declare types of its own with these names. The module and the class share a name, so `AccessEnabler.MVPD`
// is looked up in the class. Without these members, no name would refer to the library's type in such an app
// (Documentation/Compatibility.md, "An app with types of the same name").
//
// A member cannot be an alias of a type with its own name, so each type has a second name in the module as well. That
// name is also useful in a subclass, where a bare name refers to the member.
//
// The names of types that only Apple's systems have are in the files of those types.

/// The provider that delegates receive, for an app that has an `MVPD` of its own.
public typealias AccessEnablerMVPD = MVPD
/// The error of a preauthorization, for an app that has a `Status` of its own.
public typealias AccessEnablerStatus = Status
/// The decision about one resource, for an app that has a `Decision` of its own.
public typealias AccessEnablerDecision = Decision
/// The request of a preauthorization, for an app that has a `PreauthorizeRequest` of its own.
public typealias AccessEnablerPreauthorizeRequest = PreauthorizeRequest
/// The response to a preauthorization, for an app that has a `PreauthorizeResponse` of its own.
public typealias AccessEnablerPreauthorizeResponse = PreauthorizeResponse
/// The callback of a preauthorization, for an app that has an `AccessEnablerCallback` of its own.
public typealias AccessEnablerResponseCallback<Result> = AccessEnablerCallback<Result>
/// The integrity check of the storage, for an app that has an `IntegrityCheckType` of its own.
public typealias AccessEnablerIntegrityCheckType = IntegrityCheckType
/// The delegate, for an app that has an `EntitlementDelegate` of its own.
public typealias AccessEnablerEntitlementDelegate = EntitlementDelegate
/// The delegate for status codes, for an app that has an `EntitlementStatus` of its own.
public typealias AccessEnablerEntitlementStatus = EntitlementStatus
/// The browser that opens pages by itself, for an app that has an `AutomaticBrowser` of its own.
public typealias AccessEnablerAutomaticBrowser = AutomaticBrowser
/// The view controller of the platform, for an app that has a `PlatformViewController` of its own.
public typealias AccessEnablerPlatformViewController = PlatformViewController

extension AccessEnabler {
    /// The provider that delegates receive.
    public typealias MVPD = AccessEnablerMVPD
    /// The error of a preauthorization.
    public typealias Status = AccessEnablerStatus
    /// The decision about one resource.
    public typealias Decision = AccessEnablerDecision
    /// The request of a preauthorization.
    public typealias PreauthorizeRequest = AccessEnablerPreauthorizeRequest
    /// The response to a preauthorization.
    public typealias PreauthorizeResponse = AccessEnablerPreauthorizeResponse
    /// The callback of a preauthorization.
    public typealias AccessEnablerCallback<Result> = AccessEnablerResponseCallback<Result>
    /// The integrity check of the storage.
    public typealias IntegrityCheckType = AccessEnablerIntegrityCheckType
    /// The delegate.
    public typealias EntitlementDelegate = AccessEnablerEntitlementDelegate
    /// The delegate for status codes.
    public typealias EntitlementStatus = AccessEnablerEntitlementStatus
    /// The browser that opens pages by itself.
    public typealias AutomaticBrowser = AccessEnablerAutomaticBrowser
    /// The view controller of the platform.
    public typealias PlatformViewController = AccessEnablerPlatformViewController
}
