import TVEModels

/// What two preauthorizations must have in common to be one.
struct PreauthorizationQuestion: Hashable {
    let resources: [Resource]
    let usesServiceCache: Bool
    let login: TokenText
}
