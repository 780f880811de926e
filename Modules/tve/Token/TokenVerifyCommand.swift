import ArgumentParser
import Foundation
import TVEModels
import TVETokenCodec

/// Verifies a media token as a playback back end does.
struct TokenVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify a media token as a playback back end does.",
        discussion: "Ends with 0 for a valid token, 1 for any other verdict, 2 when it could not judge.")

    @OptionGroup var input: TokenInput

    @Option(
        name: .customLong("key"),
        help: ArgumentHelp("A public key or certificate in PEM; may be given several times.", valueName: "file"))
    var keys: [String]

    @Option(help: "The requestor the token must be for; by default whichever it names.")
    var requestor: String?

    @Option(help: "The resource the token must be for.")
    var resource: String?

    @Option(help: "Seconds by which the token may be past its expiry.")
    var tolerance = 0.0

    @Flag(name: .customLong("allow-1024"), help: "Accept keys of fewer than 2,048 bits.")
    var allows1024Bits = false

    @OptionGroup var json: JSONOption

    func run() async throws {
        let verifier: MediaTokenVerifier
        let text: String
        do {
            text = try input.text()
            // Without a requestor to compare with, the token's own is used.
            let named = try? TokenDecoder().mediaToken(text).claims.requestorID
            verifier = MediaTokenVerifier(
                keys: try keys.map(key), requestorID: requestor ?? named ?? "", clockTolerance: tolerance)
        } catch {
            // A missing file must not have the exit code of an invalid token.
            Terminal.note("Error: \(error)")
            throw ExitCode(2)
        }
        let verdict = verifier.verify(text, resource: resource.map { Resource($0) }).verdict
        if json.isOn {
            try Printer.json(["verdict": verdict.rawValue])
        } else {
            Printer.line(verdict.rawValue)
        }
        if verdict != .validToken { throw ExitCode(1) }
    }

    private func key(_ path: String) throws -> TokenVerificationKey {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw TokenInput.Failure(description: "\(path) cannot be read.")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        do {
            return try text.contains("PUBLIC KEY-----")
                ? TokenVerificationKey(pemRepresentation: text, allows1024Bits: allows1024Bits)
                : TokenVerificationKey(certificate: bytes, allows1024Bits: allows1024Bits)
        } catch {
            throw TokenInput.Failure(description: "\(path) is no RSA key or certificate that may be used.")
        }
    }
}
