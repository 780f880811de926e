import AccessEnabler
import ArgumentParser
import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage

/// The options of commands with a session, which select the service, the requestor, the application and the store.
struct SessionOptions: ParsableArguments {
    private static let usualService = "http://127.0.0.1:8080"

    /// The app that this tool is for a service.
    static let identity = AppIdentity(bundleID: "org.example.tve", teamID: "TVE")

    @Option(
        help: ArgumentHelp(
            "The URL of the service; may be repeated; by default TVE_SERVICE, or a sandbox at \(Self.usualService).",
            valueName: "url"))
    var service: [String] = []

    @Option(help: "The wire dialect; by default TVE_DIALECT, or the one that the application is registered for.")
    var dialect: ServiceDialect?

    @Option(help: "The requestor; by default TVE_REQUESTOR, or DEMO.")
    var requestor: RequestorID?

    @Option(
        help: ArgumentHelp(
            "The application's software statement, or @ and the name of a file with it; "
                + "by default TVE_STATEMENT, or the sandbox's own.",
            valueName: "text"))
    var statement: String?

    @Option(
        help: ArgumentHelp(
            "The time limit for an exchange with the service; by default TVE_TIMEOUT, or 30 seconds (doctor: 10).",
            valueName: "seconds"),
        transform: ExchangeTimeLimit.seconds)
    var timeout: Int?

    // These three are not option groups: in a debug build, the argument parser checks a group inside a group several
    // times whenever the program starts.
    @Option(name: .shortAndLong, help: StoreDirectory.help)
    var directory: String?

    @Option(name: TraceOption.fileName, help: TraceOption.fileHelp)
    var trace: String?

    @Flag(name: TraceOption.idsName, help: TraceOption.idsHelp)
    var traceShowsIDs = false

    var store: StorePlace { StorePlace(directory: directory) }

    var tracing: TraceFile { TraceFile(path: trace, showsIDs: traceShowsIDs) }

    var requestorID: RequestorID {
        requestor ?? Variables.trimmed("TVE_REQUESTOR").map { RequestorID($0) } ?? "DEMO"
    }

    func validate() throws {
        guard !requestorID.text.isEmpty else { throw ValidationError(ArgumentFault.emptyRequestor) }
        try requestorID.refuseQuotationMarks()
        try StorePlace.refuseEmpty(directory)
    }

    func serviceDialect() throws -> ServiceDialect? {
        if let dialect { return dialect }
        guard let name = Variables.trimmed("TVE_DIALECT") else { return nil }
        guard let dialect = ServiceDialect(argument: name) else {
            throw ValidationError(ArgumentFault.unknownDialect(name))
        }
        return dialect
    }

    /// Returns the services to use, of which there is at least one.
    func providers() throws -> [ServiceProvider] {
        let texts = service.isEmpty ? [Variables.trimmed("TVE_SERVICE") ?? Self.usualService] : service
        return try texts.map { try ServiceProvider(argument: $0) }
    }

    /// The statement from the command line or the environment, or `nil` to use the sandbox's own.
    var givenStatement: String? { statement ?? Variables.value("TVE_STATEMENT") }

    /// Returns the text of the given statement, or `nil` to use the sandbox's own.
    ///
    /// - Throws: `ToolFailure` if the statement is in a file that cannot be read or is too long, or if the text is the
    ///   name of a file.
    func readStatement() throws(ToolFailure) -> String? {
        guard let given = givenStatement else { return nil }
        guard given.hasBytePrefix("@") else {
            // No file has a name as long as a statement, whose signature alone is longer than 255 bytes.
            guard let status = SystemCall.status(of: given, followsLinks: true), status.st_mode & S_IFMT == S_IFREG,
                !GivenSecret.isGiven(asName: given)
            else { return given }
            throw ToolFailure(FileFault.nameAsStatement(given))
        }
        let path = String(decoding: given.utf8.dropFirst(), as: UTF8.self)
        return try NamedFile.statement(path)
    }

    /// Returns the software statement that was given, or requests the sandbox's own.
    func softwareStatement(at provider: ServiceProvider) async throws -> String {
        try await softwareStatement(at: provider, mayBeMissing: false).text
    }

    /// Returns the software statement that was given, or requests the sandbox's own.
    ///
    /// - Parameters:
    ///   - provider: the service.
    ///   - mayBeMissing: a Boolean value that indicates whether the command can do without a statement if there is a
    ///     store and no sandbox answers.
    /// - Returns: the statement; if it is missing, an empty text and the reason as a sentence.
    /// - Throws: `ToolFailure` if there is no statement.
    func softwareStatement(
        at provider: ServiceProvider, mayBeMissing: Bool
    ) async throws -> (text: String, outage: String?) {
        if let text = try readStatement() { return (text, nil) }
        let limit = try ExchangeTimeLimit.limit(timeout)
        let facts = await SandboxFacts.read(from: provider.root, within: limit)
        switch facts.absence {
        case nil: return (facts.softwareStatement, nil)
        case .noAnswer(let error)? where mayBeMissing && FileManager.default.fileExists(atPath: store.url.path):
            return ("", error.finding(at: provider.root.absoluteString))
        case let absence?: throw ToolFailure(absence.fault(at: provider), code: .unknown)
        }
    }

