public import Foundation
import TVEModels

/// One of the vendor's environments, with everything that differs between them.
///
/// The vendor requires that an app works in prequalification and in staging before it uses production.
public enum ServiceEnvironment: String, Sendable, CaseIterable {
    /// The environment that viewers use.
    case production
    /// The service's next version with the TV providers of production.
    case prequalification
    /// The current version with the TV providers' own test systems.
    case staging

    /// The endpoint of registration and of both dialects.
    public var serviceProvider: ServiceProvider {
        let host =
            switch self {
            case .production: "sp.auth.adobe.com"
            case .prequalification: "sp-prequal.auth.adobe.com"
            case .staging: "sp.auth-staging.adobe.com"
            }
        // The host is one of the three constants above, and the tests create a provider from each.
        guard let provider = try? ServiceProvider(host) else { preconditionFailure("\(host) is a host.") }
        return provider
    }

    /// The SAML id by which TV providers and the platform's sign-on know the service.
    ///
    /// The service has one SAML id for the test systems of TV providers, and another one for the other systems.
    public var samlID: String {
        switch self {
        case .production, .prequalification: "https://saml.sp.auth.adobe.com"
        case .staging: "https://saml.sp.auth-staging.adobe.com"
        }
    }

    /// Returns the SAML id of a service by its host, so that no session requests a login for another environment.
    ///
    /// - Parameter root: the service's root URL. A host that is not the vendor's, for example a sandbox, has the id of
    ///   production.
    /// - Returns: the id.
    public static func samlID(of root: URL) -> String {
        let isStaging = root.host()?.lowercased().hasByteSuffix(".auth-staging.adobe.com") == true
        return (isStaging ? ServiceEnvironment.staging : .production).samlID
    }
}
