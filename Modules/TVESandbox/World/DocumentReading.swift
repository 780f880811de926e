import Foundation
import TVEModels

/// A reading of a JSON document that finds all mistakes at once.
///
/// What cannot be read is replaced, so that the rest can be checked as well.
struct DocumentReading {
    /// A mistake at a place of the document.
    struct Mistake {
        /// The sentence about the mistake, with its place.
        let sentence: String
        /// The sentence about what to do; `nil` when the first sentence says it.
        var advice: String?
    }

    /// A place in the document.
    private struct Place {
        /// The path of keys, for example `providers[0].login`.
        var path = ""
        /// The path without indices and without the names of a map, for example `providers[].login`.
        var shape = ""

        func member(_ name: String, isOfMap: Bool) -> Place {
            let dot = path.isEmpty ? "" : "."
            return Place(path: path + dot + name, shape: shape + dot + (isOfMap ? JSONShape.anyName : name))
        }

        func element(_ index: Int) -> Place { Place(path: "\(path)[\(index)]", shape: "\(shape)[]") }
    }

    private(set) var mistakes: [Mistake] = []
    /// The document, in which everything that cannot be read is replaced.
    private(set) var whole = MetadataValue.null
    private let shape: JSONShape
    /// The paths of the values that are wrong or missing.
    private var replaced: Set<String> = []
    /// The largest number of mistakes in a report.
    private static let maximum = 100

    /// Reads a document and compares it with a shape.
    init(_ document: MetadataValue, like shape: JSONShape) {
        self.shape = shape
        whole = read(document, like: shape.model, at: Place())
    }

    /// Reads a world, and checks the values of its readable fields as well.
    init(world document: MetadataValue) {
        self.init(document, like: WorldShape.shape)
        guard !mistakes.isEmpty, let bytes = try? JSONEncoder().encode(whole),
            let world = try? UntrustedJSON.decode(SandboxWorld.self, from: bytes, .configuration)
        else { return }
        for mistake in world.mistakes where isIndependent(mistake) { mistakes.append(Mistake(mistake)) }
    }

    /// Returns the sentences about mistakes for people.
    ///
    /// A mistake that is alone keeps the short sentence that scripts and tests compare.
    static func problems(_ mistakes: [Mistake]) -> [String] {
        guard mistakes.count > 1 else { return mistakes.map(\.sentence) }
        let sentences = mistakes.prefix(maximum).map {
            [$0.sentence, $0.advice].compactMap(\.self).joined(separator: " ")
        }
        let more = mistakes.count - sentences.count
        return sentences + (more > 0 ? ["There are \(more) more mistakes. Correct these first."] : [])
    }

    // MARK: - Comparing with the shape

    /// Returns a value in which everything that cannot be read is replaced, and notes the mistakes.
    private mutating func read(_ given: MetadataValue, like model: MetadataValue, at place: Place) -> MetadataValue {
        switch (model, given) {
        case (.object(let known), .object(let members)): return read(members, known: known, at: place)
        case (.array(let models), .array(let values)):
            guard let model = models.first else { return given }
            var read: [MetadataValue] = []
            for (index, value) in values.enumerated() {
                read.append(self.read(value, like: model, at: place.element(index)))
            }
            return .array(read)
        case (.string, .string(let text)):
            guard let choices = shape.choices[place.shape], !choices.contains(text) else { return given }
            return replace(place, like: model, saying: "has an unknown value.", advice: advice(text, at: place))
        case (.number(let usual), .number(let number)):
            let isWhole = number.rounded() == number && abs(number) < 0x1p63
            guard !isWhole, usual.rounded() == usual else { return given }
            return replace(place, like: model, saying: "has an unknown value.")
        case (.bool, .bool): return given
        default: return replace(place, like: model, saying: "has the wrong type.")
        }
    }

