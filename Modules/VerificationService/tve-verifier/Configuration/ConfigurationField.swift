import Foundation
@_spi(VerificationService) import TVEModels
import TVEVerification
import Yams

/// A value in a configuration file, with its position.
struct ConfigurationField {
    private let node: Node
    private let file: String
    private let name: String
    /// The mistakes of the whole file.
    let mistakes: ConfigurationMistakes

    /// Reads a file in YAML or in JSON, which is a subset of YAML.
    ///
    /// - Parameters:
    ///   - path: the path of a file of at most a megabyte, which only root and this user can change, or of a pipe.
    ///   - patience: the time to wait for somebody who writes to a pipe.
    ///   - now: the time at which certificates have to be valid.
    /// - Throws: an error about the file, or the first error in its syntax.
    init(file path: String, patience: Duration = .seconds(5), now: Date = Date()) throws(ConfigurationError) {
        func failure(_ problem: ConfigurationProblem, line: Int? = nil) -> ConfigurationError {
            ConfigurationError(file: path, line: line, field: "", problem: problem)
        }
        if let problem = FileTrust.problem(of: path, as: .anchor) { throw failure(.untrusted(problem)) }
        let limit = 1 << 20
        guard let bytes = Self.bytes(of: path, limit: limit, patience: patience) else { throw failure(.unreadable) }
        guard bytes.count <= limit else { throw failure(.tooLong(limit: limit)) }
        // Some editors on Windows begin a file with a byte order mark.
        let mark = Data([0xEF, 0xBB, 0xBF])
        let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
        guard let text = String(validating: content, as: UTF8.self) else { throw failure(.notUTF8) }
        let node: Node?
        do {
            node = try compose(yaml: text)
        } catch let error as YamlError {
            // A missing value at the end of the file is reported for the line after the last one.
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let line = Self.line(of: error).map { min($0, lines.count - (text.last?.isNewline == true ? 1 : 0)) }
            if case .duplicatedKeysInMapping(let keys, _) = error {
                throw failure(.repeatedFields(keys), line: line)
            }
            // Only the words of this error tell it from the others.
            if case .composer(_, let problem, _, _) = error, problem.contains("another document") {
                throw failure(.secondDocument, line: line)
            }
            // JSON may be indented with tabs, so they are not its mistake.
            let isJSON = ["{", "["].contains(text.first { !$0.isWhitespace })
            let indentation = line.map { lines.prefix($0).last?.prefix { $0.isWhitespace } ?? "" } ?? ""
            throw failure(indentation.contains("\t") && !isJSON ? .tabInIndentation : .notYAML, line: line)
        } catch {
            throw failure(.notYAML)
        }
        guard let node else { throw failure(.empty) }
        self.init(node, file: path, name: "", ConfigurationMistakes(at: now))
    }

    private init(_ node: Node, file: String, name: String, _ mistakes: ConfigurationMistakes) {
        self.mistakes = mistakes
        self.node = node
        self.file = file
        self.name = name
    }

    /// Returns the bytes of a file or a pipe, one more than the limit if it is longer, or `nil` if it cannot be read.
    ///
    /// A pipe is read to its end while somebody writes to it, as a shell does for `<(…)`. If nobody does, a name of a
    /// file that happens to be a pipe would otherwise let the service wait without a word.
    private static func bytes(of path: String, limit: Int, patience: Duration) -> Data? {
        let descriptor = ServiceSupport.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var bytes = Data()
        // A file has a position, and a pipe has none.
        if lseek(descriptor, 0, SEEK_CUR) < 0 {
            let end = ContinuousClock.now.advanced(by: patience)
            // Reading returns nothing while nobody writes, and fails while somebody is about to write.
            while let first = try? handle.read(upToCount: 1) ?? Data() {
                bytes = first
                guard first.isEmpty else { break }
                guard ContinuousClock.now < end else { return nil }
                usleep(10_000)
            }
            _ = fcntl(descriptor, F_SETFL, 0)
        }
        // Reading an empty file returns `nil`.
        guard let rest = try? handle.read(upToCount: limit + 1 - bytes.count) ?? Data() else { return nil }
        return bytes + rest
    }

    private static func line(of error: YamlError) -> Int? {
        switch error {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
        case .duplicatedKeysInMapping(_, let context): context.mark.line
        default: nil
        }
    }

    func error(_ problem: ConfigurationProblem) -> ConfigurationError {
        ConfigurationError(file: file, line: node.mark?.line, field: name, problem: problem)
    }

