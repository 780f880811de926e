import TVEModels

/// How often a verifier gave each verdict, and which keys had signed, at one moment.
///
/// A key whose count does not grow any more can be withdrawn. Counts begin at 0 when the verifier is made and never
/// decrease.
public struct MediaTokenVerdictCounts: Sendable, Hashable {
    private var verdicts: [MediaTokenVerifier.Verdict: Int] = [:]
    private var signers: [ExactText: Int] = [:]

    init() {}

    /// How often a verdict was given.
    ///
    /// - Parameter verdict: the verdict.
    public subscript(verdict: MediaTokenVerifier.Verdict) -> Int { verdicts[verdict, default: 0] }

    /// How many tokens were checked.
    public var total: Int { verdicts.values.reduce(0, +) }

    /// Names of the keys that signed at least one of the tokens, sorted.
    public var keyNames: [String] { signers.keys.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    /// How many of the tokens a key signed, whatever the verdict.
    ///
    /// - Parameter name: the key's name.
    public func signed(byKeyNamed name: String) -> Int { signers[ExactText(name), default: 0] }

    mutating func add(_ found: MediaTokenVerifier.Verification) {
        verdicts[found.verdict, default: 0] += 1
        if let name = found.keyName { signers[ExactText(name), default: 0] += 1 }
    }
}
