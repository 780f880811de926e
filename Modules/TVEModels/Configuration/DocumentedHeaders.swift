/// The request headers that the documentation of REST API v2 defines for clients, in lower case.
///
/// The conformance judge uses this list to recognize a client's headers, and the sandbox uses it to allow them for
/// pages of another origin.
package enum DocumentedHeaders {
    /// The headers that every request may carry (REST API v2, request headers).
    package static let ofEveryRequest: Set<String> = [
        "authorization", "ap-device-identifier", "x-device-info", "x-forwarded-for", "ap-visitor-identifier",
        "content-type", "accept", "user-agent",
    ]

    /// The headers that identify the viewer by a token of the platform or of the programmer.
    package static let ofIdentity: Set<String> = [
        "adobe-subject-token", "x-roku-reserved-roku-connect-token", "ad-service-token",
    ]

    /// The header with the status of the platform's sign-on.
    package static let partnerStatus = "ap-partner-framework-status"

    /// The header that identifies the viewer of a promotional TempPass.
    package static let tempPassIdentity = "ap-temppass-identity"

    /// The header with the viewer's token in a household.
    package static let serviceToken = "ad-service-token"

    /// The headers with which a device joins a household: an account of the programmer, or a code from another device.
    package static let ofHousehold: Set<String> = ["x-sso-id", "x-sso-link"]

    /// All documented headers.
    package static let all = ofEveryRequest.union(ofIdentity).union(ofHousehold)
        .union([partnerStatus, tempPassIdentity])
}
