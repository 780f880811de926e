import Foundation
public import Logging
public import Metrics
import NIOConcurrencyHelpers
public import ServiceLifecycle
@_spi(VerificationService) public import TVEModels
public import TVETokenVerification

/// A service that updates a key set from the files of a directory.
///
/// To rotate keys, add a file and remove another. Every file whose name ends with `.pem`, `.crt`, `.cer` or `.der` is
/// one key or certificate, and its name without the ending is the name of the key. Hidden files are ignored.
///
/// Each file is handled independently of the others. Once a file is gone or has other content, its old key is no longer
/// used after the next reading. A file that is not a key, perhaps because it is being written, adds none. While a file
/// or the directory exists but cannot be read, the keys that were read before remain. They also remain while a user
/// other than root and that of this process could change the file or the directory, because whoever can add a key
/// decides which tokens are genuine.
public struct KeyDirectory: Service {
    private let path: String
    private let fixed: [MediaTokenKey]
    private let keys: MediaTokenKeySet
    private let allows1024Bits: Bool
    private let logger: Logger
    private let failures: Counter
    private let count: Meter
    private let problemCount: Meter
    private let state = NIOLockedValueBox(State())

    private struct State {
        /// The files that are keys, by the bytes of their names.
        var files: [Data: File] = [:]
        var problems: [Problem] = []
        var passedOver: [String] = []
        var isLoaded = false
        var hasHadKeys = false
    }

    /// A file that is a key.
    private struct File {
        let bytes: Data
        let key: TokenVerificationKey
    }

    /// Creates a key directory.
    ///
    /// - Parameters:
    ///   - path: the path of the directory.
    ///   - fixed: the keys that are always valid.
    ///   - keys: the key set to update.
    ///   - allows1024Bits: `true` to accept keys of 1,024 to 2,047 bits.
    ///   - requestor: the requestor of the keys, for the log and the metrics.
    ///   - logger: the logger for every change and every failure.
    ///   - metrics: the factory of the metrics of keys, problems and failures.
    public init(
        path: String, fixed: [MediaTokenKey] = [], keys: MediaTokenKeySet, allows1024Bits: Bool = false,
        requestor: RequestorID, logger: Logger, metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.path = path
        self.fixed = fixed
        self.keys = keys
        self.allows1024Bits = allows1024Bits
        var logger = logger
        logger[metadataKey: "requestor"] = .string(requestor.text)
        logger[metadataKey: "directory"] = .string(path)
        self.logger = logger
        let dimensions = [("requestor", requestor.text)]
        failures = Counter(label: "tve_key_failures_total", dimensions: dimensions, factory: metrics)
        count = Meter(label: "tve_keys", dimensions: dimensions, factory: metrics)
        problemCount = Meter(label: "tve_key_problems", dimensions: dimensions, factory: metrics)
        count.set(keys.keys.count)
        problemCount.set(0)
    }

    /// A problem of a key directory.
    public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// There is no such directory, so there are no keys in it.
        case missing
        /// The directory cannot be read, and its keys remain in use.
        case unreadable
        /// Another user can change the directory, or a folder above it; its keys remain in use.
        ///
        /// The value is one sentence about the reason, and one about what to do.
        case untrusted(String)
        /// Another user can change a file; if the file was a key before, that key remains in use.
        case untrustedFile(String, reason: String)
        /// A file cannot be read; if the file was a key before, that key remains in use.
        case unreadableFile(String)
        /// A link leads to no file; if the file was a key before, that key is gone.
        case brokenLink(String)
        /// A file is not an accepted key.
        case notAKey(file: String, fault: TokenKeyFault)
        /// A file is larger than any key.
        case tooLong(file: String)
        /// Files differ only in their endings, or have the name of a key of the configuration.
        ///
        /// Each of these files is used under its whole name.
        case sameName(_ name: String, files: [String])

