import Foundation

/// A field of a token, and its meaning.
struct TokenField: Sendable {
    let name: String
    let value: String
    let meaning: String
    /// Whether the value identifies a viewer or a device, or grants access.
    var isSecret = false
    /// The end of a lifetime, for a countdown.
    var ends: Date?
}

/// A token found in an exchange.
struct FoundToken: Sendable {
    let title: String
    /// Its place: the header, field or element.
    let place: String
    let fields: [TokenField]
}
