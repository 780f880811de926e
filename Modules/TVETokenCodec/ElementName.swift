/// The names of the elements that can stand inside one element of a documented format.
///
/// At most 64 of them; their raw values count from 0.
protocol ElementName: CaseIterable, RawRepresentable, Sendable where RawValue == Int, AllCases == [Self] {
    /// The name on the wire.
    var wireName: String { get }
}
