/// The names of the possible children of one element in a documented format.
///
/// At most 64 of them; their raw values count from 0.
protocol ElementName: CaseIterable, RawRepresentable, Sendable where RawValue == Int, AllCases == [Self] {
    /// The name in the document.
    var wireName: String { get }
}
