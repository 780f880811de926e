import ArgumentParser
import TVEFlowEngine
import TVEModels

/// Asks which resources the viewer would be allowed to watch.
struct PreauthorizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preauthorize", abstract: "Say which resources the viewer would be allowed to watch.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Flag(help: "Ask the service even if its last answer was about the same resources.")
    var fresh = false

    @Argument(help: "Plain ids or MRSS documents.")
    var resources: [String]

    func run() async throws {
        let decisions = try await SessionRun.with(options, "preauthorize") {
            try await $0.session.preauthorize(resources.map { Resource($0) }, caches: fresh ? .service : .all)
        }
        if json.isOn { return try Printer.json(decisions.map(Answer.init)) }
        for decision in decisions {
            let reason = decision.error?.details ?? decision.error?.message ?? decision.error?.code
            let note = reason.map { "  (\($0))" } ?? ""
            Printer.line("\(decision.isAuthorized ? "yes" : "no ")  \(decision.resource.text)\(note)")
        }
    }

    private struct Answer: Encodable {
        let resource: String
        let authorized: Bool
        let code: String?
        let message: String?

        init(_ decision: PreauthorizationDecision) {
            (resource, authorized) = (decision.resource.text, decision.isAuthorized)
            code = decision.error?.code
            message = decision.error?.details ?? decision.error?.message
        }
    }
}
