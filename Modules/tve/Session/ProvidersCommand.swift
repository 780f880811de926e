import ArgumentParser
import Foundation
import TVEFlowEngine
import TVEModels

/// Lists the TV providers of a requestor.
struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the TV providers that the requestor works with.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    func run() async throws {
        let providers = try await SessionRun.with(options, "providers") {
            try await $0.session.start().requestor.providers
        }
        if json.isOn { return try Printer.json(providers.map(Answer.init)) }
        let width = providers.map(\.id.count).max() ?? 0
        for provider in providers {
            let traits = [
                provider.isTempPass ? "TempPass" : nil, provider.authenticatesPerRequestor ? "per requestor" : nil,
                provider.takesPartInPlatformSignOn ? "platform sign-on" : nil, provider.usesSafari ? "Safari" : nil,
            ].compactMap(\.self)
            let note = traits.isEmpty ? "" : "  (\(traits.joined(separator: ", ")))"
            let id = provider.id.padding(toLength: width, withPad: " ", startingAt: 0)
            Printer.line("\(id)  \(provider.displayName)\(note)")
        }
    }

    private struct Answer: Encodable {
        let id: String
        let name: String
        let isTempPass: Bool
        let authenticatesPerRequestor: Bool
        let takesPartInPlatformSignOn: Bool
        let usesSafari: Bool

        init(_ provider: TVProvider) {
            (id, name, isTempPass) = (provider.id, provider.displayName, provider.isTempPass)
            authenticatesPerRequestor = provider.authenticatesPerRequestor
            takesPartInPlatformSignOn = provider.takesPartInPlatformSignOn
            usesSafari = provider.usesSafari
        }
    }
}
