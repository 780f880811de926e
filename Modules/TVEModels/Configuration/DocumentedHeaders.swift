/// The headers that the documents of REST API v2 have for a client, in lower case.
///
/// One list for the judge, which knows a client by it, and for the sandbox, which lets a page of another origin send them.
package enum DocumentedHeaders {
    /// Those that every request may have (REST API v2, request headers).
    package static let ofEveryRequest: Set<String> = [
        "authorization", "ap-device-identifier", "x-device-info", "x-forwarded-for", "ap-visitor-identifier",
        "content-type",
    ]

    /// Those that name the viewer by a token of the platform or of the programmer.
    package static let ofIdentity: Set<String> = [
        "adobe-subject-token", "x-roku-reserved-roku-connect-token", "ad-service-token",
    ]

    /// The status of the platform's sign-on.
    package static let partnerStatus = "ap-partner-framework-status"

    /// The viewer of a promotional TempPass.
    package static let tempPassIdentity = "ap-temppass-identity"

    /// The viewer's token in a household.
    package static let serviceToken = "ad-service-token"

    /// By which a device joins a household: an account of the programmer, or a code of another device.
    package static let ofHousehold: Set<String> = ["x-sso-id", "x-sso-link"]

    /// All of them.
    package static let all = ofEveryRequest.union(ofIdentity).union(ofHousehold)
        .union([partnerStatus, tempPassIdentity])
}
