import Foundation

/// One entry of an export: a line of JSON.
struct StorageEntryLine: Codable {
    /// The key, as `ls` shows it.
    var key: String
    /// The value in Base64.
    var value: Data
}
