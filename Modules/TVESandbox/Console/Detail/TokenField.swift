import Foundation

/// A field of a token, and what it means.
struct TokenField: Sendable {
    let name: String
    let value: String
    let meaning: String
    /// Whether it identifies a viewer or a device, or opens something.
    var isSecret = false
    /// When something ends, for a lifetime that is counted down.
    var ends: Date?
}

/// A token found in an exchange.
struct FoundToken: Sendable {
    let title: String
    /// Where it was: in which header, field or element.
    let place: String
    let fields: [TokenField]
}
