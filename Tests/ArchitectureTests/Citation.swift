/// A citation of the pages below `Documentation/Specification` in a source or a document.
enum Citation: Hashable, CustomStringConvertible {
    /// A row: `GA5`, `T-17`.
    case row(String)
    /// A chapter of the API reference (`C6`, `B8.1`), or of another source (`6.2`).
    case chapter(String, of: Source)
    /// One of the names in the index of the first page.
    case name(String, of: Source)

    enum Source: String, CaseIterable {
        case reference = "API reference"
        case wire = "wire protocol"
        case restV2 = "REST API v2"
    }

    var description: String {
        switch self {
        case .row(let id): "row \(id)"
        case .chapter(let number, let source): "\(source.rawValue), chapter \(number)"
        case .name(let name, let source): "\(source.rawValue), \(name)"
        }
    }
}
