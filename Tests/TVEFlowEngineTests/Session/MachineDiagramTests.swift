import Foundation
import Testing

/// The diagrams of the documentation show what the machines do, and nothing else.
struct MachineDiagramTests {
    static let machines: [(name: String, transitions: @Sendable () -> Set<Transition>)] = [
        ("LoginMachine", { LoginMachineTests.transitions }),
        ("LogoutMachine", { LogoutMachineTests.transitions }),
        ("KeptLoginsMachine", { KeptLoginsMachineTests.transitions }),
        ("PermissionMachine", { PermissionMachineTests.transitions }),
        ("StartMachine", { StartMachineTests.transitions }),
    ]

    /// A closed session is reached from everywhere, which no diagram needs to show.
    @Test(arguments: machines.map(\.name))
    func theDiagramShowsEveryTransition(name: String) throws {
        let machine = try #require(Self.machines.first { $0.name == name })
        let made = machine.transitions().filter { $0.from != $0.to && $0.to != "closed" }
        let lines = made.map { "    \($0)" }.sorted().joined(separator: "\n")
        let drawn = try Self.diagram(of: name)
        #expect(Set(made.map(\.description)) == drawn, "The diagram of \(name) is to be:\n\(lines)")
    }

    /// The transitions of the Mermaid diagram that stands below the name of a machine.
    private static func diagram(of name: String) throws -> Set<String> {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let page = try String(contentsOf: root.appending(path: "Documentation/Architecture.md"), encoding: .utf8)
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let section = lines.drop { !$0.hasPrefix("### `\(name)`") }.dropFirst()
        let diagram = section.drop { $0 != "```mermaid" }.dropFirst().prefix { $0 != "```" }
        return Set(
            diagram.filter { $0.contains("-->") && !$0.contains("[*]") }.map { $0.trimmingCharacters(in: .whitespaces) }
        )
    }
}
