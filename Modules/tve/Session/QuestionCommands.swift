import ArgumentParser
import Foundation
import TVEFlowEngine
import TVEModels

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List the TV providers that the requestor works with.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    func run() async throws {
        let providers = try await SessionRun.with(options, command: "providers") {
            try await $0.session.configuration().requestor.providers
        }
        if json.isOn { return try Printer.json(providers.map(Answer.init)) }
        let width = providers.map(\.id.text.count).max() ?? 0
        for provider in providers {
            let traits = [
                provider.isTempPass ? "TempPass" : nil, provider.authenticatesPerRequestor ? "per requestor" : nil,
                provider.takesPartInPlatformSignOn ? "platform sign-on" : nil, provider.usesSafari ? "Safari" : nil,
            ].compactMap(\.self)
            let note = traits.isEmpty ? "" : "  (\(traits.joined(separator: ", ")))"
            try Printer.line("\(provider.id.text.padded(to: width))  \(provider.displayName)\(note)")
        }
    }

    private struct Answer: Encodable {
        let id: MVPDID
        let name: String
        let isTempPass: Bool
        let authenticatesPerRequestor: Bool
        let takesPartInPlatformSignOn: Bool
        let usesSafari: Bool

        init(_ provider: TVProvider) {
            id = provider.id
            name = provider.displayName
            isTempPass = provider.isTempPass
            authenticatesPerRequestor = provider.authenticatesPerRequestor
            takesPartInPlatformSignOn = provider.takesPartInPlatformSignOn
            usesSafari = provider.usesSafari
        }
    }
}

struct AuthorizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authorize", abstract: "Ask for a media token and print it.",
        discussion: """
            The token is for a single use and expires within minutes; "tve token verify" verifies it as a back end does.
            """)

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @OptionGroup var other: OtherProviderOption

    @OptionGroup var data: DataOption

    @Argument(help: "A plain id or an MRSS document.")
    var resource: Resource

    func validate() throws {
        try resource.refuseLineEnds()
    }

    func run() async throws {
        let token = try await SessionRun.with(options, command: "authorize", provider: other.named) { run in
            if let mvpdID = other.as { return try await run.session.authorize(resource, as: mvpdID, data: data.values) }
            return try await run.session.authorize(resource, data: data.values)
        }
        if json.isOn { return try Printer.json(["resource": resource.text, "token": token.rawText]) }
        // A pipe receives the token unchanged, because a back end verifies the signature of exactly these bytes.
        try Printer.exact(Data("\(token.rawText)\n".utf8))
    }
}

struct PreauthorizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preauthorize", abstract: "List which resources the viewer may watch.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Flag(help: "Ask the service even if its last answer was about the same resources.")
    var fresh = false

    @OptionGroup var other: OtherProviderOption

    @Argument(help: "Plain ids or MRSS documents.")
    var resources: [Resource]

    func validate() throws {
        for resource in resources { try resource.refuseLineEnds() }
    }

    func run() async throws {
        let caches: PreauthorizationCaches = fresh ? .service : .all
        let decisions = try await SessionRun.with(options, command: "preauthorize", provider: other.named) { run in
            if let mvpdID = other.as {
                return try await run.session.preauthorize(resources, as: mvpdID, caches: caches)
            }
            return try await run.session.preauthorize(resources, caches: caches)
        }
        if json.isOn {
            try Printer.json(decisions.map(Answer.init))
        } else {
            for decision in decisions {
                let note = decision.denial.map { "  (\($0.localizedDescription))" } ?? ""
                let answer = decision.isAuthorized ? "yes" : decision.isKnown ? "no " : "?  "
                try Printer.line("\(answer)  \(decision.resource)\(note)")
            }
        }
        if decisions.contains(where: \.isWithoutAnswer) { throw ExitCode.unknown }
    }

    private struct Answer: Encodable {
        let resource: Resource
        /// The decision, or `nil` if the service did not decide or could not reach the TV provider.
        let authorized: Bool?
        let code: String?
        let message: String?
        /// The reason for a denial, as a text for the viewer.
        let text: String?

        init(_ decision: PreauthorizationDecision) {
            resource = decision.resource
            authorized = decision.isKnown ? decision.isAuthorized : nil
            code = decision.error?.code
            message = decision.error?.details ?? decision.error?.message
            text = decision.denial?.localizedDescription
        }
    }
}

