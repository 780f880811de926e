import Foundation
import Testing

/// Compares the public types of `AccessEnabler` with the names for apps that have types of the same name
/// (`Documentation/Compatibility.md`).
struct SecondNameTests {
    /// Returns the public types in a source that are no member of the class, or have no second name.
    private static func typesWithoutNames(in code: String) -> [String] {
        let declaration =
            /( *)(?:@\w+ )*public (?:[a-z]+ )*(class|struct|enum|protocol|actor|typealias) (\w+)(?:<\w+>)?(?: = (\w+))?/
        var types: Set<String> = []
        var aliases: [String: String] = [:]
        var members: [String: String] = [:]
        for line in code.components(separatedBy: "\n") {
            guard let match = line.prefixMatch(of: declaration) else { continue }
            let name = String(match.3)
            if match.2 != "typealias" {
                // Types in other types are found through those.
                if match.1.isEmpty { types.insert(name) }
            } else if let other = match.4 {
                if match.1.isEmpty { aliases[name] = String(other) } else { members[name] = String(other) }
            }
        }
        types.formUnion(Set(aliases.keys).subtracting(members.values))
        return types.filter { type in members[type].flatMap { aliases[$0] } != type }.sorted()
    }

    @Test func everyPublicType_isAMemberOfTheClass_andHasASecondName() throws {
        let code = try Repository.files("Modules/AccessEnabler").map { try Repository.code(in: $0) }
        #expect(code.count > 20, "The reader of sources finds nothing.")
        #expect(Self.typesWithoutNames(in: code.joined(separator: "\n")) == [])
    }

    @Test(arguments: [
        ("public final class A {", ["A"]), ("@objc public protocol A {", ["A"]), ("public typealias A = B", ["A"]),
        ("public struct A {\npublic typealias XA = A", ["A", "XA"]),
        ("public enum A {\n    public typealias A = XA", ["A"]),
        ("public struct A<T> {\npublic typealias XA<T> = A<T>\n    public typealias A<T> = XA<T>", []),
        ("public enum A {\npublic typealias XA = A\n    public typealias A = XA", []),
        ("public enum A {\npublic typealias XA = B\n    public typealias A = XA", ["A"]),
        ("    public struct A {", []), ("struct A {", []), ("package enum A {", []), ("public let a = 1", []),
    ])
    func findsThem(source: String, types: [String]) {
        #expect(Self.typesWithoutNames(in: source) == types)
    }
}
