import ArgumentParser
import Foundation
import TVEFlowEngine
import TVEModels

struct HouseholdStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print whether this store belongs to a household; exits with 1 when it does not.",
        discussion: """
            Reads the store. A member also asks the service for the number of devices, and goes on without it when the \
            service does not answer.
            """)

    @OptionGroup var options: SessionOptions
    @OptionGroup var json: JSONOption

    func run() async throws {
        let found = try await SessionRun.with(
            options, command: "household status", isStarted: false, worksAlone: true
        ) { run in
            let household = try run.household()
            if let absence = run.absence { return Found(facts: try household.facts(), reason: absence) }
            return try await Self.find(household, options)
        }
        if let fault = HouseholdFault(found.facts.membership) {
            let text = fault.description
            if json.isOn { try Printer.json(Answer(reason: text)) } else { try Printer.line(text) }
            throw ExitCode.failure
        }
        if json.isOn {
            try Printer.json(Answer(found))
        } else {
            for line in found.lines { try Printer.line(line) }
        }
        if let reason = found.reason { Terminal.note("The number of devices is unknown. \(reason)") }
    }

    /// Asks the service for the devices, and reads the membership.
    ///
    /// The request comes first, because its answer may renew the token or end the membership.
    private static func find(_ household: Household, _ options: SessionOptions) async throws -> Found {
        guard try household.membership() == .member else { return Found(facts: try household.facts()) }
        do throws(TVEError) {
            let count = try await household.devices().count
            return Found(facts: try household.facts(), devices: count)
        } catch {
            let reason = ToolFailure(error, options).description
            return Found(facts: try household.facts(), reason: reason)
        }
    }

    /// The membership, and what the service has said about the household.
    private struct Found {
        let facts: HouseholdFacts
        var devices: Int?
        /// The reason for which the number of devices is unknown, as sentences.
        var reason: String?

        var lines: [String] {
            var lines = [facts.origin.map(sentence) ?? "This device is a member of a household."]
            if let devices { lines.append("The household has \(Printer.count(devices, "device")).") }
            if let end = facts.tokenExpires {
                let time = end.formatted(.iso8601)
                lines.append(
                    end <= Date()
                        ? "The service token expired at \(time), and is renewed when the service answers."
                        : "The service token is valid until \(time), and is renewed before that.")
            }
            return lines
        }

        private func sentence(_ origin: HouseholdFacts.Origin) -> String {
            switch origin {
            case .account: "This device is a member of a household, which it joined with an account of the programmer."
            case .code: "This device is a member of a household, which it joined with a code."
            case .thisDevice: "This device is a member of a household, which it made itself."
            }
        }
    }

    private struct Answer: Encodable {
        let member: Bool
        var joinedWith: String?
        var devices: Int?
        /// The end of the service token in ISO 8601.
        var tokenExpires: String?
        var reason: String?

        init(_ found: Found) {
            member = true
            joinedWith = found.facts.origin?.rawValue
            devices = found.devices
            tokenExpires = found.facts.tokenExpires?.formatted(.iso8601)
        }

        init(reason: String) {
            member = false
            self.reason = reason
        }
    }
}
