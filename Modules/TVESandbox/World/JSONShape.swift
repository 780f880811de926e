import Foundation
import TVEModels

/// The fields of a JSON form, with which a document is compared.
package struct JSONShape: Sendable {
    /// The name of a member that stands for all members of a map with names of the writer's choice.
    static let anyName = "*"

    /// The JSON form of a value with every field.
    ///
    /// A field whose number has a fraction takes any number, and another one only whole numbers.
    let model: MetadataValue
    /// The fields that a document must have, by their paths without indices, for example `providers[].login`.
    ///
    /// They are those without which the decoder reads no value, so that no list has to follow the types.
    let required: Set<String>
    /// The texts that a field may have, by its path without indices; a field without an entry may have any text.
    let choices: [String: [String]]

    /// Creates the shape of a type.
    ///
    /// - Parameters:
    ///   - example: a value in which every field has a value, and every list an element.
    ///   - choices: the texts that a field may have, by its path without indices.
    package init<Form: Codable>(_ example: Form, choices: [String: [String]] = [:]) {
        let model = (try? UntrustedJSON.read(MetadataValue.self, from: JSONEncoder().encode(example))) ?? .null
        var found: Set<String> = []
        func isReadable(_ value: MetadataValue) -> Bool {
            (try? UntrustedJSON.decode(Form.self, from: JSONEncoder().encode(value))) != nil
        }
        func look(at path: String, in value: MetadataValue, whole: (MetadataValue) -> MetadataValue) {
            switch value {
            case .object(let members):
                for (name, inner) in members {
                    let place = path.isEmpty ? name : "\(path).\(name)"
                    if !isReadable(whole(.object(members.filter { $0.key != name }))) { found.insert(place) }
                    look(at: place, in: inner) { changed in whole(.object(members.merging([name: changed]) { $1 })) }
                }
            case .array(let values):
                if let first = values.first { look(at: "\(path)[]", in: first) { whole(.array([$0])) } }
            case .null, .bool, .number, .string: break
            }
        }
        look(at: "", in: model) { $0 }
        self.model = model
        required = found
        self.choices = choices
    }

    /// Returns a phrase for what a field takes, such as "a whole number".
    func allowed(at path: String, like model: MetadataValue) -> String {
        if let choices = choices[path], let last = choices.last {
            return "\(choices.dropLast().joined(separator: ", ")) or \(last)"
        }
        return switch model {
        case .null: "nothing"
        case .bool: "true or false"
        case .number(let usual): usual.rounded() == usual ? "a whole number" : "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
