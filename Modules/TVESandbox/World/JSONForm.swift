package import Foundation
package import TVEModels

/// A value that people and programs write as a JSON object, such as a fault or an order to the console.
package protocol JSONForm: Codable, Sendable {
    /// The fields of the object.
    static var shape: JSONShape { get }
}

extension JSONForm {
    /// Reads a value from its JSON form.
    ///
    /// - Parameters:
    ///   - json: the document in UTF-8.
    ///   - limits: the maximum size and nesting of the document.
    /// - Throws: ``JSONFormError`` with all unknown fields, missing fields and values of the wrong type.
    package init(form json: Data, _ limits: UntrustedJSON.Limits = .small) throws(JSONFormError) {
        self = try DocumentReading.decode(Self.self, from: json, limits: limits) {
            DocumentReading($0, like: Self.shape).mistakes
        }
    }
}

/// The mistakes in a JSON form.
package struct JSONFormError: Error {
    /// The sentences about the mistakes, each with the path of its field.
    package let problems: [String]
}

extension DocumentReading {
    /// Decodes a value from a document without a mistake.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - json: the document in UTF-8.
    ///   - limits: the maximum size and nesting of the document.
    ///   - mistakes: the closure that finds the mistakes in the document.
    /// - Throws: ``JSONFormError`` with all mistakes.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from json: Data, limits: UntrustedJSON.Limits, mistakes: (MetadataValue) -> [Mistake]
    ) throws(JSONFormError) -> Value {
        var found = [notAnObject]
        do throws(UntrustedJSONError) {
            guard let document = try? UntrustedJSON.read(MetadataValue.self, from: json, limits) else {
                // The decoder names the place of a number that is too large for any reader.
                _ = try UntrustedJSON.decode(type, from: json, limits)
                throw UntrustedJSONError.malformed
            }
            if case .object = document { found = problems(mistakes(document)) }
            if found.isEmpty { return try UntrustedJSON.decode(type, from: json, limits) }
        } catch .malformed {
            found = [sentence(onSyntaxOf: json, limits)]
        } catch {
            found = [sentence(error)]
        }
        throw JSONFormError(problems: found)
    }

    private static let notAnObject = "The document is not a JSON object."

    /// Returns the sentence about a document that is not JSON, with the place up to which it is.
    private static func sentence(onSyntaxOf json: Data, _ limits: UntrustedJSON.Limits) -> String {
        guard var cursor = try? JSONCursor(Array(json), limits) else { return "The document is not UTF-8 text." }
        guard !cursor.isAtEnd() else { return "The document is empty." }
        if (try? cursor.skip()) != nil, cursor.isAtEnd() { return "The document is not JSON." }
        let passed = json.prefix(cursor.passed)
        guard passed.count < json.count else { return "The document ends before its JSON is complete." }
        let newline = UInt8(ascii: "\n")
        let line = passed.count { $0 == newline } + 1
        let start = passed.lastIndex(of: newline).map { $0 + 1 } ?? passed.startIndex
        // Editors count characters, and show no byte order mark.
        let column = String(decoding: passed[start...], as: UTF8.self).unicodeScalars.count { $0 != "\u{FEFF}" } + 1
        return "The document stops being JSON at line \(line), column \(column)."
    }

    private static func sentence(_ error: UntrustedJSONError) -> String {
        switch error {
        case .unreadable(let error as DecodingError): sentence(error)
        default: "\(error)"
        }
    }

    private static func sentence(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "\(place(context, key)) is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.isEmpty ? notAnObject : "\(place(context)) has the wrong type."
        case .dataCorrupted(let context) where context.codingPath.isEmpty: "The document is not JSON."
        case .dataCorrupted(let context): "\(place(context)) has an unknown value."
        @unknown default: "The document cannot be read."
        }
    }

    /// Returns the path to a value, for example `providers[0].login`.
    private static func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
        (context.codingPath + [key].compactMap(\.self)).reduce("") { path, key in
            key.intValue.map { "\(path)[\($0)]" } ?? (path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)")
        }
    }
}
