import ArgumentParser
import Dispatch
import Foundation
import TVEModels
import TVESandbox
import TVESandboxConsole

struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Run a local stand-in for the service and for TV providers until interrupted.",
        discussion: """
            Open its address in a browser to see the console: exchanges as they happen, logins by device, faults to turn on, \
            worlds to edit.
            """)

    @Option(help: "The IPv4 address to listen on; by default 127.0.0.1, which only this machine reaches.")
    var host: String?

    @Flag(
        help: ArgumentHelp(
            "Listen on every network of this machine, so that a phone can open the activation page; "
                + "only this machine can open the console."))
    var listen = false

    @Option(help: "The port to listen on; by default 8080; 0 picks a free one.", transform: PortNumber.port)
    var port: UInt16 = 8080

    @Option(
        help: ArgumentHelp(
            "A JSON file with requestors, TV providers and viewers in place of the demo's.", valueName: "file"
        ))
    var world: String?

    @Option(
        help: ArgumentHelp(
            "A private directory for the world, logins, exchanges and snapshots, "
                + "with which the next start continues.",
            valueName: "directory"))
    var state: String?

    @Option(
        help: ArgumentHelp(
            "A private RSA key in PEM that signs the tokens; by default TVE_SANDBOX_KEY, or a new one at each start.",
            valueName: "file"))
    var key: String?

    @Flag(
        help: ArgumentHelp(
            "Refuse requests that REST API v2 does not document, or that come too fast; "
                + "the header X-Sandbox-Objection gives the reason."))
    var strict = false

    @Flag(help: "Print one JSON object for the start and for each exchange and change.")
    var json = false

    func validate() throws {
        guard host == nil || !listen else { throw ValidationError(ArgumentFault.notTogether("--host", "--listen")) }
        guard key == nil || state == nil else { throw ValidationError(ArgumentFault.keyOfState) }
        try StorePlace.refuseEmpty(state)
    }

    func run() async throws {
        let address = listen ? "0.0.0.0" : host ?? "127.0.0.1"
        let sandbox: Sandbox
        do {
            sandbox = try await start(at: address)
        } catch let error as SandboxError {
            throw error.commandError(code: .failure)
        }
        let events = json ? sandbox.events : nil
        let running = Task { try await sandbox.runUntilCancelled() }
        // The signals are handled before the address is printed, because its reader may end the sandbox at once.
        let interruptions = await Interruptions { _ in running.cancel() }
        defer { interruptions.end() }
        try announce(sandbox, at: address)
        Self.warnOfOthers(at: address)
        let telling = Task {
            guard let events else { return }
            // The sandbox stops when the reader of its output is gone.
            defer { running.cancel() }
            for await event in events {
                guard let line = SandboxLine(event) else { continue }
                // A reader that stands still must not keep a sandbox that was stopped, nor the lock on its state.
                try await Printer.json(line, waitingWhile: { !running.isCancelled })
            }
        }
        do {
            try await running.value
        } catch  where running.isCancelled {
            await sandbox.stop()
        } catch {
            try? sandbox.keep()
            throw error
        }
        do { try sandbox.keep() } catch { throw ToolFailure(FileFault.stateNotKept("\(error)")) }
        do {
            try await telling.value
        } catch is OutputFailure where !SystemCall.isWritable(STDERR_FILENO, within: 0) {
            // The same reader would have to read the error.
            throw ExitCode.unknown
        }
    }

    private func start(at address: String) async throws -> Sandbox {
        let given = try world.map(Self.world)
        guard let state else {
            let world = given ?? .demo
            return try await Sandbox(
                world: strict ? world.strict : world, host: address, port: port, pages: .console,
                key: SandboxKey.ofThisTool(key))
        }
        do {
            let folder = try SandboxFolder(state)
            // A given world replaces the stored one. Without one, the sandbox continues with its last world.
            let changed = strict ? try (given ?? folder.state()?.world ?? .demo).strict : given
            return try await Sandbox(world: changed, in: folder, host: address, port: port, pages: .console)
        } catch let error as SandboxFolderError {
            throw ToolFailure("\(error)", code: .unknown)
        }
    }

    private func announce(_ sandbox: Sandbox, at address: String) throws {
        let base = sandbox.baseURL.absoluteString
        // The other devices of the network need another address than this machine, which alone can open the console.
        let own = address == "0.0.0.0" ? NetworkAddress.forPhones(address) : nil
        let network = own.map { "http://\($0):\(sandbox.baseURL.port ?? Int(port))" }
        if json { return try Printer.json(SandboxLine(sandbox, networkURL: network)) }
        let lines = [
            "The sandbox answers at \(base) and contacts no other machine. Ctrl-C stops it.", "",
            "  in a browser       \(base)/", "  classic calls      \(base)/adobe-services",
            "  async core         \(base)", "  REST API v2        \(base)/openapi.json describes it",
            "  facts as JSON      curl -s \(base)/sandbox/info", "  run a flow         tve demo --service \(base)",
        ]
        let others = network.map { ["", "  on other devices   \($0), where \($0)/activate takes codes"] } ?? []
        for line in lines + (state.map { ["  state kept in      \($0)"] } ?? []) + others { try Printer.line(line) }
    }

    /// Warns of the other machines that can reach a sandbox, unless only this machine can.
    ///
    /// - Parameter address: the address at which the sandbox listens.
    static func warnOfOthers(at address: String) {
        guard !LoopbackName.isName(address) else { return }
        Terminal.note(
            "Every machine on your network can reach this sandbox. Its accounts are invented; "
                + "do not type a real password into its pages.")
    }

    /// Returns the world that a file describes.
    ///
    /// - Throws: `ToolFailure` with the errors of the file.
    static func world(_ path: String) throws -> SandboxWorld {
        let bytes = try NamedFile.bytes(path)
        do throws(SandboxWorldDocumentError) {
            return try SandboxWorld(json: bytes)
        } catch {
            throw ToolFailure(FileFault.notAWorld(path, error), listing: error.problems)
        }
    }
}

extension SandboxError {
    /// Returns the error of a command whose sandbox did not start.
    ///
    /// A host that is not an address is a mistake in the command line.
    ///
    /// - Parameter code: the exit code for an address that cannot be used.
    func commandError(code: ExitCode) -> any Error {
        if case .invalidHost = self { return ValidationError(description) }
        return ToolFailure(description, code: code)
    }
}

/// A line in the output of `tve sandbox --json`, which is one JSON object.
private struct SandboxLine: Encodable {
    private let event: String
    /// The sandbox's URL, in the line for the start.
    private var baseURL: String?
    /// The sandbox's URL for other devices of the network, in the line for the start if they can reach it.
    private var networkURL: String?
    /// The token for changes over HTTP, in the line for the start.
    private var changeToken: String?
    private var exchange: SandboxExchange?
    private var change: String?

    init(_ sandbox: Sandbox, networkURL: String?) {
        event = "started"
        baseURL = sandbox.baseURL.absoluteString
        self.networkURL = networkURL
        changeToken = sandbox.changeToken
    }

    /// Creates the line for an event, or returns `nil` for a request that has no answer yet.
    init?(_ event: SandboxEvent) {
        switch event {
        case .arrived: return nil
        case .exchange(let exchange):
            self.event = "exchange"
            self.exchange = exchange
        case .change(let sentence):
            self.event = "change"
            change = sentence
        }
    }
}
