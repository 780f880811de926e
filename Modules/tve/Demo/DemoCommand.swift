import ArgumentParser
import Foundation
import TVEModels
import TVENetworking

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run a complete entitlement flow over real HTTP and show each step.",
        discussion: """
            Starts a sandbox in this process on a free port, unless --service names a running one. Exits with 0 only if \
            every step ended as expected, and with 2 if no service answers there.
            """)

    @Option(help: ArgumentHelp("The base URL of a running sandbox.", valueName: "url"))
    var service: String?

    @Option(help: "The wire dialect to speak; by default both, REST API v2 first.")
    var dialect: ServiceDialect?

    @Option(help: "The requestor.")
    var requestor: RequestorID = "DEMO"

    @Option(help: "The TV provider to log in with.")
    var provider: MVPDID = "demo-cable"

    @Option(help: "The viewer's name.")
    var user = "viewer"

    @Option(help: "The viewer's password.")
    var password = "secret"

    @Option(help: "A resource that the viewer may watch.")
    var resource = "DEMO-1"

    @Option(help: "A resource that the viewer may not watch.")
    var denied = "DEMO-PLUS"

    @Option(help: "The application's software statement; by default the sandbox's.")
    var statement: String?

    @Flag(help: "Leave the login page instead of logging in.")
    var abandon = false

    @Flag(help: "Print one JSON object per step instead of a timeline.")
    var json = false

    @OptionGroup var tracing: TraceOption

    func validate() throws {
        if let service { _ = try ServiceProvider(argument: service) }
        guard !requestor.text.isEmpty else { throw ValidationError(ArgumentFault.emptyRequestor) }
    }

    func run() async throws {
        let trace = tracing.file.makeTrace()
        let dialects = dialect.map { [$0] } ?? [.restV2, .classic]
        let store = try DemoStore(isForRunningService: service != nil)
        defer { store.remove() }
        var code = ExitCode.success
        for dialect in dialects where code.isSuccess {
            code = try await tell(
                in: dialect, isOnly: dialects.count == 1, directory: store.directory, trace: trace)
        }
        tracing.file.write(trace, title: "tve demo", service: service ?? "a sandbox in this process")
        if !code.isSuccess { throw code }
    }

    private func tell(
        in dialect: ServiceDialect, isOnly: Bool, directory: URL, trace: Trace?
    ) async throws -> ExitCode {
        let title = dialect == .restV2 ? "REST API v2" : "The classic services, which end with 2026"
        let timeline = Timeline(json: json, title: isOnly ? nil : title, dialect: dialect, trace: trace)
        let story = DemoStory(options: self, dialect: dialect, timeline: timeline, directory: directory)
        try timeline.begin()
        let isGood = try await story.tell()
        try timeline.finish(isGood: isGood)
        if isGood { return .success }
        return story.hasNoService ? .unknown : .failure
    }
}

struct DemoSSOCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-sso",
        abstract: "Run the documented single sign-on stories of two apps; each step is a process of its own.",
        discussion: """
            Starts a sandbox of its own. Logins that apps share exist only in the classic dialect. Exits with 0 only if \
            every step ended as documented.
            """)

    func run() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tve-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        guard try await SharingDemo(directory: directory).tell() else { throw ExitCode.failure }
    }
}
