import TVEModels

/// Two preauthorizations with the same values share one question.
struct PreauthorizationQuestion: Hashable {
    let resources: [Resource]
    let usesServiceCache: Bool
    let login: TokenText
}
