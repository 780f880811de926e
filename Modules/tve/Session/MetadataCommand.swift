import ArgumentParser
import Foundation
import TVEFlowEngine
import TVEModels

/// Prints what is known about the viewer or this device.
struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Say what is known about the viewer or this device; ends with 1 when nothing is.",
        discussion: """
            KEY is "authn" or "authz:RESOURCE" for when a token runs out, "device" for the device id, or the name of what the \
            TV provider tells, for example zip.
            """)

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Argument(help: "What to ask.")
    var key: String

    func run() async throws {
        let question: MetadataKey =
            switch key {
            case "authn": .authenticationExpiry
            case "device": .deviceID
            case let text where text.hasPrefix("authz:"): .authorizationExpiry(Resource(String(text.dropFirst(6))))
            default: .user(key)
            }
        guard let answer = try await SessionRun.with(options, "metadata", { try await $0.session.metadata(question) })
        else {
            Terminal.note("Nothing is known.")
            throw ExitCode.failure
        }
        if json.isOn { return try Printer.json(Answer(key: key, value: answer.value, encrypted: answer.isEncrypted)) }
        if case .string(let text) = answer.value {
            Printer.line(text)
        } else {
            try Printer.json(answer.value)
        }
        if answer.isEncrypted { Terminal.note("The value is encrypted for the programmer's key.") }
    }

    private struct Answer: Encodable {
        let key: String
        let value: MetadataValue
        let encrypted: Bool
    }
}
