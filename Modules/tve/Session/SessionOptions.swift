import ArgumentParser
import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage
import TVETracking

/// The service, requestor, application and store of a command.
struct SessionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the service answers; TVE_SERVICE, or a sandbox at its usual place, when not given.", valueName: "url"
        ))
    var service: [String] = []

    @Option(help: "The wire dialect to speak; TVE_DIALECT, or classic, when not given.")
    var dialect: ServiceDialect?

    @Option(help: "The requestor; TVE_REQUESTOR, or DEMO, when not given.")
    var requestor: String?

    @Option(
        help: ArgumentHelp(
            "The application's software statement, or @ and a file with it; TVE_STATEMENT, or the sandbox's own, when not given.",
            valueName: "text"))
    var statement: String?

    @Option(
        help: ArgumentHelp(
            "How long an exchange with the service may take; TVE_TIMEOUT, or 30 seconds, when not given.",
            valueName: "seconds"))
    var timeout: Int?

    @Option(name: .shortAndLong, help: "The store's directory; by default that of the app \"tve\".")
    var directory: String?

    @OptionGroup var tracing: TraceOption

    private static let usualService = "http://127.0.0.1:8080"

    private var environment: [String: String] { ProcessInfo.processInfo.environment }

    var requestorID: String { requestor ?? environment["TVE_REQUESTOR"] ?? "DEMO" }

    var storeURL: URL {
        directory.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? FileStorage.defaultDirectory(name: "tve")
    }

    /// The wire dialect to use.
    func serviceDialect() throws -> ServiceDialect {
        if let dialect { return dialect }
        guard let name = environment["TVE_DIALECT"] else { return .classic }
        guard let dialect = ServiceDialect(argument: name) else {
            throw ValidationError("TVE_DIALECT is \(name), which is neither classic nor v2.")
        }
        return dialect
    }

    /// The services to ask.
    func providers() throws -> [ServiceProvider] {
        let texts = service.isEmpty ? [environment["TVE_SERVICE"] ?? Self.usualService] : service
        return try texts.map { text in
            // The caller typed `http` here deliberately.
            guard let provider = ServiceProvider(text, allowsHTTP: true) else {
                throw ValidationError("\(text) is no service URL.")
            }
            return provider
        }
    }

    /// The application's statement.
    func softwareStatement(at provider: ServiceProvider) async throws -> String {
        if let given = statement ?? environment["TVE_STATEMENT"] {
            guard given.hasPrefix("@") else { return given }
            let path = String(given.dropFirst())
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw ValidationError("\(path) cannot be read.")
            }
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let facts = await SandboxFacts.read(
            from: provider.root, within: try ExchangeTimeLimit.limit(timeout))
        guard facts.hasAnswered else {
            throw ToolFailure(
                "No sandbox answers at \(provider.root.absoluteString); start one with \"tve sandbox\", or name --service and --statement."
            )
        }
        return facts.softwareStatement
    }
}
