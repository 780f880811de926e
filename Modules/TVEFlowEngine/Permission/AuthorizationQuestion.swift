import TVEModels

/// What two authorizations must have in common to be one.
struct AuthorizationQuestion: Hashable {
    let resource: Resource
    let data: [String: MetadataValue]
    let login: TokenText
}
