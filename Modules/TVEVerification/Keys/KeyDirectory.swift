#if VerificationService
import Foundation
public import Metrics
public import Logging
public import ServiceLifecycle
public import TVEModels
public import TVETokenCodec

/// Keeps a key set in step with the files of a directory: to rotate keys, add a file and remove another.
///
/// Every file that ends with `.pem`, `.crt`, `.cer` or `.der` is one key or certificate; its name without the ending is
/// the key's name. Hidden files do not count. When a file cannot be read as a key, perhaps because it is being written,
/// the set does not change until it can. An empty directory means no keys: every token is refused. A missing directory
/// changes nothing: a volume may be unavailable for a moment.
public struct KeyDirectory: Service {
    private let path: String
    private let fixed: [MediaTokenKey]
    private let keys: MediaTokenKeySet
    private let allows1024Bits: Bool
    private let interval: Duration
    private let logger: Logger
    private let failures: Counter
    private let count: Meter

    /// Makes a key directory.
    ///
    /// - Parameters:
    ///   - path: the directory.
    ///   - fixed: keys that are always valid.
    ///   - keys: the set to update.
    ///   - allows1024Bits: whether keys of fewer than 2,048 bits are accepted.
    ///   - interval: how often the directory is read.
    ///   - requestor: the requestor of the keys, for log and metrics.
    ///   - logger: logs every change and every failure.
    ///   - metrics: counts keys and failures.
    public init(
        path: String, fixed: [MediaTokenKey] = [], keys: MediaTokenKeySet, allows1024Bits: Bool = false,
        interval: Duration = .seconds(2), requestor: RequestorID, logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.path = path
        self.fixed = fixed
        self.keys = keys
        self.allows1024Bits = allows1024Bits
        self.interval = interval
        var logger = logger
        logger[metadataKey: "requestor"] = .string(requestor.text)
        logger[metadataKey: "directory"] = .string(path)
        self.logger = logger
        let dimensions = [("requestor", requestor.text)]
        failures = Counter(label: "tve_key_failures_total", dimensions: dimensions, factory: metrics)
        count = Meter(label: "tve_keys", dimensions: dimensions, factory: metrics)
        count.set(keys.keys.count)
    }

    /// Why the keys of a directory were not loaded.
    public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The directory cannot be read.
        case unreadable
        /// A file in it is not an accepted key, or larger than any key; with its name.
        case notAKey(file: String)

        /// One sentence with the file's name.
        public var description: String {
            switch self {
            case .unreadable: "The directory cannot be read."
            case .notAKey(let file): "\(file) is not an RSA key or certificate that may be used."
            }
        }
    }

    /// Reads the directory repeatedly until the service ends.
    public func run() async throws {
        await pollFiles(
            every: interval, read: { () throws(Failure) in try stamps() },
            onChange: { _, _ throws(Failure) in
                try load()
                logger.info("The keys were read.", metadata: ["keys": .stringConvertible(keys.keys.count)])
            },
            onFailure: { error, isNew in
                failures.increment()
                if isNew { logger.error("The keys stay as they were. \(error)") }
            })
    }

    /// Reads the directory now.
    ///
    /// - Throws: ``Failure``; then the set has not changed.
    public func load() throws(Failure) {
        var found = fixed
        for name in try names() {
            let file = (path as NSString).appendingPathComponent(name)
            guard let key = Self.key(file: file, allows1024Bits: allows1024Bits) else { throw .notAKey(file: name) }
            found.append(MediaTokenKey(name: (name as NSString).deletingPathExtension, key: key))
        }
        keys.replace(with: found)
        count.set(keys.keys.count)
    }

    /// Reads one file: a public key in PEM, or a certificate in PEM or DER.
    ///
    /// - Parameters:
    ///   - file: its path.
    ///   - allows1024Bits: whether a key of fewer than 2,048 bits is accepted.
    /// - Returns: the key; nil when it is anything else or longer than 64 KiB.
    public static func key(file: String, allows1024Bits: Bool) -> TokenVerificationKey? {
        guard let handle = FileHandle(forReadingAtPath: file) else { return nil }
        defer { try? handle.close() }
        guard let bytes = try? handle.read(upToCount: 65_537), bytes.count <= 65_536 else { return nil }
        if let key = try? TokenVerificationKey(certificate: bytes, allows1024Bits: allows1024Bits) { return key }
        guard let text = String(validUTF8: bytes) else { return nil }
        return try? TokenVerificationKey(pemRepresentation: text, allows1024Bits: allows1024Bits)
    }

    private func names() throws(Failure) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { throw .unreadable }
        let endings: Set = ["pem", "crt", "cer", "der"]
        return names.filter { !$0.hasPrefix(".") && endings.contains(($0 as NSString).pathExtension.lowercased()) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Attributes of a file that change when it is written or replaced.
    private struct Stamp: Hashable {
        let size: Int64
        let inode: UInt64
        let seconds: Int
        let nanoseconds: Int
    }

    private func stamps() throws(Failure) -> [String: Stamp] {
        var stamps: [String: Stamp] = [:]
        for name in try names() {
            var facts = stat()
            guard stat((path as NSString).appendingPathComponent(name), &facts) == 0 else { continue }
            #if canImport(Darwin)
            let changed = facts.st_ctimespec
            #else
            let changed = facts.st_ctim
            #endif
            stamps[name] = Stamp(
                size: Int64(facts.st_size), inode: UInt64(facts.st_ino), seconds: changed.tv_sec,
                nanoseconds: changed.tv_nsec)
        }
        return stamps
    }
}
#endif
