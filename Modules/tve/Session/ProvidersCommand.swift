import ArgumentParser
import Foundation
import TVEFlowEngine
import TVEModels

/// Lists the TV providers of a requestor.
struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the TV providers that the requestor works with.")

    @OptionGroup var options: SessionOptions

    func run() async throws {
        let providers = try await SessionRun.with(options, "providers") {
            try await $0.session.start().requestor.providers
        }
        let width = providers.map(\.id.count).max() ?? 0
        for provider in providers {
            let traits = [
                provider.isTempPass ? "TempPass" : nil, provider.authenticatesPerRequestor ? "per requestor" : nil,
                provider.takesPartInPlatformSignOn ? "platform sign-on" : nil, provider.usesSafari ? "Safari" : nil,
            ].compactMap(\.self)
            let note = traits.isEmpty ? "" : "  (\(traits.joined(separator: ", ")))"
            let id = provider.id.padding(toLength: width, withPad: " ", startingAt: 0)
            print(Terminal.printable("\(id)  \(provider.displayName)\(note)"))
        }
    }
}
