import TVEModels

/// What a call for a login asks for, beside the provider.
struct LoginTerms: Sendable {
    /// What the app sends along for the service.
    var data: [String: MetadataValue] = [:]
    /// Whether the viewer shall log in even if the service still knows a login.
    var isForced = false
}