    /// Returns the fields of a map, and records each field with an unknown name as a mistake.
    func fields(_ known: Set<String>) throws(ConfigurationError) -> [String: ConfigurationField] {
        guard case .mapping(let mapping) = node else { throw error(.notAMap) }
        var fields: [String: ConfigurationField] = [:]
        for (key, value) in mapping {
            guard let text = key.string, known.contains(text) else {
                let field = ConfigurationField(key, file: file, name: inner(key.string ?? "?"), mistakes)
                mistakes.record(field.error(.unknownField(known: known.sorted())))
                continue
            }
            fields[text] = ConfigurationField(value, file: file, name: inner(text), mistakes)
        }
        return fields
    }

    func elements() throws(ConfigurationError) -> [ConfigurationField] {
        guard case .sequence(let sequence) = node else { throw error(.notAList) }
        return sequence.enumerated().map { ConfigurationField($1, file: file, name: "\(name)[\($0)]", mistakes) }
    }

    /// Returns a string that is not empty.
    ///
    /// A null, which is written as a word without quotation marks or as a tilde, is no text.
    func text() throws(ConfigurationError) -> String {
        guard case .scalar(let scalar) = node, !scalar.string.isEmpty, node.tag != Tag(.null) else {
            throw error(.notText)
        }
        let limit = 4_096
        guard scalar.string.utf8.count <= limit, !scalar.string.utf8.contains(0) else {
            throw error(.unusableText(limit: limit))
        }
        return scalar.string
    }

    /// Returns a path; a relative path starts at the directory of the configuration file.
    ///
    /// Links stay in the path, so that each reading follows them anew. Foundation replaces the links of some paths by
    /// the folders to which they lead now, and takes a tilde at the beginning for the home directory.
    ///
    /// In a relative path, `..` removes the name before it, even if that is the name of a link. So the files beside a
    /// link to the directory of the configuration can be named.
    func path() throws(ConfigurationError) -> String {
        func names(_ path: String) -> [Substring] {
            ServiceSupport.parts(of: path[...], separatedBy: "/", keepsEmpty: false)
                .filter { !$0.utf8.elementsEqual(".".utf8) }
        }
        func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }
        func isParent(_ name: Substring) -> Bool { name.utf8.elementsEqual("..".utf8) }
        let text = try text()
        var place: [Substring] = []
        if !isAbsolute(text) {
            if !isAbsolute(file) { place = names(FileManager.default.currentDirectoryPath) }
            place += names(file).dropLast()
        }
        for name in names(text) {
            if !isAbsolute(text), isParent(name), let last = place.last, !isParent(last) {
                place.removeLast()
            } else {
                place.append(name)
            }
        }
        return "/" + place.joined(separator: "/")
    }

    func bool() throws(ConfigurationError) -> Bool {
        guard case .scalar(let scalar) = node, ["true", "false"].contains(scalar.string) else {
            throw error(.notABoolean)
        }
        return scalar.string == "true"
    }

    func integer(_ range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        guard case .scalar(let scalar) = node, let number = Int(scalar.string), range.contains(number) else {
            throw error(.notAWholeNumber(range))
        }
        return number
    }

    func seconds(_ range: ClosedRange<Double>) throws(ConfigurationError) -> Double {
        // A number in hexadecimal is probably a mistake, because a whole number cannot be written so.
        guard case .scalar(let scalar) = node,
            scalar.string.utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }),
            let number = Double(scalar.string), range.contains(number)
        else { throw error(.notSeconds(range)) }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type
    ) throws(ConfigurationError) -> Choice where Choice.RawValue == String {
        guard case .scalar(let scalar) = node, let choice = Choice(rawValue: scalar.string) else {
            throw error(.notAWord(known: Choice.allCases.map(\.rawValue)))
        }
        return choice
    }

    private func inner(_ name: String) -> String { self.name.isEmpty ? name : "\(self.name).\(name)" }
}

/// A mistake in a configuration, with its position.
struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the file, or the name of an environment variable.
    let file: String
    /// The line in the file, from 1 on; `nil` if there is none.
    let line: Int?
    /// The name of the field, for example `requestors[0].keys`; empty for the whole file.
    let field: String
    /// The problem, without the value of the field, which may be a password.
    let problem: ConfigurationProblem

    var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        let text = field.isEmpty ? "\(place): \(problem)" : "\(place): \(field): \(problem)"
        // The name of a file or a field may have characters that a terminal interprets, or that begin a new line.
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: safe.append("?")
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }
}

extension ConfigurationError {
    /// Creates a mistake in the value of an environment variable.
    ///
    /// - Parameters:
    ///   - variable: the name of the variable.
    ///   - problem: the problem.
    init(variable: String, problem: ConfigurationProblem) {
        self.init(file: variable, line: nil, field: "", problem: problem)
    }
}
