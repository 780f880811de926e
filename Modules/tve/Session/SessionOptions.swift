import AccessEnabler
import ArgumentParser
import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage

/// The service, requestor, application and store of a command.
struct SessionOptions: ParsableArguments {
    private static let usualService = "http://127.0.0.1:8080"

    @Option(
        help: ArgumentHelp(
            "The URL of the service; by default TVE_SERVICE, or a sandbox at \(Self.usualService).", valueName: "url"))
    var service: [String] = []

    @Option(help: "The wire dialect; by default TVE_DIALECT, or the one that the application is registered for.")
    var dialect: ServiceDialect?

    @Option(help: "The requestor; by default TVE_REQUESTOR, or DEMO.")
    var requestor: RequestorID?

    @Option(
        help: ArgumentHelp(
            "The application's software statement, or @ and the name of a file with it; by default TVE_STATEMENT, or the sandbox's own.",
            valueName: "text"))
    var statement: String?

    @Option(
        help: ArgumentHelp(
            "How long an exchange with the service may take; by default TVE_TIMEOUT, or 30 seconds (doctor: 10).",
            valueName: "seconds"))
    var timeout: Int?

    @OptionGroup var store: StoreDirectory

    @OptionGroup var tracing: TraceOption

    private var variables: [String: String] { ProcessInfo.processInfo.environment }

    var requestorID: RequestorID { requestor ?? variables["TVE_REQUESTOR"].map { RequestorID($0) } ?? "DEMO" }

    func serviceDialect() throws -> ServiceDialect? {
        if let dialect { return dialect }
        guard let name = variables["TVE_DIALECT"] else { return nil }
        guard let dialect = ServiceDialect(argument: name) else {
            throw ValidationError("TVE_DIALECT is \(name), which is neither classic nor v2.")
        }
        return dialect
    }

    /// The services to ask; at least one.
    func providers() throws -> [ServiceProvider] {
        let texts = service.isEmpty ? [variables["TVE_SERVICE"] ?? Self.usualService] : service
        // The caller typed `http` here deliberately.
        return try texts.map { try ServiceProvider(argument: $0, allowsHTTP: true) }
    }

    /// The statement that was named; nil for the sandbox's.
    var givenStatement: String? { statement ?? variables["TVE_STATEMENT"] }

    func softwareStatement(at provider: ServiceProvider) async throws -> String {
        if let given = givenStatement {
            guard given.hasBytePrefix("@") else { return given }
            let path = String(decoding: given.utf8.dropFirst(), as: UTF8.self)
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw ValidationError("\(path) cannot be read.")
            }
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let limit = try ExchangeTimeLimit.limit(timeout)
        let facts = await SandboxFacts.read(from: provider.root, within: limit)
        if let absence = facts.absence {
            var failure = ToolFailure(absence.explanation(at: provider), code: .unknown)
            failure.absence = absence
            throw failure
        }
        return facts.softwareStatement
    }

    /// The environment of this tool's sessions; without a redirect, logins end at the usual one, which no browser can load.
    func environment(
        storage: any StorageBackend, transport: any HTTPTransport, redirectURL: URL? = nil
    ) -> SessionEnvironment {
        SessionEnvironment(
            storage: storage, transport: transport, app: AppIdentity(bundleID: "org.example.tve", teamID: "TVE"),
            redirectURL: redirectURL ?? AccessEnabler.redirectURL)
    }
}

extension ServiceProvider {
    /// Takes a URL as it was typed; throws `ValidationError` when no service can be there.
    ///
    /// Without a scheme it is https, and http on this machine: a sandbox has no certificate.
    init(argument: String, allowsHTTP: Bool = false) throws {
        let local = argument.containsBytes(of: "://") ? nil : try? ServiceProvider("http://\(argument)")
        do throws(InvalidServiceProvider) {
            self = if let local { local } else { try ServiceProvider(argument, allowsHTTP: allowsHTTP) }
        } catch {
            throw ValidationError("\(argument) is not a service URL. \(error)")
        }
    }
}

extension ServiceProvider {
    /// What to do about https on this machine, where a sandbox speaks HTTP; nil for any other address.
    var schemeAdvice: String? {
        var components = URLComponents(url: root, resolvingAgainstBaseURL: false)
        guard components?.scheme?.lowercased() == "https" else { return nil }
        components?.scheme = "http"
        guard let plain = components?.string, (try? ServiceProvider(plain)) != nil else { return nil }
        return "a sandbox speaks HTTP: use \(plain)."
    }
}

/// `--directory`, on every command that uses the store of `tve` itself.
struct StoreDirectory: ParsableArguments {
    @Option(name: .shortAndLong, help: "The store's directory; by default that of the app \"tve\".")
    var directory: String?

    var url: URL {
        directory.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? FileStorage.defaultDirectory(name: "tve")
    }
}

/// How long one exchange with a service may take.
enum ExchangeTimeLimit {
    private static let allowed = 1...3_600

    /// The limit in the command's option, else in `TVE_TIMEOUT`, else the usual one; all in seconds.
    static func limit(_ seconds: Int? = nil, usual: Int = 30) throws -> Duration {
        if let seconds {
            guard allowed.contains(seconds) else { throw ValidationError("--timeout takes 1 to 3600 seconds.") }
            return .seconds(seconds)
        }
        guard let text = ProcessInfo.processInfo.environment["TVE_TIMEOUT"] else { return .seconds(usual) }
        guard let seconds = Int(text), allowed.contains(seconds) else {
            throw ValidationError("TVE_TIMEOUT is \(text); it must be 1 to 3600 seconds.")
        }
        return .seconds(seconds)
    }
}
