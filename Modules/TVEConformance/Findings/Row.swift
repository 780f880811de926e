/// A row of the vendor's acceptance list for clients of REST API v2, or of its single sign-on service.
public struct Row: Sendable, Hashable, Codable {
    /// How much the list asks for it.
    public enum Obligation: String, Sendable, Codable {
        /// A client that breaks it is not accepted.
        case mandatory
        /// The list advises it.
        case recommended
    }

    /// Its id: `CL1` to `CL30` of the acceptance list, `HH1` and `HH2` of the single sign-on service, which has no list of
    /// its own.
    public let id: String
    /// How much the list asks for it.
    public let obligation: Obligation
    /// What a client does.
    public let sentence: String
    /// What counts as evidence that a client does it, or why no observer can see it.
    public let evidence: String
    /// What to change in a client that does not.
    public let advice: String
    /// The place in the vendor's documents.
    public let source: String

    init(
        _ id: String, _ obligation: Obligation, _ sentence: String, evidence: String, advice: String, source: String
    ) {
        self.id = id
        self.obligation = obligation
        self.sentence = sentence
        self.evidence = evidence
        self.advice = advice
        self.source = source
    }
}
