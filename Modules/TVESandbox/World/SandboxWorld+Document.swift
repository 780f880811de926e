public import Foundation
import TVEModels

extension SandboxWorld {
    /// Parses a world from its JSON form.
    ///
    /// - Parameter json: the document in UTF-8, one megabyte at most.
    /// - Throws: ``SandboxWorldDocumentError`` with the errors of the document: a wrong type, or else all unknown
    ///   fields and the first value that is not valid.
    public init(json: Data) throws(SandboxWorldDocumentError) {
        do throws(UntrustedJSONError) {
            self = try UntrustedJSON.decode(SandboxWorld.self, from: json)
        } catch .unreadable(let error as DecodingError) {
            throw SandboxWorldDocumentError(problems: [Self.reason(error)])
        } catch .malformed {
            throw SandboxWorldDocumentError(problems: ["The document is not JSON."])
        } catch {
            throw SandboxWorldDocumentError(problems: ["\(error)"])
        }
        var problems = Self.unknownFields(json, self)
        do throws(SandboxWorldError) { try validate() } catch { problems.append("\(error)") }
        guard problems.isEmpty else { throw SandboxWorldDocumentError(problems: problems) }
    }

    /// The JSON form of the world, sorted and indented for editing.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers, arrays and dictionaries of these can always be encoded.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Returns a sentence for each field of a document that no property has read.
    private static func unknownFields(_ json: Data, _ world: SandboxWorld) -> [String] {
        guard let given = try? UntrustedJSON.read(MetadataValue.self, from: json),
            let known = try? UntrustedJSON.read(MetadataValue.self, from: Data(world.json.utf8))
        else { return [] }
        return unknownFields(given, known, at: "")
    }

    private static func unknownFields(_ given: MetadataValue, _ known: MetadataValue, at path: String) -> [String] {
        switch (given, known) {
        case (.object(let given), .object(let known)):
            given.sorted { $0.key < $1.key }.flatMap { name, value -> [String] in
                let place = path.isEmpty ? name : "\(path).\(name)"
                guard let found = known[name] else { return value == .null ? [] : ["\(place) is not a known field."] }
                return unknownFields(value, found, at: place)
            }
        case (.array(let given), .array(let known)):
            zip(given, known).enumerated().flatMap { unknownFields($1.0, $1.1, at: "\(path)[\($0)]") }
        default: []
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "\(place(context, key)) is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.isEmpty ? "The document is not a JSON object." : "\(place(context)) has the wrong type."
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

/// The errors in the JSON form of a world.
public struct SandboxWorldDocumentError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The sentences about the errors, each with the path of its field.
    public let problems: [String]

    package init(problems: [String]) {
        self.problems = problems
    }

    /// All sentences, one after the other.
    public var description: String { problems.joined(separator: " ") }
}
