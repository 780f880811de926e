import Foundation
import Testing

/// No handler may ignore the error of a framework on Apple's systems, because the other answer does not contain it.
struct PlatformErrorTests {
    /// Returns the parameters of all closures with two parameters in a source.
    ///
    /// Those of a handler are the answer and the error.
    private static func closures(in source: String) -> [String] {
        source.matches(of: /\{\s*(?:@\w+\s+)?(?:\[[^\]]*\]\s*)?(\w+, \w+) in\b/).map { String($0.1) }
    }

    /// A new handler must evaluate its error, and must be added to this list.
    @Test func everyHandler_looksAtItsError() throws {
        var handlers: [String: [String]] = [:]
        for file in try Repository.files("Modules", "+Apple.swift") {
            let found = Self.closures(in: try Repository.code(in: file))
            #expect(found.filter { $0.hasSuffix(", _") } == [], "\(file) drops an error.")
            let named = found.filter { $0.hasSuffix(", error") }
            if !named.isEmpty { handlers[file] = named }
        }
        #expect(
            handlers == [
                "Modules/TVEFlowEngine/Environment/VideoSubscriberSignOn+Apple.swift": [
                    "status, error", "metadata, error",
                ],
                "Modules/AccessEnabler/Browser/SystemBrowser+Apple.swift": ["url, error"],
            ])
    }

    @Test(arguments: [
        ("ask(1) { @Sendable status, _ in", ["status, _"]), ("ask { [weak self] url, error in", ["url, error"]),
        ("ask { @Sendable [weak self] url, error in", ["url, error"]), ("ask { path in", []),
    ])
    func findsThem(source: String, parameters: [String]) {
        #expect(Self.closures(in: source) == parameters)
    }
}
