public import Foundation
import TVEModels

extension SandboxWorld {
    /// Parses a world from its JSON form.
    ///
    /// - Parameter json: the document in UTF-8, one megabyte at most.
    /// - Throws: ``SandboxWorldDocumentError`` with all mistakes of the document.
    public init(json: Data) throws(SandboxWorldDocumentError) {
        do throws(JSONFormError) {
            self = try DocumentReading.decode(SandboxWorld.self, from: json, limits: .answer) {
                DocumentReading(world: $0).mistakes
            }
        } catch {
            throw SandboxWorldDocumentError(problems: error.problems)
        }
        let found = mistakes.map { DocumentReading.Mistake($0) }
        guard found.isEmpty else { throw SandboxWorldDocumentError(problems: DocumentReading.problems(found)) }
    }

    /// The JSON form of the world, sorted and indented for editing.
    public var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Strings, numbers, arrays and dictionaries of these can always be encoded.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
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
