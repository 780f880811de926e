/// What a call gets that waited for an attempt.
struct LoginResult: Sendable {
    let answer: LoginAnswer
    /// Whether this call tells the app; of those that share a login one does.
    let tellsApp: Bool
}
