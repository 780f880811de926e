import Crypto
package import Foundation
package import TVEModels

/// A private directory with a sandbox's key, the state in which it last stopped, and snapshots by name.
///
/// A lock ensures that only one process uses the directory at a time.
package final class SandboxFolder: Sendable {
    /// A snapshot in the directory.
    package struct Entry: Sendable {
        package let name: String
        package let saved: Date
        package let bytes: Int
    }

    /// The secrets and statements that must survive a restart, so that the tokens from before it stay valid.
    ///
    /// A client that finds another software statement registers again and loses its logins, which belong to its
    /// registration.
    private struct Identity: Codable {
        let privateKey: String
        let secret: Data
        let statement, classicStatement: String

        init(_ key: SandboxKey) throws {
            privateKey = key.privateKeyPEM
            secret = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
            statement = try ClientRegistration.softwareStatement(key)
            classicStatement = try ClientRegistration.softwareStatement(key, isForRESTv2: false)
        }
    }

    /// The content of a file, with the fingerprint of the key, so that a sandbox with another key refuses the file.
    private struct Content<Value: Codable>: Codable {
        let key: String
        let value: Value
    }

    package let path: String
    package let key: SandboxKey
    let secret: SymmetricKey
    let statement, classicStatement: String
    private let lock: FileLock
    /// The lock under which a new snapshot is saved, so that it does not replace another new one of the same name.
    package let saving = Lock()

    private static let suffix = ".snapshot"
    /// The largest number of snapshots, so that a directory does not grow without end.
    package static let maximumCount = 100

    /// Opens a directory, or creates it when it does not exist.
    ///
    /// - Parameters:
    ///   - path: the path of the directory, whose parent directory must exist.
    ///   - key: the closure that returns the key for a new directory.
    /// - Throws: `SandboxFolderError` when the directory cannot be used.
    package init(
        _ path: String, key: () throws -> SandboxKey = { try SandboxKey() }
    ) throws(SandboxFolderError) {
        self.path = path
        try Self.prepare(path)
        do throws(FileLock.Failure) {
            lock = try FileLock("\(path)/lock")
        } catch {
            switch error {
            case .held: throw .inUse(path)
            case .system(let number): throw .system("\(path)/lock", errno: number)
            }
        }
        Self.removeUnfinished(in: path)
        let identity = try Self.identity("\(path)/key", key)
        guard let key = try? SandboxKey(privateKeyPEM: identity.privateKey) else { throw .damaged("\(path)/key") }
        self.key = key
        secret = SymmetricKey(data: identity.secret)
        statement = identity.statement
        classicStatement = identity.classicStatement
    }

    // MARK: - The state, and snapshots

    /// Returns the state in which the sandbox last stopped; `nil` in a new directory.
    package func state() throws(SandboxFolderError) -> SandboxSnapshot? {
        guard SystemCall.status(of: "\(path)/state", followsLinks: false) != nil else { return nil }
        return try read("\(path)/state")
    }

    /// Saves the state of a sandbox for the next start.
    package func keep(_ snapshot: SandboxSnapshot) throws(SandboxFolderError) { try write(snapshot, "\(path)/state") }

    /// The snapshots, the newest first.
    package var snapshots: [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.compactMap { file -> Entry? in
            guard file.hasByteSuffix(Self.suffix), Self.isName(String(file.dropLast(Self.suffix.count))),
                let status = SystemCall.status(of: "\(path)/\(file)", followsLinks: false)
            else { return nil }
            return Entry(
                name: String(file.dropLast(Self.suffix.count)), saved: status.modified, bytes: Int(status.st_size))
        }.sorted { ($0.saved, $1.name) > ($1.saved, $0.name) }
    }

    /// Returns a Boolean value that indicates whether a text can name a snapshot.
    ///
    /// A name has up to sixty letters, digits, spaces, dots, hyphens and underscores. It begins and ends with a letter
    /// or a digit.
    package static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9]([A-Za-z0-9 ._-]{0,58}[A-Za-z0-9])?/) != nil
    }

    package func contains(_ name: String) -> Bool {
        Self.isName(name) && SystemCall.status(of: file(name), followsLinks: false) != nil
    }

    /// Writes a snapshot, which replaces one of the same name once the new one is complete.
    package func save(_ snapshot: SandboxSnapshot, as name: String) throws(SandboxFolderError) {
        try write(snapshot, file(name))
    }

    package func snapshot(_ name: String) throws(SandboxFolderError) -> SandboxSnapshot { try read(file(name)) }

    package func remove(_ name: String) throws(SandboxFolderError) {
        guard SystemCall.remove(file(name)) == 0 else { throw .system(file(name), errno: errno) }
    }

    private func file(_ name: String) -> String { "\(path)/\(name)\(Self.suffix)" }

    // MARK: - Files

    private var fingerprint: String { SHA256.hash(data: Data(key.publicKeyPEM.utf8)).hexadecimal }

    private func write(_ snapshot: SandboxSnapshot, _ path: String) throws(SandboxFolderError) {
        try StateFile.write(Content(key: fingerprint, value: snapshot), path)
    }

    private func read(_ path: String) throws(SandboxFolderError) -> SandboxSnapshot {
        let content = try StateFile.read(Content<SandboxSnapshot>.self, path)
        guard content.key == fingerprint else { throw .otherKey(path) }
        return content.value
    }

    private static func prepare(_ path: String) throws(SandboxFolderError) {
        if SystemCall.makeDirectory(path, mode: 0o700) != 0, errno != EEXIST { throw .system(path, errno: errno) }
        guard let status = SystemCall.status(of: path, followsLinks: true) else { throw .system(path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory(path) }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else { throw .notPrivate(path) }
    }

    /// Removes the files that a killed process was writing, which have the same secrets as the finished ones.
    ///
    /// The caller holds the lock, so that no other process is writing them.
    private static func removeUnfinished(in path: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            guard let whole = WholeFile.destination(ofTemporary: name),
                ["key", "state"].contains(whole) || whole.hasByteSuffix(suffix)
            else { continue }
            SystemCall.remove("\(path)/\(name)")
        }
    }

    private static func identity(
        _ path: String, _ key: () throws -> SandboxKey
    ) throws(SandboxFolderError) -> Identity {
        if SystemCall.status(of: path, followsLinks: false) != nil { return try StateFile.read(Identity.self, path) }
        // The cryptographic library fails only when there is no memory.
        guard let identity = try? Identity(key()) else { throw .system(path, errno: ENOMEM) }
        try StateFile.write(identity, path)
        return identity
    }
}

extension stat {
    fileprivate var modified: Date {
        #if canImport(Darwin)
        let time = st_mtimespec
        #else
        let time = st_mtim
        #endif
        return Date(timeIntervalSince1970: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9)
    }
}
