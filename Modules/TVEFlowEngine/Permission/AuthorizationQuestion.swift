import TVEModels

/// Two authorizations with the same values share one question.
struct AuthorizationQuestion: Hashable {
    let resource: Resource
    let data: [String: MetadataValue]
    let login: TokenText
}
