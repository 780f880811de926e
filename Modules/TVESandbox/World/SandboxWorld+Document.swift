public import Foundation
import TVEModels

extension SandboxWorld {
    /// Parses a world from its JSON form.
    ///
    /// - Parameter json: the document in UTF-8, one megabyte at most.
    /// - Throws: ``SandboxWorldDocumentError`` with all mistakes of the document.
    public init(json: Data) throws(SandboxWorldDocumentError) {
        do throws(UntrustedJSONError) {
            guard let document = try? UntrustedJSON.read(MetadataValue.self, from: json) else {
                // The decoder names the place of a number that is too large for any reader.
                _ = try UntrustedJSON.decode(SandboxWorld.self, from: json)
                throw UntrustedJSONError.malformed
            }
            guard case .object = document else { throw UntrustedJSONError.unreadable(NotAnObject()) }
            let mistakes = WorldReading(document).mistakes
            guard mistakes.isEmpty else { throw UntrustedJSONError.unreadable(Mistakes(found: mistakes)) }
            self = try UntrustedJSON.decode(SandboxWorld.self, from: json)
        } catch {
            throw SandboxWorldDocumentError(problems: Self.problems(error))
        }
        let found = mistakes.map { WorldReading.Mistake($0) }
        guard found.isEmpty else { throw SandboxWorldDocumentError(problems: WorldReading.problems(found)) }
    }

    /// The JSON form of the world, sorted and indented for editing.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers, arrays and dictionaries of these can always be encoded.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private struct NotAnObject: Error {}

    private struct Mistakes: Error {
        let found: [WorldReading.Mistake]
    }

    private static func problems(_ error: UntrustedJSONError) -> [String] {
        switch error {
        case .malformed: ["The document is not JSON."]
        case .unreadable(let mistakes as Mistakes): WorldReading.problems(mistakes.found)
        case .unreadable(is NotAnObject): ["The document is not a JSON object."]
        case .unreadable(let error as DecodingError): [reason(error)]
        default: ["\(error)"]
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

    /// All sentences, one after the other, and then one about what to do.
    public var description: String {
        "\(problems.joined(separator: " ")) Documentation/Sandbox.md describes the fields of a world."
    }
}
