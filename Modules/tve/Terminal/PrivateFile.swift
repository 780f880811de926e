import ArgumentParser
import Foundation
import TVEModels

/// The writing of files with secrets.
///
/// From the moment of its creation, only its owner can read such a file. The file is complete, or it does not exist.
enum PrivateFile {
    /// Writes a new file and waits until it is on the medium.
    ///
    /// A file that cannot be written completely is removed again. If the path is that of a pipe or a device, the bytes
    /// are written into it, but not into a pipe that another user has put into a folder for everyone.
    ///
    /// - Throws: `ToolFailure` if the file exists already or cannot be written.
    static func create(_ path: String, _ bytes: Data) throws {
        if let stream = try openStream(path) {
            defer { close(stream) }
            return try check(Output.write(bytes, to: stream), path)
        }
        let number = WholeFile.create(path, bytes)
        guard number != EEXIST else {
            throw ToolFailure(FileFault.exists(path), code: .validationFailure)
        }
        try check(number, path)
    }

    /// Writes a file as ``create(_:_:)`` does, and replaces an existing one once the new one is complete.
    ///
    /// - Throws: `ToolFailure` if the file cannot be written.
    static func replace(_ path: String, _ bytes: Data) throws {
        if let stream = try openStream(path) {
            defer { close(stream) }
            return try check(Output.write(bytes, to: stream), path)
        }
        try check(WholeFile.replace(path, bytes), path)
    }

    /// Checks the place of a file before the work whose result is written to it.
    ///
    /// - Throws: `ToolFailure` if the path is empty or that of a directory, or if its directory does not exist.
    static func checkPlace(of path: String) throws {
        if path.isEmpty { try check(ENOENT, path) }
        if let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
            let folder = String(decoding: path.utf8[...end], as: UTF8.self)
            if SystemCall.status(of: folder, followsLinks: true) == nil { try check(errno, path) }
        }
        let status = SystemCall.status(of: path, followsLinks: true)
        if let status, status.st_mode & S_IFMT == S_IFDIR { try check(EISDIR, path) }
    }

    /// Returns a Boolean value that indicates whether two paths lead to the same regular file, by whatever links.
    static func isSame(_ path: String, as other: String) -> Bool {
        guard let one = SystemCall.status(of: path, followsLinks: true), one.st_mode & S_IFMT == S_IFREG,
            let two = SystemCall.status(of: other, followsLinks: true)
        else { return false }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    /// Returns a Boolean value that indicates whether a regular file begins with the same characters as other bytes, or
    /// is empty, or does not exist.
    static func beginsLike(_ bytes: Data, _ path: String) -> Bool {
        guard let status = SystemCall.status(of: path, followsLinks: true), status.st_mode & S_IFMT == S_IFREG,
            let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 8)
        else { return true }
        return bytes.starts(with: start)
    }

    /// Opens a path that is not a regular file, such as a pipe, or returns `nil` for a regular file or a free path.
    private static func openStream(_ path: String) throws -> Int32? {
        guard let status = SystemCall.status(of: path, followsLinks: true), status.st_mode & S_IFMT != S_IFREG else {
            return nil
        }
        if status.st_mode & S_IFMT == S_IFDIR { try check(EISDIR, path) }
        guard isTrusted(path) else { throw ToolFailure(FileFault.ofAnotherUser(path)) }
        let stream = SystemCall.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        if stream < 0 { try check(errno, path) }
        return stream
    }

    /// Returns a Boolean value that indicates whether the entry at a path is not one that another user has put there.
    ///
    /// In a folder for everyone, such as `/tmp`, another user could wait with a pipe under the name of the file, and
    /// read the secrets from it. As the system does for links, this method trusts the owner of the folder. The kind of
    /// the entry does not matter, because its owner could replace a socket with a pipe after this check.
    private static func isTrusted(_ path: String) -> Bool {
        let folder = (path as NSString).deletingLastPathComponent
        guard let entry = SystemCall.status(of: path, followsLinks: false),
            let place = SystemCall.status(of: folder.isEmpty ? "." : folder, followsLinks: true)
        else { return false }
        let isOpenToOthers = place.st_mode & (S_IWGRP | S_IWOTH) != 0
        return !isOpenToOthers || [0, geteuid(), place.st_uid].contains(entry.st_uid)
    }

    private static func check(_ number: Int32, _ path: String) throws {
        guard number == 0 else { throw ToolFailure(FileFault.unwritable(path, reason: systemText(number))) }
    }
}
