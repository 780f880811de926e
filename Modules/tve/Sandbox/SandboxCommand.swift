import ArgumentParser
import Dispatch
import Foundation
import TVESandbox

/// Runs a sandbox until it is interrupted.
struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run a local service provider and TV provider until interrupted.",
        discussion: """
            Its address, opened in a browser, is the console: exchanges as they happen, the state behind them, and knobs that \
            make things go wrong.
            """)

    @Option(help: "The IPv4 address to listen at.")
    var host: String?

    @Flag(
        help:
            "Listen to the whole network, so that a telephone can open the activation page; the console stays with this machine."
    )
    var listen = false

    @Option(help: "The port; 0 takes any free one.")
    var port: UInt16 = 8080

    @Option(help: ArgumentHelp("A JSON file that describes another world.", valueName: "file"))
    var world: String?

    @Flag(help: "Print one JSON object for the start and for each exchange and change.")
    var json = false

    func validate() throws {
        guard host == nil || !listen else { throw ValidationError("Choose one of --host and --listen.") }
    }

    func run() async throws {
        let address = listen ? "0.0.0.0" : host ?? "127.0.0.1"
        let sandbox = try await Sandbox(world: try world.map(WorldFile.read) ?? .demo, host: address, port: port)
        let events = json ? sandbox.events : nil
        try announce(sandbox)
        if listen {
            Terminal.note(
                "Every machine in your network reaches this sandbox. Its accounts are made up; type no real password into its pages."
            )
        }
        let telling = Task {
            guard let events else { return }
            for await event in events { try? Printer.json(SandboxLine(event)) }
        }
        let running = Task { try await sandbox.runUntilCancelled() }
        let signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { running.cancel() }
            source.resume()
            return source
        }
        defer { for source in signals { source.cancel() } }
        do {
            try await running.value
        } catch  where running.isCancelled {
            await sandbox.stop()
        }
        await telling.value
    }

    private func announce(_ sandbox: Sandbox) throws {
        let base = sandbox.baseURL.absoluteString
        if json { return try Printer.json(SandboxLine(sandbox)) }
        let lines = [
            "The sandbox answers at \(base) and contacts no other machine. Ctrl-C stops it.", "",
            "  in a browser       \(base)/", "  service provider   \(base)/adobe-services",
            "  REST API v2        \(base)/openapi.json describes it",
            "  facts as JSON      curl -s \(base)/sandbox/info", "  run a flow         tve demo --service \(base)",
        ]
        for line in lines { Printer.line(line) }
    }
}
