#if VerificationService
/// The tokens of one caller, which wait for their answers.
struct RedisCall: Sendable {
    let spends: [RedisSpend]
    let deadline: RedisDeadline
    let answer: @Sendable ([Result<Bool, RedisUsesError>]) -> Void

    /// Answers all tokens with the same failure.
    func fail(_ error: RedisUsesError) {
        answer(spends.map { _ in .failure(error) })
    }
}
#endif
