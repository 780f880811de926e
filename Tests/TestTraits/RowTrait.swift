public import Testing

/// The rows of `Documentation/Specification` that a test covers.
public struct RowTrait: TestTrait, SuiteTrait {
    /// Ids as the pages write them: `GA5`, `T-17`.
    public let ids: [String]

    /// The text of a failure in addition to the test's name.
    public var comments: [Comment] { ids.map { Comment(rawValue: "Row \($0)") } }
}

extension Trait where Self == RowTrait {
    /// Cites the rows that a test covers.
    ///
    /// - Parameter ids: ids as the pages below `Documentation/Specification` write them.
    public static func row(_ ids: String...) -> Self { RowTrait(ids: ids) }
}
