import ArgumentParser
import Foundation
import TVEModels

/// The source of a token: a file, or standard input.
struct TokenInput: ParsableArguments {
    @Argument(help: "The file with the token, raw or in Base64; - or nothing reads standard input.")
    var file = "-"

    /// Why there is no token.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Longest input that is read; a token has about a kilobyte.
    private static let maximumBytes = 1 << 20

    /// The token's text without the line break that editors and shells append.
    func text() throws -> String {
        let handle = file == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: file)
        guard let bytes = try? handle?.read(upToCount: Self.maximumBytes + 1) else {
            throw Failure(description: "\(file) cannot be read.")
        }
        guard bytes.count <= Self.maximumBytes else { throw Failure(description: "\(file) is too long for a token.") }
        guard let text = String(validUTF8: bytes) else {
            throw Failure(description: "\(file) holds no text.")
        }
        return text.trimmingCharacters(in: .newlines)
    }
}