    /// Returns the environment of this tool's sessions.
    ///
    /// - Parameters:
    ///   - storage: the store of the session.
    ///   - transport: the transport of the session.
    ///   - redirectURL: the URL at which logins end; `nil` selects the usual redirect, which no browser can load.
    func environment(
        storage: any StorageBackend, transport: any HTTPTransport, redirectURL: URL? = nil
    ) -> SessionEnvironment {
        SessionEnvironment(
            storage: storage, transport: transport, app: Self.identity,
            redirectURL: redirectURL ?? AccessEnabler.redirectURL)
    }
}

extension ServiceProvider {
    /// Creates a service provider from a URL on the command line.
    ///
    /// A URL without a scheme stands for https, or for http on this machine because a sandbox has no certificate.
    /// Plain http to another machine is accepted, because somebody who types `http` does so deliberately.
    ///
    /// - Throws: `ValidationError` if the URL cannot be that of a service.
    init(argument: String) throws {
        // A script with the line ends of Windows adds one to each line.
        let argument = argument.trimmingCharacters(in: .whitespacesAndNewlines)
        let hasScheme = argument.containsBytes(of: "://")
        let plain = hasScheme ? nil : try? ServiceProvider("http://\(argument)", allowsHTTP: true)
        do throws(InvalidServiceProvider) {
            if let plain, plain.root.host().map(ProxyVariables.isThisMachine) == true {
                self = plain
            } else {
                self = try ServiceProvider(argument, allowsHTTP: true)
            }
        } catch {
            throw ValidationError(ArgumentFault.notAService(argument.withoutSecrets, error))
        }
        if let port = root.port, !(1...65_535).contains(port) {
            throw ValidationError(ArgumentFault.noSuchPort(port))
        }
    }
}

extension ServiceProvider {
    /// The http address in place of an https address of this machine, or `nil` for any other address.
    ///
    /// A sandbox speaks HTTP.
    var plainAddress: String? {
        var components = URLComponents(url: root, resolvingAgainstBaseURL: false)
        guard components?.scheme?.lowercased() == "https" else { return nil }
        components?.scheme = "http"
        guard let plain = components?.string, (try? ServiceProvider(plain)) != nil else { return nil }
        return plain
    }
}

/// The option `--directory` of commands that use the store of `tve` itself.
struct StoreDirectory: ParsableArguments {
    static let help: ArgumentHelp = "The store's directory; by default that of the app \"tve\"."

    @Option(name: .shortAndLong, help: Self.help)
    var directory: String?

    var url: URL { StorePlace(directory: directory).url }

    func validate() throws { try StorePlace.refuseEmpty(directory) }
}

/// The place of the store of `tve` itself.
struct StorePlace {
    /// The directory from the command line.
    let directory: String?

    var url: URL {
        directory.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? FileStorage.defaultDirectory(name: "tve")
    }

    /// Refuses an empty name, which is that of the current directory for the system, as when a script has unset a
    /// variable.
    static func refuseEmpty(_ directory: String?) throws {
        if directory?.isEmpty == true { throw ValidationError(ArgumentFault.emptyDirectory) }
    }
}

/// The longest time that an exchange with a service may take.
enum ExchangeTimeLimit {
    private static let allowed = 1...3_600

    /// Returns the number of seconds that an option has.
    ///
    /// - Throws: `ValidationError` for another text, such as `30s`.
    static func seconds(_ argument: String) throws -> Int {
        guard let seconds = Int(argument) else { throw ValidationError(ArgumentFault.notSeconds) }
        return seconds
    }

    /// Returns the number of seconds, which may have a fraction, that an option has.
    ///
    /// - Throws: `ValidationError` for another text, such as `5s`.
    static func fractionalSeconds(_ argument: String) throws -> Double {
        guard let seconds = Double(argument) else { throw ValidationError(ArgumentFault.notANumberOfSeconds) }
        return seconds
    }

    /// Returns the time limit.
    ///
    /// - Parameters:
    ///   - seconds: the value of the command's option; `nil` selects the value of `TVE_TIMEOUT`.
    ///   - usual: the limit in seconds if neither is set.
    /// - Throws: `ValidationError` if the value is not from 1 to 3600 seconds.
    static func limit(_ seconds: Int? = nil, usual: Int = 30) throws -> Duration {
        if let seconds {
            guard allowed.contains(seconds) else {
                throw ValidationError(ArgumentFault.outOfRange(option: "--timeout", seconds: allowed))
            }
            return .seconds(seconds)
        }
        guard let text = Variables.trimmed("TVE_TIMEOUT") else { return .seconds(usual) }
        guard let seconds = Int(text), allowed.contains(seconds) else {
            throw ValidationError(ArgumentFault.notATimeLimit(text, seconds: allowed))
        }
        return .seconds(seconds)
    }
}

extension String {
    /// The text of a URL without user, password and query.
    fileprivate var withoutSecrets: String {
        let (url, query) = divided(at: "?")
        // A password that is not encoded may contain a question mark.
        if query?.containsBytes(of: "@") == true { return "…" }
        return url.dividedAtLast("@").map { "…@\($0.after)" } ?? String(url)
    }
}
