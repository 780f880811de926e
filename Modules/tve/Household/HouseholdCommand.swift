import ArgumentParser
import Foundation
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandboxConsole

struct HouseholdCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "household",
        abstract: "Share one login between the devices of a household.",
        discussion: """
            Uses the vendor's single sign-on service, which stands beside REST API v2. A login is shared if the device that \
            made it was in the household before. Two stores on one machine are one device to the service: \
            "tve demo-household" shows two.
            """,
        subcommands: [
            HouseholdLinkCommand.self, HouseholdJoinCommand.self, HouseholdDevicesCommand.self,
            HouseholdUnlinkCommand.self, HouseholdLeaveCommand.self,
        ])
}

struct HouseholdLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Show a code with which another device joins; makes the household if there is none.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Option(
        help: ArgumentHelp(
            "The page at which viewers type the code; its QR code gets the code as the parameter \"code\".",
            valueName: "url"))
    var page: String?

    func validate() throws {
        if let page, URL(string: page)?.scheme == nil { throw ValidationError(ArgumentFault.notAURL(page)) }
    }

    func run() async throws {
        let (code, hasLogin, isNew) = try await SessionRun.with(options, command: "household link") { run in
            let household = try run.household()
            let wasMember = try household.membership() == .member
            try await household.create()
            let isLoggedIn = if case .authenticated = await run.session.authenticationStatus() { true } else { false }
            return (try await household.linkCode(), isLoggedIn, !wasMember)
        }
        if json.isOn {
            return try Printer.json(["code": code.text, "expires": code.expires?.formatted(.iso8601)])
        }
        try Printer.line("Code: \(code.text)")
        if Terminal.isAll, let picture = QRCode(linkText(code)) { Terminal.draw(picture.terminalLines) }
        let end = code.expires.map { " before \($0.formatted(.iso8601))" } ?? ""
        Terminal.note("Type it on the other device\(end): tve household join \(code.text)")
        if hasLogin, isNew {
            Terminal.note(
                "The login of this device was made before it had a household, so it is not shared. "
                    + "\"tve login --force\" makes one that is.")
        }
        if !hasLogin { Terminal.note("Nobody is logged in here yet: \"tve login\" logs the household in.") }
    }

    private func linkText(_ code: LinkCode) -> String {
        guard let page, var address = URLComponents(string: page) else { return code.text }
        address.queryItems = (address.queryItems ?? []) + [URLQueryItem(name: "code", value: code.text)]
        return address.string ?? code.text
    }
}

struct HouseholdJoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join the household of another device with its code, or that of an account of the programmer.",
        discussion: "Exits with 1 when the device has joined, and nobody in the household is logged in.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Option(help: ArgumentHelp("The id of the account, the same on every device.", valueName: "id"))
    var account: String?

    @Argument(help: "The code, as the other device shows it.")
    var code: String?

    func validate() throws {
        guard (account == nil) != (code == nil) else {
            throw ValidationError(
                code == nil ? ArgumentFault.noCode : ArgumentFault.notTogether("A code", "--account"))
        }
        if let code, LinkCode(typed: code) == nil { throw ValidationError(ArgumentFault.emptyCode) }
        if account?.isEmpty == true { throw ValidationError(ArgumentFault.emptyAccount) }
    }

    func run() async throws {
        let status = try await SessionRun.with(options, command: "household join") { run in
            if let account { return try await run.session.joinHousehold(account: account) }
            guard let code = code.flatMap({ LinkCode(typed: $0) }) else { throw CleanExit.helpRequest(self) }
            return try await run.session.joinHousehold(code: code)
        }
        switch status {
        case .authenticated(let profile):
            if json.isOn { return try Printer.json(Answer(profile)) }
            try Printer.line(
                "Joined. Logged in with \(profile.mvpdID) until \(profile.expires.formatted(.iso8601)).")
        case .notAuthenticated:
            if json.isOn {
                try Printer.json(Answer(nil))
            } else {
                try Printer.line("Joined. Nobody in the household is logged in yet: log in on one of its devices.")
            }
            throw ExitCode.failure
        case .unknown(let error): throw ToolFailure(error, options)
        }
    }

    private struct Answer: Encodable {
        let authenticated: Bool
        let mvpd: MVPDID?
        let expires: String?

        init(_ profile: Profile?) {
            authenticated = profile != nil
            mvpd = profile?.mvpdID
            expires = profile?.expires.formatted(.iso8601)
        }
    }
}

struct HouseholdDevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the devices of the household.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    func run() async throws {
        let (devices, own) = try await SessionRun.with(options, command: "household devices") { run in
            let household = try run.household()
            return (try await household.devices(), household.deviceID)
        }
        if json.isOn { return try Printer.json(devices.map { Answer($0, isThisDevice: $0.id == own) }) }
        for device in devices {
            let names = [device.model, device.system, device.systemVersion].compactMap(\.self)
            let seen = device.lastSeen.map { ", last seen \($0.formatted(.iso8601))" } ?? ""
            let mark = device.id == own ? "  (this device)" : ""
            try Printer.line("\(device.id)  \(names.isEmpty ? "unknown" : names.joined(separator: " "))\(seen)\(mark)")
        }
    }

    private struct Answer: Encodable {
        let id: String
        let type, model, system, systemVersion, lastSeen: String?
        let isThisDevice: Bool

        init(_ device: HouseholdDevice, isThisDevice: Bool) {
            id = device.id
            type = device.type
            model = device.model
            system = device.system
            systemVersion = device.systemVersion
            lastSeen = device.lastSeen?.formatted(.iso8601)
            self.isThisDevice = isThisDevice
        }
    }
}

struct HouseholdUnlinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink", abstract: "Remove devices from the household; exits with 1 when one of them stays.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Argument(help: "The ids of the devices, from \"tve household devices\".")
    var devices: [String]

    func run() async throws {
        let outcome = try await SessionRun.with(options, command: "household unlink") {
            try await $0.household().unlink(devices)
        }
        if json.isOn {
            try Printer.json(["unlinked": outcome.unlinked, "remaining": outcome.remaining])
        } else {
            for id in outcome.unlinked { try Printer.line("Unlinked: \(id)") }
            for id in outcome.remaining {
                try Printer.line(SessionFault.notUnlinked(id).description)
            }
        }
        if !outcome.isComplete { throw ExitCode.failure }
    }
}

struct HouseholdLeaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Take this device out of its household; the others stay.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    func run() async throws {
        let wasMember = try await SessionRun.with(options, command: "household leave") { run in
            let household = try run.household()
            let wasMember = try household.membership() == .member
            try await household.leave()
            return wasMember
        }
        if json.isOn { return try Printer.json(["member": false]) }
        try Printer.line(wasMember ? "This device has left its household." : "This device is in no household.")
    }
}

extension SessionRun {
    /// Returns the household of the session.
    ///
    /// - Throws: `ToolFailure` for the classic services, which have no households.
    fileprivate func household() throws -> Household {
        guard let household = session.household else {
            throw ToolFailure(SessionFault.noHouseholds)
        }
        return household
    }
}
