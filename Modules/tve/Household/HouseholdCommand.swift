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
            made it was in the household before. Two stores on one machine are one device to the service. \
            "tve demo-household" shows a household of two devices.
            """,
        subcommands: [
            HouseholdStatusCommand.self, HouseholdLinkCommand.self, HouseholdJoinCommand.self,
            HouseholdDevicesCommand.self, HouseholdUnlinkCommand.self, HouseholdLeaveCommand.self,
        ])
}

struct HouseholdLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Show a code with which another device joins; creates the household if there is none.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Option(
        help: ArgumentHelp(
            "The page at which viewers type the code; the QR code opens it with the code as the parameter \"code\".",
            valueName: "url"))
    var page: String?

    func validate() throws {
        if let page, URL(string: page)?.scheme == nil { throw ValidationError(ArgumentFault.notAURL(page)) }
    }

    func run() async throws {
        let (code, hasLogin, before) = try await SessionRun.with(options, command: "household link") { run in
            let household = try run.household()
            let before = try household.membership()
            try await household.create()
            let isLoggedIn = if case .authenticated = await run.session.authenticationStatus() { true } else { false }
            return (try await household.linkCode(), isLoggedIn, before)
        }
        if json.isOn {
            return try Printer.json(["code": code.text, "expires": code.expires?.formatted(.iso8601)])
        }
        try Printer.line("Code: \(code.text)")
        if Terminal.isAll, let picture = QRCode(linkText(code)) { Terminal.draw(picture.terminalLines) }
        let end = code.expires.map { " before \($0.formatted(.iso8601))" } ?? ""
        Terminal.note("Type it on the other device\(end): tve household join \(code.text)")
        if before == .ended || before == .unlinked {
            Terminal.note(
                "This device is no longer in its earlier household, so the code is for a new one. To go back, request "
                    + "a code on a device of the earlier household, and use \"tve household join CODE\" here.")
        }
        if hasLogin, before != .member {
            Terminal.note(
                "The login of this device was made before it had a household, so it is not shared. "
                    + "\"tve login --force\" makes one that is.")
        }
        if !hasLogin {
            Terminal.note("This device has no login yet. \"tve login\" makes one, which the household shares.")
        }
    }

    private func linkText(_ code: LinkCode) -> String {
        page.flatMap { Self.address(of: $0, code: code.text) } ?? code.text
    }

    /// Returns the address of a page with a code as its last parameter, or `nil` for a text that is no address.
    ///
    /// The other parameters stay as they are written, because a decoded and encoded `%2B` would be a plus sign, which
    /// stands for a space.
    static func address(of page: String, code: String) -> String? {
        guard var address = URLComponents(string: page) else { return nil }
        let code = code.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        address.percentEncodedQueryItems =
            (address.percentEncodedQueryItems ?? []) + [URLQueryItem(name: "code", value: code)]
        return address.string
    }
}

struct HouseholdJoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join the household of another device with its code, or that of an account with --account.",
        discussion: "Exits with 1 when the device has joined, and the household has no login yet.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    @Option(help: ArgumentHelp("The id of the account, which is the same on every device.", valueName: "id"))
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
        let (status, outage) = try await SessionRun.with(options, command: "household join") { run in
            let status = try await join(run.session)
            return (status, run.outages.current)
        }
        switch status {
        case .authenticated(let profile):
            if json.isOn { return try Printer.json(Answer(profile)) }
            try Printer.line(
                "Joined. Logged in with \(profile.mvpdID) until \(profile.expires.formatted(.iso8601)).")
        case .notAuthenticated:
            if let outage {
                throw ToolFailure(HouseholdFault.joinedWithoutLogin(outage), code: .unknown)
            }
            if json.isOn {
                try Printer.json(Answer(nil))
            } else {
                try Printer.line("Joined. The household has no login yet: log in on one of its devices.")
            }
            throw ExitCode.failure
        case .unknown(let error):
            var failure = ToolFailure(error, options)
            failure.code = .unknown
            throw failure
        }
    }

    private func join(_ session: EntitlementSession) async throws -> AuthenticationStatus {
        if let account { return try await session.joinHousehold(account: account) }
        guard let code = code.flatMap({ LinkCode(typed: $0) }) else { throw CleanExit.helpRequest(self) }
        return try await session.joinHousehold(code: code)
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
        if devices.isEmpty { Terminal.note("The service lists no devices of this household.") }
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
        let (outcome, listed) = try await SessionRun.with(options, command: "household unlink") { run in
            let household = try run.household()
            guard !devices.contains(where: { $0.isSameBytes(as: household.deviceID) }) else {
                throw ToolFailure(HouseholdFault.thisDevice(household.deviceID))
            }
            let outcome = try await household.unlink(devices)
            // The list distinguishes an unknown id from a device that was not unlinked.
            var listed: [String]?
            if !outcome.isComplete { listed = try? await household.devices().map(\.id) }
            return (outcome, listed)
        }
        if json.isOn {
            try Printer.json(["unlinked": outcome.unlinked, "remaining": outcome.remaining])
        } else {
            for id in outcome.unlinked { try Printer.line("Unlinked: \(id)") }
            for id in outcome.remaining { try Printer.line(Self.fault(of: id, listed).description) }
        }
        if !outcome.isComplete { throw ExitCode.failure }
    }

    /// Returns the reason for which a device was not unlinked.
    ///
    /// - Parameters:
    ///   - id: the id from the command line.
    ///   - listed: the ids of the household's devices, or `nil` if the service did not list them.
    private static func fault(of id: String, _ listed: [String]?) -> HouseholdFault {
        guard let listed else { return .notUnlinked(id) }
        return listed.contains { $0.isSameBytes(as: id) } ? .stillMember(id) : .unknownDevice(id)
    }
}

struct HouseholdLeaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Take this device out of its household; the others stay.")

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    func run() async throws {
        let (before, outage) = try await SessionRun.with(options, command: "household leave", worksAlone: true) { run in
            let household = try run.household()
            let before = try household.membership()
            try await household.leave()
            return (before, run.absence ?? run.outages.current)
        }
        if json.isOn {
            try Printer.json(["member": false])
        } else {
            try Printer.line(Self.sentence(before))
        }
        guard before == .member, let outage else { return }
        Terminal.note(
            "The service has not received this. \(outage) The other devices list this one until one of them unlinks "
                + "it: tve household unlink ID.")
    }

    private static func sentence(_ before: HouseholdMembership) -> String {
        switch before {
        case .none: "This device is in no household."
        case .member: "This device has left its household."
        case .ended: "This device is in no household: its membership had already ended."
        case .unlinked: "This device is in no household: another device had already unlinked it."
        }
    }
}

extension SessionRun {
    /// Returns the household of the session.
    ///
    /// - Throws: `TVEError.householdNotOffered` for the classic services, which have no households.
    func household() throws -> Household {
        guard let household = session.household else { throw TVEError(.householdNotOffered) }
        return household
    }
}
