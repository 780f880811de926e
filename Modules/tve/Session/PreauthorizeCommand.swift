import ArgumentParser
import TVEFlowEngine
import TVEModels

/// Asks which resources the viewer would be allowed to watch.
struct PreauthorizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preauthorize", abstract: "Say which resources the viewer would be allowed to watch.")

    @OptionGroup var options: SessionOptions

    @Flag(help: "Ask the service even if its last answer was about the same resources.")
    var fresh = false

    @Argument(help: "Plain ids or MRSS documents.")
    var resources: [String]

    func run() async throws {
        let decisions = try await SessionRun.with(options, "preauthorize") {
            try await $0.session.preauthorize(resources.map { Resource($0) }, caches: fresh ? .service : .all)
        }
        for decision in decisions {
            let reason = decision.error?.details ?? decision.error?.message ?? decision.error?.code
            let note = reason.map { "  (\($0))" } ?? ""
            print(Terminal.printable("\(decision.isAuthorized ? "yes" : "no ")  \(decision.resource.text)\(note)"))
        }
    }
}
