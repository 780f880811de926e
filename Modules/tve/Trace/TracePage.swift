import ArgumentParser
import Foundation
import TVEModels
import TVESandboxConsole

/// The options `--trace` and `--trace-ids` of every command that sends requests to a service.
struct TraceOption: ParsableArguments {
    static let fileName = NameSpecification.customLong("trace")
    static let fileHelp = ArgumentHelp(
        "Write a page that shows every call, callback, exchange and write.", valueName: "file")
    static let idsName = NameSpecification.customLong("trace-ids")
    static let idsHelp: ArgumentHelp = "Show fingerprints, resources and ids of viewers in the page."

    @Option(name: Self.fileName, help: Self.fileHelp)
    var path: String?

    @Flag(name: Self.idsName, help: Self.idsHelp)
    var showsIDs = false

    var file: TraceFile { TraceFile(path: path, showsIDs: showsIDs) }
}

/// The file of the page that a command writes, if one was requested.
struct TraceFile {
    let path: String?
    let showsIDs: Bool

    func makeTrace() -> Trace? { path == nil ? nil : Trace(showsIDs: showsIDs) }

    /// Writes the page if a trace was requested; the command does not fail if the page cannot be written.
    func write(_ trace: Trace?, title: String, service: String) {
        guard let path, let trace else { return }
        do {
            try trace.write(to: path, title: title, service: service)
        } catch {
            return Terminal.note(FileFault.noTrace("\(ToolFailure(error))").description)
        }
        Terminal.note("The trace is in \(path).")
    }
}

/// A self-contained page that shows a trace as the sequence diagram of the sandbox's console.
struct TracePage {
    let title: String
    let date: Date
    let service: String
    let entries: [Trace.Entry]
    var showsIDs = false

    var html: String {
        PageFile.html(
            title,
            style: """
                :root { color-scheme: light dark }
                body { font: 15px/1.5 system-ui, sans-serif; max-width: 1200px; margin: 1.5em auto; padding: 0 1em; background: #fff; color: #16202c }
                @media (prefers-color-scheme: dark) { body { background: #10151c; color: #e4eaf2 } }
                h1 { font-size: 1.3em; margin: 0 0 .2em } p { margin: 0 0 1em }
                \(SequenceDiagram.css)
                """,
            """
            <h1>\(title.escapedForXML)</h1>
            <p>\(date.formatted(.iso8601)), \(service.escapedForXML), tve \(TVE.configuration.version). \(summary). Times are in milliseconds; dashed arrows are answers. This page contains no secrets\(showsIDs ? ", but it contains ids of the device, the viewer and resources" : "").</p>
            \(diagram.html)
            """)
    }

    private var diagram: SequenceDiagram {
        SequenceDiagram(
            parties: Trace.Party.allCases.map(\.rawValue),
            steps: entries.map { entry in
                var step = SequenceDiagram.Step(
                    from: Self.place(entry.from), to: Self.place(entry.to), text: entry.text.text(showsIDs: showsIDs),
                    began: entry.began)
                step.details = entry.details.text(showsIDs: showsIDs)
                step.duration = entry.duration
                step.isFailure = entry.isFailure
                step.isAnswer = entry.from == .library && entry.to == .app
                return step
            })
    }

    private static func place(_ party: Trace.Party) -> Int { Trace.Party.allCases.firstIndex(of: party) ?? 0 }

    private var summary: String {
        func count(_ fits: (Trace.Entry) -> Bool) -> Int { entries.count { fits($0) } }
        let exchanges = Printer.count(count { $0.from == .library && $0.to == .service }, "exchange")
        let writes = Printer.count(count { $0.to == .storage }, "write")
        let total = (entries.last?.began ?? 0) + (entries.last?.duration ?? 0)
        return "\(exchanges) with the service, \(writes), \(Int(bounded: total.rounded())) ms"
    }
}
