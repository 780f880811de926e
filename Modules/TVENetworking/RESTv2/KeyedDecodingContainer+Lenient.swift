import Foundation

/// Accepts the variants in the service's samples: numbers as strings, strings as numbers, missing values. A value of
/// any other type counts as missing.
///
/// The usual type is tried first, with a single look-up: a configuration has thousands of values.
extension KeyedDecodingContainer {
    /// A string, or a number as a string.
    func text(_ key: Key) -> String? {
        do {
            return try decodeIfPresent(String.self, forKey: key)
        } catch {
            return (try? decode(Int64.self, forKey: key)).map { String($0) }
        }
    }

    /// Milliseconds since 1970, as a number or a string; nil when it is not a date up to the year 9999.
    func instant(_ key: Key) -> Date? {
        let milliseconds: Double?
        do {
            milliseconds = try decodeIfPresent(Double.self, forKey: key)
        } catch {
            milliseconds = (try? decode(String.self, forKey: key)).flatMap(Double.init)
        }
        guard let milliseconds, (0...253_402_300_799_999).contains(milliseconds) else { return nil }
        return Date(timeIntervalSince1970: milliseconds / 1000)
    }

    /// A whole number, as a number or a string.
    func number(_ key: Key) -> Int? {
        do {
            return try decodeIfPresent(Int.self, forKey: key)
        } catch {
            return (try? decode(String.self, forKey: key)).flatMap(Int.init)
        }
    }

    /// Whether a value is true; a missing value is not.
    func flag(_ key: Key) -> Bool {
        do {
            return try decodeIfPresent(Bool.self, forKey: key) ?? false
        } catch {
            return ["true", "1"].contains(text(key)?.lowercased())
        }
    }

    /// A value, nil when it is missing or of another type.
    func value<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        (try? decodeIfPresent(type, forKey: key)) ?? nil
    }

    /// The elements of a list that can be read; nil when there is no list.
    func list<Element: Decodable>(_ type: Element.Type, _ key: Key) -> [Element]? {
        value([Readable<Element>].self, key)?.compactMap(\.value)
    }

    /// The values of a map that can be read; nil when there is no map.
    func map<Name: Decodable & Hashable, Element: Decodable>(
        _ names: Name.Type, _ type: Element.Type, _ key: Key
    ) -> [Name: Element]? {
        value([Name: Readable<Element>].self, key)?.compactMapValues(\.value)
    }
}

/// A value, or nothing when it cannot be read: one bad element must not invalidate the others.
struct Readable<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) {
        value = try? Value(from: decoder)
    }
}
