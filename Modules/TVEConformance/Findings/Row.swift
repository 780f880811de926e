/// A row of the vendor's acceptance list for clients of REST API v2, or of its single sign-on service.
public struct Row: Sendable, Hashable, Codable {
    /// The degree to which the list requires a row.
    public enum Obligation: String, Sendable, Codable {
        /// A client that breaks the row is not accepted.
        case mandatory
        /// The list recommends the row.
        case recommended
    }

    /// The id: `CL1` to `CL30` of the acceptance list, or `HH1` and `HH2` of the single sign-on service, which has no
    /// list of its own.
    public let id: String
    /// The degree to which the list requires the row.
    public let obligation: Obligation
    /// The behaviour that the row expects from a client.
    public let sentence: String
    /// The evidence that a client follows the row, or the reason why no observer can see it, without a full stop.
    public let evidence: String
    /// The change for a client that breaks the row.
    public let advice: String
    /// The place in the vendor's documents.
    public let source: String

    init(
        _ id: String, _ obligation: Obligation, sentence: String, evidence: String, advice: String, source: String
    ) {
        self.id = id
        self.obligation = obligation
        self.sentence = sentence
        self.evidence = evidence
        self.advice = advice
        self.source = source
    }
}
