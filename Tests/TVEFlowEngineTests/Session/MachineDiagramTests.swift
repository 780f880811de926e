import Foundation
import Testing

/// The diagrams of the documentation show exactly the transitions of the machines.
struct MachineDiagramTests {
    static let machines: [(name: String, transitions: @Sendable () -> Set<Transition>)] = [
        ("LoginMachine", { LoginMachineTests.transitions }),
        ("LogoutMachine", { LogoutMachineTests.transitions }),
        ("KeptLoginsMachine", { KeptLoginsMachineTests.transitions }),
        ("PermissionMachine", { PermissionMachineTests.transitions }),
        ("StartMachine", { StartMachineTests.transitions }),
    ]

    /// Every state leads to a closed session, which a diagram need not show.
    @Test(arguments: machines.map(\.name))
    func theDiagramShowsEveryTransition(name: String) throws {
        let machine = try #require(Self.machines.first { $0.name == name })
        let made = machine.transitions().filter { $0.from != $0.to && $0.to != "closed" }
        let lines = made.map { "    \($0)" }.sorted().joined(separator: "\n")
        let drawn = try Self.diagram(of: name)
        #expect(Set(made.map(\.description)) == drawn, "The diagram of \(name) is to be:\n\(lines)")
    }

    /// The transitions of the Mermaid diagram below the name of a machine.
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