        /// A sentence about what was found, with the names of the files, and one about what to do.
        public var description: String {
            switch self {
            case .missing: "The directory does not exist. Create it, or correct keyDirectory."
            case .unreadable: "The directory cannot be read. Check that the user of this service may read it."
            case .untrusted(let reason): "The directory is not read: \(reason)"
            case .untrustedFile(let file, let reason): "\(file) is not read: \(reason)"
            case .unreadableFile(let file):
                "\(file) cannot be read. Check that it is a file, and that the user of this service may read it."
            case .brokenLink(let file):
                "\(file) is a link to a file that does not exist. Correct the link, or remove it."
            case .notAKey(let file, let fault): "\(file) cannot be used as a key. \(fault)"
            case .tooLong(let file):
                "\(file) cannot be used as a key: it is longer than \(KeyDirectory.longest) bytes. "
                    + "Use a public key or an X.509 certificate, in PEM or DER."
            case .sameName(let name, let files) where files.count == 1:
                "\(files[0]) has the same name, \(name), as a key of the configuration. "
                    + "Rename one of the two; until then, this key has the name \(files[0])."
            case .sameName(let name, let files):
                "\(files.joined(separator: " and ")) have the same name, \(name). "
                    + "Rename all but one; until then, each key has the whole name of its file."
            }
        }
    }

    /// The problems that the last reading of the directory found.
    public var problems: [Problem] { state.withLockedValue { $0.problems } }

    /// The names of files whose endings are not those of keys, such as key stores and copies.
    ///
    /// The names are sorted, and hidden files are omitted.
    public var passedOver: [String] { state.withLockedValue { $0.passedOver } }

    /// Returns a message about files that were passed over.
    ///
    /// - Parameter files: the names of the files. If there are many, the message contains only the first ones.
    /// - Returns: the message; `nil` if there are no files.
    public static func sentence(aboutPassedOver files: [String]) -> String? {
        guard !files.isEmpty else { return nil }
        let most = 10
        let names = files.prefix(most).joined(separator: ", ")
        let others = files.count > most ? " and \(files.count - most) more" : ""
        let isStore = files.contains { file in [".jks", ".p12", ".pfx"].contains { file.lowercased().hasSuffix($0) } }
        let advice = isStore ? " Export the certificate of a key store into a file with one of these endings." : ""
        return "\(files.count == 1 ? "The file" : "The files") \(names)\(others) \(files.count == 1 ? "is" : "are") "
            + "ignored. The name of a file with a key must end with .pem, .crt, .cer or .der.\(advice)"
    }

    /// A Boolean value that indicates whether the set has had keys after any reading of the directory.
    package var hasHadKeys: Bool { state.withLockedValue { $0.hasHadKeys } }

    /// Reads the directory every two seconds until the service ends.
    public func run() async throws {
        await repeatUntilShutdown(every: .seconds(2)) { load() }
    }

    /// Reads the directory now and updates the set.
    ///
    /// - Returns: the problems of the directory. Everything without a problem was read.
    @discardableResult
    public func load() -> [Problem] {
        state.withLockedValue { state in
            let known = state.problems
            let passedOver = state.passedOver
            let hasHadKeys = state.hasHadKeys
            let hasChanged = read(&state)
            if hasChanged {
                keys.replace(with: named(state.files.mapValues(\.key)).keys)
                logger.info("The keys were read.", metadata: ["keys": .stringConvertible(keys.keys.count)])
            }
            state.hasHadKeys = hasHadKeys || !keys.keys.isEmpty
            if state.passedOver != passedOver, let sentence = Self.sentence(aboutPassedOver: state.passedOver) {
                logger.warning("\(sentence)")
            }
            for problem in state.problems where !known.contains(problem) { logger.error("\(problem)") }
            if state.problems.isEmpty, !known.isEmpty { logger.info("The key directory has no problem any more.") }
            if !state.problems.isEmpty { failures.increment() }
            count.set(keys.keys.count)
            problemCount.set(state.problems.count)
            return state.problems
        }
    }

    /// Updates the files in the state.
    ///
    /// - Returns: `true` if any key has changed.
    private func read(_ state: inout State) -> Bool {
        let isFirst = !state.isLoaded
        let found: [String]
        let others: [String]
        switch names() {
        case .success(let names): (found, others) = names
        case .failure(.missing):
            defer { state = State(problems: [.missing], isLoaded: true) }
            return isFirst || !state.files.isEmpty
        case .failure(let problem):
            state.problems = [problem]
            return false
        }
        var files: [Data: File] = [:]
        var problems: [Problem] = []
        for name in found {
            let file = Data(name.utf8)
            let place = (path as NSString).appendingPathComponent(name)
            if let problem = FileTrust.problem(of: place, as: .anchor) {
                files[file] = state.files[file]
                problems.append(.untrustedFile(name, reason: problem.description))
                continue
            }
            switch FileContent(path: place, limit: Self.longest) {
            case .bytes(let bytes):
                if let known = state.files[file], known.bytes == bytes {
                    files[file] = known
                } else {
                    do throws(TokenKeyFault) {
                        let key = try TokenVerificationKey(content: bytes, allows1024Bits: allows1024Bits)
                        files[file] = File(bytes: bytes, key: key)
                    } catch {
                        problems.append(.notAKey(file: name, fault: error))
                    }
                }
            case .tooLong: problems.append(.tooLong(file: name))
            case .unreadable:
                files[file] = state.files[file]
                problems.append(.unreadableFile(name))
            case .missing:
                // A file that is no link was removed a moment ago.
                if let status = ServiceSupport.status(of: place), status.st_mode & S_IFMT == S_IFLNK {
                    problems.append(.brokenLink(name))
                }
            }
        }
        let old = state.files
        state = State(
            files: files, problems: problems + named(files.mapValues(\.key)).problems, passedOver: others,
            isLoaded: true)
        return isFirst || files.count != old.count || files.contains { old[$0]?.bytes != $1.bytes }
    }

    /// Returns all keys with their names.
    ///
    /// The name of a key is that of its file without the ending, unless another key has this name.
    private func named(_ files: [Data: TokenVerificationKey]) -> (keys: [MediaTokenKey], problems: [Problem]) {
        let sorted = files.map { (file: String(decoding: $0.key, as: UTF8.self), key: $0.value) }
            .sorted { $0.file.utf8.lexicographicallyPrecedes($1.file.utf8) }
        let groups = Dictionary(grouping: sorted.map(\.file)) { Data(($0 as NSString).deletingPathExtension.utf8) }
        var all = fixed
        var problems: [Problem] = []
        func isTaken(_ name: String) -> Bool { all.contains { ServiceSupport.isSame($0.name, name) } }
        for (file, key) in sorted {
            let stem = (file as NSString).deletingPathExtension
            let group = groups[Data(stem.utf8)] ?? []
            let isFixed = fixed.contains { ServiceSupport.isSame($0.name, stem) }
            if let first = group.first, ServiceSupport.isSame(first, file), group.count > 1 || isFixed {
                problems.append(.sameName(stem, files: group))
            }
            var name = group.count > 1 || isFixed ? file : stem
            // Names are unique within a key set.
            while isTaken(name) { name += "+" }
            all.append(MediaTokenKey(name: name, key: key))
        }
        return (all, problems)
    }

    fileprivate static let longest = 65_536

    /// Reads one file with a public key or a certificate.
    ///
    /// - Parameters:
    ///   - file: the path of the file.
    ///   - allows1024Bits: `true` to accept a key of 1,024 to 2,047 bits.
    /// - Returns: the key.
    /// - Throws: a ``Problem`` that contains the path.
    public static func key(file: String, allows1024Bits: Bool) throws(Problem) -> TokenVerificationKey {
        switch FileContent(path: file, limit: longest) {
        case .bytes(let bytes):
            do throws(TokenKeyFault) {
                return try TokenVerificationKey(content: bytes, allows1024Bits: allows1024Bits)
            } catch {
                throw .notAKey(file: file, fault: error)
            }
        case .tooLong: throw .tooLong(file: file)
        case .missing, .unreadable: throw .unreadableFile(file)
        }
    }

    private func names() -> Result<(keys: [String], others: [String]), Problem> {
        if let problem = FileTrust.problem(of: path, as: .anchor) {
            return .failure(.untrusted(problem.description))
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            let descriptor = ServiceSupport.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
            guard descriptor < 0 else {
                close(descriptor)
                return .failure(.unreadable)
            }
            return .failure([ENOENT, ENOTDIR].contains(errno) ? .missing : .unreadable)
        }
        let endings: Set = ["pem", "crt", "cer", "der"]
        // Kubernetes and editors store hidden files beside the keys.
        let visible = names.filter { !$0.hasPrefix(".") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        func isKey(_ name: String) -> Bool { endings.contains((name as NSString).pathExtension.lowercased()) }
        return .success((visible.filter(isKey), visible.filter { !isKey($0) }))
    }
}
