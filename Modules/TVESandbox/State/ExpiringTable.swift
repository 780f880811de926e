import Foundation
import TVEModels

/// A table of entries by key, each of which expires.
///
/// The keys compare as UTF-8 bytes. Expired entries are removed whenever the table has doubled since the last removal.
/// So the table never holds more than twice the valid entries even in a long run, and a call costs the same in a full
/// table as in an empty one.
struct ExpiringTable<Entry: Sendable>: Sendable {
    private var entries: [ExactText: (entry: Entry, expires: Date)] = [:]
    private var sweepAt = 64

    /// Returns the entry of a key; `nil` when there is none or it has expired.
    func entry(_ key: String, at now: Date) -> Entry? {
        entries[ExactText(key)].flatMap { $0.expires > now ? $0.entry : nil }
    }

    mutating func set(_ entry: Entry, _ key: String, until expires: Date, at now: Date) {
        entries[ExactText(key)] = (entry, expires)
        guard entries.count >= sweepAt else { return }
        entries = entries.filter { $0.value.expires > now }
        sweepAt = max(64, entries.count * 2)
    }

    /// Changes an existing entry, and leaves its expiry as it is.
    mutating func change(_ key: String, _ body: (inout Entry) -> Void) {
        guard var found = entries[ExactText(key)] else { return }
        body(&found.entry)
        entries[ExactText(key)] = found
    }

    /// Changes every entry, even an expired one, and leaves the expiries as they are.
    mutating func changeAll(_ body: (inout Entry) -> Void) {
        for key in entries.keys { if let index = entries.index(forKey: key) { body(&entries.values[index].entry) } }
    }

    /// Returns all valid entries, in no particular order.
    func all(at now: Date) -> [Entry] { entries.values.filter { $0.expires > now }.map(\.entry) }

    /// Makes an entry expire now.
    ///
    /// A read with an earlier time still finds it.
    mutating func end(_ key: String, at now: Date) {
        entries[ExactText(key)]?.expires = now
    }

    /// Makes all valid entries that meet a condition expire now.
    mutating func endAll(at now: Date, where fits: (Entry) -> Bool) {
        for (key, row) in entries where row.expires > now && fits(row.entry) { entries[key]?.expires = now }
    }

    /// Removes an entry, and returns it; `nil` when there is none or it has expired.
    mutating func remove(_ key: String, at now: Date) -> Entry? {
        defer { entries.removeValue(forKey: ExactText(key)) }
        return entry(key, at: now)
    }
}

extension ExpiringTable: Codable where Entry: Codable {
    /// A row of the table as an element of an array.
    ///
    /// Keys may be long, and two keys may look alike, so they are not the names of JSON members.
    private struct Row: Codable {
        let key: ExactText
        let entry: Entry
        let expires: Date
    }

    init(from decoder: any Decoder) throws {
        for row in try [Row](from: decoder) { entries[row.key] = (row.entry, row.expires) }
        sweepAt = max(64, entries.count * 2)
    }

    func encode(to encoder: any Encoder) throws {
        try entries.map { Row(key: $0, entry: $1.entry, expires: $1.expires) }.encode(to: encoder)
    }
}