extension PreauthorizationDecision {
    /// A Boolean value that indicates whether the TV provider could not be reached, or the service failed.
    fileprivate var isWithoutAnswer: Bool { denial?.isWithoutAnswer == true }
    /// A Boolean value that indicates whether there is a decision, which is not the case for a resource that the
    /// service leaves out.
    fileprivate var isKnown: Bool { isDecided && !isWithoutAnswer }
}

/// The option `--as` of commands that can use the login with another provider than the selected one.
struct OtherProviderOption: ParsableArguments {
    @Option(help: "Use the login with this TV provider instead of that of the chosen one.")
    var `as`: MVPDID?

    /// The provider together with its option, or `nil` if the option is missing.
    var named: NamedProvider? { self.as.map { NamedProvider(id: $0, option: "--as") } }

    func validate() throws {
        if let mvpdID = self.as { try mvpdID.refuseQuotationMarks() }
    }
}

/// The option `--data` of commands that can send data about the viewer to the service.
struct DataOption: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "Data about the viewer for the service, for example the id for a promotional TempPass; may be repeated.",
            valueName: "name=value"))
    var pairs: [String] = []

    var values: [String: MetadataValue] {
        get throws {
            var values: [String: MetadataValue] = [:]
            for pair in pairs {
                let (name, value) = pair.divided(at: "=")
                guard let value, !name.isEmpty else {
                    throw ValidationError(ArgumentFault.dataWithoutName)
                }
                values[String(name)] = .string(String(value))
            }
            return values
        }
    }
}

struct MetadataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metadata",
        abstract: "Print a fact about the viewer or this device; exits with 1 when there is no value.",
        discussion: """
            KEY is "authn" or "authz:RESOURCE" for the expiry of a token, "device" for the device id, or the name of a fact \
            that the TV provider reports, for example zip.
            """)

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Argument(help: "The name of the fact.")
    var key: String

    func validate() throws {
        guard !key.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
            throw ValidationError(ArgumentFault.emptyFact)
        }
        if case .authorizationExpiry(let resource) = requested { try resource.refuseLineEnds() }
    }

    private var requested: MetadataKey {
        switch key {
        case "authn": .authenticationExpiry
        case "device": .deviceID
        case let text where text.hasBytePrefix("authz:"):
            .authorizationExpiry(Resource(String(decoding: text.utf8.dropFirst(6), as: UTF8.self)))
        default: .user(key)
        }
    }

    func run() async throws {
        let requested = self.requested
        let (answer, outage) = try await SessionRun.with(options, command: "metadata") { run in
            let answer = try await run.session.metadata(requested)
            // After a logout there is no value, whatever the service has.
            let outage = await run.session.hasPendingLogout ? nil : run.outages.current
            return (answer, outage)
        }
        guard let answer else {
            // The other facts come from the store alone.
            if case .user = requested, let outage {
                throw ToolFailure(SessionFault.valueNotAsked(key, outage: outage), code: .unknown)
            }
            Terminal.note(SessionFault.noValue(key).description)
            throw ExitCode.failure
        }
        if json.isOn { return try Printer.json(Answer(key: key, value: answer.value, encrypted: answer.isEncrypted)) }
        if case .string(let text) = answer.value {
            try Printer.line(text)
        } else {
            try Printer.json(answer.value)
        }
        if answer.isEncrypted { Terminal.note("The value is encrypted with the programmer's key.") }
    }

    private struct Answer: Encodable {
        let key: String
        let value: MetadataValue
        let encrypted: Bool
    }
}
