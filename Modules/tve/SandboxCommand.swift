import ArgumentParser
import Dispatch
import Foundation
import TVESandbox

/// Runs a sandbox until it is interrupted.
struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run a local service provider and TV provider until interrupted.")

    @Option(help: "The IPv4 address to listen at.")
    var host = "127.0.0.1"

    @Option(help: "The port; 0 takes any free one.")
    var port: UInt16 = 8080

    @Option(help: ArgumentHelp("A JSON file that describes another world.", valueName: "file"))
    var world: String?

    func run() async throws {
        let sandbox = try await Sandbox(world: try loadedWorld(), host: host, port: port)
        print(
            """
            The sandbox answers at \(sandbox.baseURL.absoluteString) and contacts no other machine. Ctrl-C stops it.

              service provider   \(sandbox.baseURL.absoluteString)/adobe-services
              REST API v2        \(sandbox.baseURL.absoluteString)/openapi.json describes it
              facts as JSON      curl -s \(sandbox.baseURL.absoluteString)/sandbox/info
              for people         \(sandbox.baseURL.absoluteString)/
              run a flow         tve demo --service \(sandbox.baseURL.absoluteString)
            """)
        // Into a pipe or file the text would else wait for the sandbox's end.
        fflush(nil)
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
    }

    private func loadedWorld() throws -> SandboxWorld {
        try world.map(WorldFile.read) ?? .demo
    }
}
