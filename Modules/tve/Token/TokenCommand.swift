import ArgumentParser
import Foundation
import TVEDeviceBinding
import TVEModels
import TVETokenCodec
import TVETokenVerification

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Inspect a token, or verify a media token.",
        subcommands: [TokenInspectCommand.self, TokenVerifyCommand.self])
}

/// The argument that selects the source of a token, which is a file or standard input.
struct TokenInput: ParsableArguments {
    @Argument(help: "The file with the token, raw or in Base64; - or no file reads standard input.")
    var file = "-"

    /// The maximum length of the input in bytes; a token has about a kilobyte.
    private static let maximumBytes = 1 << 20

    /// Returns the text of the file.
    ///
    /// - Throws: `ToolFailure` if the file cannot be read, is too long or is not UTF-8.
    func text() throws -> String {
        if file == "-", isatty(STDIN_FILENO) == 1 {
            Terminal.note("Waiting for a token on standard input. Paste it, then press Return and Ctrl-D.")
        }
        let name = file == "-" ? "Standard input" : file
        let bytes: Data
        do {
            let handle =
                file == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
            // The result is nil for an empty file.
            bytes = try handle.read(upToCount: Self.maximumBytes + 1) ?? Data()
        } catch {
            throw ToolFailure(FileFault.unreadable(file, reason: error.reasonForPeople))
        }
        guard bytes.count <= Self.maximumBytes else { throw ToolFailure(FileFault.tooLongForToken(name)) }
        guard let text = String(validUTF8: bytes) else { throw ToolFailure(FileFault.notText(name)) }
        return text
    }
}

struct TokenInspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what a token says, for whom, and until when.",
        discussion: "This proves nothing: anybody can write a token. \"tve token verify\" checks who signed one.")

    @OptionGroup var input: TokenInput

    @Flag(help: "Show the ids of the viewer and the device.")
    var showSecrets = false

    @Option(
        help: ArgumentHelp(
            "The bundle id of the app whose device id is compared with that of the token; "
                + "by default, those of tve and its demo.",
            valueName: "bundle-id"))
    var bundleID: String?

    @OptionGroup var json: JSONOption

    func run() async throws {
        let apps =
            bundleID.map { [AppIdentity(bundleID: $0, teamID: "")] } ?? [SessionOptions.identity, DemoApp.identity]
        let seed = try await MachineSeed.read()
        let devices = seed.map { seed in apps.map { DeviceIdentity(seed, app: $0) } } ?? []
        let report = try TokenReport(try input.text(), devices: devices, now: Date())
        if json.isOn {
            let object = Dictionary(report.lines.map { (Self.key($0.name), shown($0)) }) { first, _ in first }
            try Printer.json(object)
        } else {
            for line in report.lines {
                let note = line.note.isEmpty ? "" : "  (\(line.note))"
                try Printer.line("\(line.name.padded(to: 13)) \(shown(line))\(note)")
            }
        }
    }

    private func shown(_ line: TokenReport.Line) -> String {
        line.isPrivate && !showSecrets ? "(hidden)" : line.value
    }

    /// Returns a name in the form of JSON keys, for example `validUntil` for `valid until`.
    private static func key(_ name: String) -> String {
        let words = name.parts(separatedBy: " ", keepsEmpty: false).map { $0.lowercased() }
        return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
    }
}

struct TokenVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify a media token as a playback back end does.",
        discussion: """
            Exits with 0 for a valid token, 1 for any other verdict, and 2 when the file of the token or of a key cannot \
            be used.
            """)

    @OptionGroup var input: TokenInput

    @Option(
        name: .customLong("key"),
        help: ArgumentHelp("A public key or certificate; may be given several times.", valueName: "file"))
    var keys: [String]

    @Option(help: "The requestor the token must be for; by default whichever it names.")
    var requestor: RequestorID?

    @Option(help: "The resource the token must be for; by default whichever it names.")
    var resource: Resource?

    @Option(
        help: "Seconds by which the token may be past its expiry, at most 300; by default none.",
        transform: ExchangeTimeLimit.fractionalSeconds)
    var tolerance = 0.0

    @Flag(
        name: .customLong("allow-1024"),
        help: "Accept RSA keys of 1,024 bits or more, which can be broken; without it, at least 2,048.")
    var allows1024Bits = false

    @OptionGroup var json: JSONOption

    func validate() throws {
        guard requestor?.text.isEmpty != true else { throw ValidationError(ArgumentFault.emptyRequestor) }
        try requestor?.refuseQuotationMarks()
        try resource?.refuseLineEnds()
        // The verifier would silently use a smaller tolerance than an invalid one, and its verdict would be misleading.
        let largest = MediaTokenVerifier.largestClockTolerance
        guard (0...largest).contains(tolerance) else {
            throw ValidationError(
                ArgumentFault.outOfRange(option: "--tolerance", seconds: 0...Int(bounded: largest)))
        }
    }

    func run() async throws {
        let verifier: MediaTokenVerifier
        let text: String
        do {
            text = try input.text()
            // Without the option --requestor, the token's own requestor is used.
            let named = try? TokenDecoder().mediaToken(text).claims.requestorID
            verifier = try MediaTokenVerifier(
                keys: keys.map(key), requestorID: requestor ?? named ?? "", clockTolerance: tolerance)
        } catch {
            // A missing file must not have the exit code of an invalid token.
            Terminal.note("Error: \(error)")
            throw ExitCode.unknown
        }
        let verification = verifier.verify(text, resource: resource)
        let verdict = verification.verdict
        let fault = verification.fault.map { "\($0)" }
        if json.isOn {
            try Printer.json(Answer(verdict: verdict.rawValue, reason: fault))
        } else {
            try Printer.line(verdict.rawValue)
            if let reason = fault ?? verdict.reason { Terminal.note(reason) }
        }
        if verdict != .validToken { throw ExitCode.failure }
    }

    private struct Answer: Encodable {
        let verdict: String
        let reason: String?
    }

    private func key(_ path: String) throws -> TokenVerificationKey {
        let bytes = try NamedFile.bytes(path)
        do throws(TokenKeyFault) {
            return try TokenVerificationKey(content: bytes, allows1024Bits: allows1024Bits)
        } catch {
            throw ToolFailure(Self.fault(of: path, error))
        }
    }

    /// Returns the fault of a file, which names the tool's own option if that would allow the key.
    private static func fault(of path: String, _ fault: TokenKeyFault) -> FileFault {
        guard case .shortKey(let bits, let least) = fault, bits >= 1_024, least > 1_024 else {
            return .notAKey(path, fault)
        }
        return .shortKey(path, fault)
    }
}
