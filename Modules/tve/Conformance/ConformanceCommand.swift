import ArgumentParser
import Foundation
import TVEConformance
import TVEModels
import TVESandbox
import TVESandboxConsole

struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Check a client of REST API v2 against the vendor's acceptance list.",
        discussion: """
            Without --har and --run, it starts a strict sandbox and guides the tester through the flows. The client \
            may be written in any language. Exits with 0 when no mandatory row fails, 1 when one fails, and 2 when \
            nothing could be judged, a file cannot be used, or the command of --run failed. It does not replace \
            Adobe's own certification.
            """)

    @Option(
        help: ArgumentHelp(
            "Judge a recording of any service: an HTTP Archive that a browser or a proxy saved; "
                + "- reads standard input.",
            valueName: "file"))
    var har: String?

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp(
            "Run a client with the sandbox's address and statement in its environment, "
                + "and play the viewer at its login page.",
            valueName: "command"))
    var program: String?

    @Option(
        help: ArgumentHelp("The time limit for the command of --run; by default 600.", valueName: "seconds"),
        transform: ExchangeTimeLimit.seconds)
    var limit = 600

    @Option(
        help: ArgumentHelp(
            "The steps to go through, separated by commas: "
                + "\(ConformanceStep.all.map(\.name).joined(separator: ", ")); all by default.",
            valueName: "names"))
    var steps: String?

    @Option(
        help: ArgumentHelp(
            "Also check the expectations in a world that the console saved; exits with 1 when one is not met.",
            valueName: "file"))
    var expect: String?

    @Option(
        help: "The IPv4 address to listen on; for a client on another device, this machine's address in your network."
    )
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0, the default, picks a free one.", transform: PortNumber.port)
    var port: UInt16 = 0

    @OptionGroup var json: JSONOption

    @Option(help: ArgumentHelp("Write the result as a JUnit report, with one test for each row.", valueName: "file"))
    var junit: String?

    @Option(help: ArgumentHelp("Write a page with all rows and their evidence.", valueName: "file"))
    var report: String?

    func validate() throws {
        guard har == nil || program == nil else { throw ValidationError(ArgumentFault.notTogether("--har", "--run")) }
        guard steps == nil || har == nil && program == nil else {
            throw ValidationError(ArgumentFault.notTogether("--steps", har == nil ? "--run" : "--har"))
        }
        guard expect == nil || har == nil else {
            throw ValidationError(ArgumentFault.notTogether("--expect", "--har"))
        }
        let limits = 1...86_400
        guard limits.contains(limit) else {
            throw ValidationError(ArgumentFault.outOfRange(option: "--limit", seconds: limits))
        }
        _ = try chosenSteps()
        if let junit, let report {
            let isNew = !FileManager.default.fileExists(atPath: report)
            let places = [junit, report].map { URL(fileURLWithPath: $0).standardizedFileURL.path }
            guard !PrivateFile.isSame(report, as: junit), !isNew || places[0] != places[1] else {
                throw ValidationError(ArgumentFault.sameFile(output: "--report", input: "--junit"))
            }
        }
        for (output, written) in [("--junit", junit), ("--report", report)] {
            // A shell may have opened the same file as standard input.
            for (input, read) in [("--har", har == "-" ? "/dev/stdin" : har), ("--expect", expect)] {
                guard let written, let read, PrivateFile.isSame(written, as: read) else { continue }
                throw ValidationError(ArgumentFault.sameFile(output: output, input: input))
            }
        }
    }

    func run() async throws {
        if let har {
            let recording = try archive(har)
            let nothing: ConformanceFault =
                recording.leftOutCallCount > 0
                ? .everythingLeftOut(count: recording.leftOutCallCount) : .nothingToJudge
            let name = har == "-" ? "standard input" : URL(fileURLWithPath: har).lastPathComponent
            return try publish(recording.exchanges, of: name, nothing: nothing)
        }
        // A test of a client takes minutes, and cannot be made again from a recording.
        for output in [junit, report].compactMap(\.self) { try PrivateFile.checkPlace(of: output) }
        var world = SandboxWorld.demo.strict
        if let expect { world.expectations = try SandboxCommand.world(expect).expectations }
        let sandbox: Sandbox
        do {
            sandbox = try await Sandbox(
                world: world, host: host, port: port, pages: .console, key: SandboxKey.ofThisTool())
        } catch let error as SandboxError {
            // Nothing was judged, which is no verdict on the client.
            throw error.commandError(code: .unknown)
        }
        SandboxCommand.warnOfOthers(at: host)
        var failure: ToolFailure?
        // What is missing counts against the client only if the test was not cut short.
        var isWhole = false
        if let program {
            do {
                isWhole = try await ConformanceRun(sandbox: sandbox).run(program, within: .seconds(limit))
            } catch let error as ToolFailure {
                failure = error
            }
        } else {
            let isThrough = try await ConformanceGuide(sandbox: sandbox, steps: try chosenSteps()).run()
            isWhole = isThrough && steps == nil
        }
        // Answers that a fault still delays are lost by then.
        await sandbox.stop()
        let exchanges = sandbox.exchanges
        let own = sandbox.routes.expectationOutcomes(in: exchanges, isEnd: isWhole)
        if let first = exchanges.first, first.id > 1 {
            let lost = Printer.count(first.id - 1, "exchange")
            Terminal.note("There were too many exchanges: \(lost) at the beginning cannot be judged.")
        }
        if let failure { Terminal.note("\(failure) What it did until then is judged below.") }
        // The report does not name the command, because that may contain a password.
        try publish(
            exchanges.map { Exchange($0) }, own: own, of: program == nil ? "a client in use" : "a command",
            failure: failure)
        if let failure { throw failure }
    }

    private func chosenSteps() throws -> [ConformanceStep] {
        guard let steps else { return ConformanceStep.all }
        return try steps.parts(separatedBy: ",").map { name in
            guard let step = ConformanceStep.all.first(where: { $0.name.isSameBytes(as: String(name)) }) else {
                throw ValidationError(ArgumentFault.unknownStep(String(name)))
            }
            return step
        }
    }

    private func archive(_ path: String) throws -> HTTPArchive {
        let isInput = path == "-"
        if isInput, isatty(STDIN_FILENO) == 1 { Terminal.note("Waiting for a recording on standard input.") }
        let bytes = try isInput ? NamedFile.standardInput() : NamedFile.bytes(path)
        do throws(HTTPArchiveError) {
            let archive = try HTTPArchive(bytes)
            Self.note("Not judged", archive.leftOut)
            Self.note("Judged in part", archive.incomplete)
            return archive
        } catch {
            throw ToolFailure(FileFault.notARecording(isInput ? "Standard input" : path, error))
        }
    }

    private static func note(_ result: String, _ omissions: [HTTPArchive.Omission]) {
        for (reason, entries) in Dictionary(grouping: omissions, by: \.reason).sorted(by: { $0.key < $1.key }) {
            let numbers = entries.prefix(20).map { "\($0.entry)" }.joined(separator: ", ")
            let further = entries.count > 20 ? " and \(entries.count - 20) more" : ""
            Terminal.note(
                "\(result), because \(reason): \(entries.count == 1 ? "entry" : "entries") \(numbers)\(further).")
        }
    }

    private func publish(
        _ exchanges: [Exchange], own: [ExpectationOutcome] = [], of subject: String, failure: ToolFailure? = nil,
        nothing: ConformanceFault = .nothingToJudge
    ) throws {
        let result = ConformanceReport(judging: exchanges)
        let text = ConformanceText(report: result, own: own)
        if json.isOn {
            try Printer.json(ConformanceJSON(result, own), isIndented: true)
        } else {
            for line in text.lines { try Printer.line(line) }
        }
        if let junit {
            let error = result.exchangeCount > 0 ? nil : nothing.description
            let tests = JUnitReport(report: result, own: own, error: failure?.description ?? error)
            try PrivateFile.replace(junit, Data(tests.xml.utf8))
        }
        if let report {
            let page = ConformancePage(report: result, own: own, exchanges: exchanges, subject: subject)
            try PrivateFile.replace(report, Data(page.html.utf8))
            Terminal.note("The report is in \(report).")
        }
        guard result.exchangeCount > 0 else {
            throw ToolFailure(nothing, code: .unknown)
        }
        if !result.isAcceptable(with: own) { throw ExitCode.failure }
    }
}