    private mutating func read(
        _ members: [String: MetadataValue], known: [String: MetadataValue], at place: Place
    ) -> MetadataValue {
        var read: [String: MetadataValue] = [:]
        var meant: Set<String> = []
        let wildcard = known[JSONShape.anyName]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            let inner = place.member(name, isOfMap: wildcard != nil)
            guard let model = wildcard ?? known[name] else {
                meant.formUnion(noteUnknown(name, at: inner, besides: place, known.keys.sorted()))
                continue
            }
            // A field that may be left out may be null.
            let isLeftOut = value == .null && wildcard == nil && !shape.required.contains(inner.shape)
            if !isLeftOut { read[name] = self.read(value, like: model, at: inner) }
        }
        for (name, model) in known.sorted(by: { $0.key < $1.key }) where read[name] == nil && wildcard == nil {
            let inner = place.member(name, isOfMap: false)
            guard shape.required.contains(inner.shape) else { continue }
            if meant.contains(name) {
                read[name] = standIn(inner, like: model)
            } else {
                let allowed = shape.allowed(at: inner.shape, like: model)
                read[name] = replace(
                    inner, like: model, saying: "is missing.", advice: "Add it, with \(allowed) as its value.")
            }
        }
        return .object(read)
    }

    /// Notes an unknown field.
    ///
    /// - Returns: the name of the field that was meant; empty when no name is similar.
    private mutating func noteUnknown(
        _ name: String, at inner: Place, besides place: Place, _ known: [String]
    ) -> [String] {
        let meant = NearestName.find(for: name, among: known)
        let hint = meant.map { " Did you mean \"\($0)\"?" } ?? ""
        mistakes.append(
            Mistake(
                sentence: "\(inner.path) is not a known field.\(hint)", advice: meant == nil ? "Remove it." : nil))
        // A field whose name is misspelled is not reported as missing too.
        if let meant { replaced.insert(place.member(meant, isOfMap: false).path) }
        return [meant].compactMap(\.self)
    }

    /// Notes a mistake, and returns a value that can be read in the place of the wrong one.
    private mutating func replace(
        _ place: Place, like model: MetadataValue, saying words: String, advice: String? = nil
    ) -> MetadataValue {
        let usual = "Use \(shape.allowed(at: place.shape, like: model))."
        mistakes.append(Mistake(sentence: "\(place.path) \(words)", advice: advice ?? usual))
        return standIn(place, like: model)
    }

    private mutating func standIn(_ place: Place, like model: MetadataValue) -> MetadataValue {
        replaced.insert(place.path)
        return value(at: place, like: model)
    }

    /// Returns a value that can be read, whose texts occur nowhere else in the document.
    private func value(at place: Place, like model: MetadataValue) -> MetadataValue {
        switch model {
        case .object(let members):
            .object(
                members.reduce(into: [:]) { object, member in
                    let inner = place.member(member.key, isOfMap: false)
                    guard shape.required.contains(inner.shape) else { return }
                    object[member.key] = value(at: inner, like: member.value)
                })
        case .array: .array([])
        case .string: shape.choices[place.shape] == nil ? .string("\u{1}\(place.path)") : model
        case .null, .bool, .number: model
        }
    }

    /// Returns the sentence about what to do with an unknown text.
    ///
    /// A list of more than five texts is not repeated. The advice then names the most similar text, if there is one.
    private func advice(_ text: String, at place: Place) -> String? {
        guard let choices = shape.choices[place.shape], choices.count > 5 else { return nil }
        return NearestName.find(for: text, among: choices).map { "Did you mean \"\($0)\"?" }
    }

    // MARK: - Checking the rest

    /// Returns a Boolean value that indicates whether a mistake is one of the document, and not of a value that
    /// replaces another.
    private func isIndependent(_ mistake: WorldMistake) -> Bool {
        let place = mistake.place
        let isReplaced = replaced.contains { path in
            place.isSameBytes(as: path) || place.hasBytePrefix("\(path).") || place.hasBytePrefix("\(path)[")
        }
        guard !isReplaced else { return false }
        // A provider without a readable id may be the one that is missed.
        if mistake.namesProvider {
            return !replaced.contains { $0.wholeMatch(of: /providers(\[[0-9]+\](\.id)?)?/) != nil }
        }
        // The kind of a fault decides what most of its fields may be.
        guard let fault = place.prefixMatch(of: /(faults\[[0-9]+\])\.(.*)/), replaced.contains("\(fault.1).kind") else {
            return true
        }
        return ["provider", "device", "requests", "after"].contains(String(fault.2))
    }
}

extension DocumentReading.Mistake {
    /// Creates the report of a mistake that a world has when all its fields can be read.
    init(_ mistake: WorldMistake) { self.init(sentence: mistake.sentence) }
}
