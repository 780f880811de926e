/// A TV provider's "no" to a resource.
public struct AuthorizationDenial: Sendable, Hashable {
    /// The machine code: the name of the first element of the answer, for example `notAuthorized`.
    public var code: String
    /// The provider's text for the viewer, which may be HTML; nil when it gave none.
    public var details: String?

    /// Makes a denial.
    ///
    /// - Parameters:
    ///   - code: the machine code, for example `notAuthorized`.
    ///   - details: the provider's text for the viewer.
    public init(code: String, details: String? = nil) {
        self.code = code
        self.details = details
    }
}
