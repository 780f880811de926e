import Foundation
import Testing

/// Checks that flows read the store, decide and write in one step.
struct StorageWriteTests {
    /// The functions of the flow engine that read the store before they change it, with the reasons.
    ///
    /// Their change does not depend on the value that was read, or reads it again.
    private static let readsBefore: [String: String] = [
        "Refresh.swift requestLogins": "the data that it was read for is compared again inside the change",
        "Logins+Service.swift confirmed": "a login is stored only while the choice is the one that was read",
        "Logins+Changes.swift choose": "the login is looked at again inside the change",
        "Logins+Changes.swift removeEnded": "the login is looked at again inside the change",
        "Logins+Logouts.swift sendPendingLogouts": "notes are removed only as they were read",
        "Logins+Logouts.swift endAtService": "notes are removed only as they were read",
        "Logins+Logouts.swift beginLogin": "notes are removed only as they were read",
    ]

    /// Returns the functions of a source with their bodies, which are found by the project's indentation.
    private static func functions(_ source: String) -> [(name: String, body: String)] {
        let start =
            /\n    (?=(?:@\w+ )?(?:(?:nonisolated\(nonsending\)|public|package|private|fileprivate|mutating) )*func )/
        return source.split(separator: start)
            .dropFirst().compactMap { piece in
                piece.firstMatch(of: /func (\w+)/).map { (String($0.1), String(piece)) }
            }
    }

    /// Returns a Boolean value that indicates whether a function reads the store and changes it afterwards.
    private static func readsThenChanges(_ body: String) -> Bool {
        guard let change = body.firstRange(of: /(store\.change|write|decide)(?: |\()\{/) else { return false }
        let before = body[..<change.lowerBound]
        return before.contains(/(store(?:\.(?!change)\w+\(|\))|(?:read|readIfReadable)(?: |\()\{)/)
            || before.contains(/((?:stored|canAuthenticate)\(with|pendingLogouts\(\))/)
    }

    @Test func aFlowThatReadsBeforeItChanges_isListedWithItsReason() throws {
        var found: Set<String> = []
        for file in try Repository.files("Modules/TVEFlowEngine") {
            for function in Self.functions(try Repository.code(in: file))
            where Self.readsThenChanges(function.body) {
                found.insert("\(URL(fileURLWithPath: file).lastPathComponent) \(function.name)")
            }
        }
        #expect(found == Set(Self.readsBefore.keys))
    }

    @Test(arguments: [
        ("    func a() {\n        let x = try store.b(c)\n        try store.change { $0.d() }\n    }", true),
        ("    func a() {\n        let x = try read { try $0.b(c) }\n        try decide { $0.d() }\n    }", true),
        ("    func a() {\n        guard try read({ $0.b() }) else { return }\n        write { $0.d() }\n    }", true),
        ("    func a() {\n        let x = try X(of: b, in: store)\n        try store.change { $0.d() }\n    }", true),
        ("    func a() {\n        try store.change { entitlements in try entitlements.b() }\n    }", false),
        ("    func a() {\n        try store.change { $0.d() }\n        let x = try store.b(c)\n    }", false),
    ])
    func findsWhatReadsBeforeItChanges(source: String, isOne: Bool) {
        #expect(Self.functions("struct S {\n\(source)\n}").contains { Self.readsThenChanges($0.body) } == isOne)
    }
}
