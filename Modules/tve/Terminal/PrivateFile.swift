import ArgumentParser
import Foundation
import TVEModels

/// Files with secrets: for their owner alone from the beginning, complete or not there.
enum PrivateFile {
    /// Writes a new file and waits until it is on the medium; one that could not be written is removed again.
    ///
    /// A pipe or a device gets the bytes; nothing takes its place.
    static func create(_ path: String, _ bytes: Data) throws {
        if let stream = try openStream(path) {
            defer { close(stream) }
            return try check(Output.write(bytes, to: stream), path)
        }
        let number = WholeFile.create(path, bytes)
        guard number != EEXIST else {
            throw ToolFailure("\(path) exists already, and is not replaced.", code: .validationFailure)
        }
        try check(number, path)
    }

    /// Does the same, and replaces a file of that name once the new one is complete.
    static func replace(_ path: String, _ bytes: Data) throws {
        if let stream = try openStream(path) {
            defer { close(stream) }
            return try check(Output.write(bytes, to: stream), path)
        }
        try check(WholeFile.replace(path, bytes), path)
    }

    /// What is no regular file, opened; nil for a path that is free or a regular file.
    private static func openStream(_ path: String) throws -> Int32? {
        guard let status = SystemCall.status(of: path, followsLinks: true), status.st_mode & S_IFMT != S_IFREG else {
            return nil
        }
        let stream = SystemCall.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        if stream < 0 { try check(errno, path) }
        return stream
    }

    private static func check(_ number: Int32, _ path: String) throws {
        guard number == 0 else {
            throw ToolFailure("\(path) cannot be written: \(systemText(number)).", code: .unknown)
        }
    }
}
