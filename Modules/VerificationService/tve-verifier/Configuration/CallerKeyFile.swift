import Foundation
import Logging
import Metrics
import NIOConcurrencyHelpers
import ServiceLifecycle
import TVEModels
import TVEVerification

/// A service that updates the bearer keys of callers from a file.
///
/// Each line of the file has the form `name key requestor…`; lines that begin with `#` are comments. The file is read
/// repeatedly, and each line is handled independently of the others: once a line is gone, its key is no longer
/// admitted, and a malformed line admits nobody. An empty or missing file admits nobody at all. The keys remain
/// unchanged only while the file exists and cannot be read, or while a user other than root and that of the service
/// could read or change it.
struct CallerKeyFile: Service {
    private let path: String
    private let configured: [RequestorID]
    let keys = CallerKeys([])
    private let logger: Logger
    private let count: Meter
    private let problemCount: Meter
    private let state = NIOLockedValueBox((content: Content?.none, problems: [Problem]()))

    /// Creates a service that has not read the file yet.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - configured: the requestors of the configuration.
    ///   - logger: the logger for every change and every problem.
    ///   - metrics: the factory of the metrics of keys and problems.
    init(path: String, configured: [RequestorID], logger: Logger, metrics: any MetricsFactory) {
        self.path = path
        self.configured = configured
        self.logger = logger
        count = Meter(label: "tve_caller_keys", factory: metrics)
        problemCount = Meter(label: "tve_caller_problems", factory: metrics)
    }

    enum Problem: Error, Hashable, CustomStringConvertible {
        case missing
        case unreadable
        /// Another user can read or change the file.
        case untrusted(FileTrust.Problem)
        case tooLong
        case empty
        /// A line is not a name and a key.
        case line(Int)
        /// A line names no requestor, and several are configured.
        case noRequestor(line: Int)
        /// A line names a requestor that is not configured.
        case unknownRequestor(line: Int)
        /// A line has the key of an earlier line.
        case repeatedKey(line: Int)

        /// A sentence about what was found, and one about what to do.
        var description: String {
            switch self {
            case .missing:
                "The callers' file does not exist, so nobody is admitted. "
                    + "Create it with a line for each caller: its name, its key and its requestors."
            case .unreadable: "The callers' file cannot be read. Check that the user of this service may read it."
            case .untrusted(let problem): "The callers' file is not read: \(problem)"
            case .tooLong:
                "The callers' file is longer than a megabyte, so nobody is admitted. Check that it is the right file."
            case .empty:
                "The callers' file contains no key, so nobody is admitted. "
                    + "Add a line for each caller: its name, its key and its requestors."
            case .line(let line):
                "Line \(line) of the callers' file is not a name and a key of at least \(CallerKey.minimumLength) "
                    + "letters, digits and signs of Base64. "
                    + "Write both, with a space and no comma between them; make a key with: openssl rand -base64 24."
            case .noRequestor(let line):
                "Line \(line) of the callers' file names no requestor, and several are configured. "
                    + "Write the ids of this caller's requestors after its key."
            case .unknownRequestor(let line):
                "Line \(line) of the callers' file names a requestor that is not configured. "
                    + "Correct its id, or add it to requestors."
            case .repeatedKey(let line):
                "Line \(line) of the callers' file has the key of an earlier line, and is ignored. "
                    + "Give each caller a key of its own, and write all its requestors on one line."
            }
        }
    }

    /// The content of the file, or the reason for which it cannot be trusted.
    private typealias Content = Result<FileContent, FileTrust.Problem>

    /// The problems that the last reading of the file found.
    var problems: [Problem] { state.withLockedValue { $0.problems } }

    /// Reads the file every other second until the service ends.
    func run() async throws {
        await repeatUntilShutdown(every: .seconds(2)) { load() }
    }

    /// Reads the file now and updates the keys.
    func load() {
        state.withLockedValue { state in
            let content = Self.content(of: path)
            guard content != state.content else { return }
            let isFirst = state.content == nil
            let old = state.problems
            let (found, problems) = Self.keys(in: content, configured)
            state = (content, problems)
            if let found {
                keys.replace(with: found)
                if !isFirst { logger.info("The callers' keys were read.", metadata: ["keys": "\(keys.count)"]) }
            }
            for problem in problems where !old.contains(problem) { logger.error("\(problem)") }
            if problems.isEmpty, !old.isEmpty { logger.info("The callers' file has no problem any more.") }
            count.set(keys.count)
            problemCount.set(problems.count)
        }
    }

    private static let longest = 1 << 20

    /// Reads a file and returns its problems.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - configured: the requestors of the configuration.
    /// - Returns: all problems, which contain no part of a key.
    static func problems(path: String, _ configured: [RequestorID]) -> [Problem] {
        keys(in: content(of: path), configured).problems
    }

    private static func content(of path: String) -> Content {
        if let problem = FileTrust.problem(of: path, as: .secret) { return .failure(problem) }
        return .success(FileContent(path: path, limit: longest))
    }

    /// Returns the keys in the content of a file, or `nil` if they are unknown, together with the problems of the file.
    private static func keys(
        in content: Content, _ configured: [RequestorID]
    ) -> (keys: [CallerKey]?, problems: [Problem]) {
        switch content {
        case .failure(let problem): return (nil, [.untrusted(problem)])
        case .success(.missing): return ([], [.missing])
        case .success(.tooLong): return ([], [.tooLong])
        case .success(.unreadable): return (nil, [.unreadable])
        case .success(.bytes(let bytes)):
            var keys: [CallerKey] = []
            var problems: [Problem] = []
            var known: Set<String> = []
            let mark = Data([0xEF, 0xBB, 0xBF])
            let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
            let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                do throws(Problem) {
                    if let key = try key(in: line, number: index + 1, configured, known: &known) { keys.append(key) }
                } catch {
                    problems.append(error)
                }
            }
            return (keys, keys.isEmpty && problems.isEmpty ? [.empty] : problems)
        }
    }

    /// Returns the key in a line, or `nil` for a comment or a blank line.
    private static func key(
        in line: Data, number: Int, _ configured: [RequestorID], known: inout Set<String>
    ) throws(Problem) -> CallerKey? {
        let blanks: Set = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
        let words = line.split { blanks.contains($0) }
        guard let first = words.first, first.first != UInt8(ascii: "#") else { return nil }
        let texts = words.compactMap { String(validating: $0, as: UTF8.self) }
        guard texts.count == words.count, texts.count >= 2 else { throw .line(number) }
        var requestors = texts.dropFirst(2).map { RequestorID($0) }
        if requestors.isEmpty {
            guard configured.count == 1 else { throw .noRequestor(line: number) }
            requestors = configured
        }
        guard requestors.allSatisfy(configured.contains) else { throw .unknownRequestor(line: number) }
        guard texts[1].utf8.allSatisfy(isBearerByte), let key = CallerKey(texts[1], requestors: Set(requestors)) else {
            throw .line(number)
        }
        // The requestors of both lines would be open to both callers.
        guard known.insert(texts[1]).inserted else { throw .repeatedKey(line: number) }
        return key
    }

    /// Returns a Boolean value that indicates whether a byte may be part of a bearer key (RFC 6750, 2.1).
    ///
    /// A comma or a quotation mark at the end of a key would otherwise be a part of it, and its caller would be refused
    /// without a word.
    private static func isBearerByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/=".utf8.contains(byte)
        }
    }
}
