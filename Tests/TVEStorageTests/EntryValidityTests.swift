import Foundation
import TVEModels
import TVEStorage
import Testing

/// The values that a check accepts in each entry.
///
/// A value that is refused by mistake costs the viewer all logins, and one that is accepted by mistake fails later.
struct EntryValidityTests {
    private let backend = MemoryStorage()

    private func problems(of key: String, _ value: Data) -> [IntegrityReport.Problem] {
        backend.apply([.put(StorageKey(rawValue: key), value)])
        return EntitlementStore(backend).check(.report).problems
    }

    private static let login = "requestor/P1/f/mvpd/A"
    private static let membership = #"{"state":"member","token":"t","expires":1}"#

    @Test(
        arguments: [
            ("device/seed", ["seed"], [""]), ("device/id", ["A"], [""]), ("probe/x", ["1"], [""]),
            ("registration/app", ["registered"], ["rubbish", ""]),
            ("begun/P1/f", ["1"], [""]), ("imported/closed", ["1"], [""]), ("imported/P1/f", ["1"], [""]),
            ("imported/P1/f/place", ["1"], [""]),
            ("logout/P1/f/all", ["1", "1 ff", "ended", "ended 5"], ["", "2 ff", "1ff", "rubbish"]),
            ("logout/P1/f/mvpd/A", ["1", "1 ff", "ended", "ended 5"], ["", "2 ff", "1ff", "rubbish"]),
            ("logout/P1/f/newer/A", ["1", "", "rubbish"], []),
            ("household/P1/f", [membership], ["", "{}", "rubbish", #"{"state":"x","token":"t","expires":1}"#]),
            ("requestor/P1/f/current", ["A", ""], []), ("requestor/P1/f/card", [], ["", "{}", "rubbish"]),
            ("requestor/P1/f/pending", ["x"], [""]),
            ("\(login)/authn", ["P1,A", "P1,A@5"], ["P2,A", "P1,B", "rubbish", ""]),
            ("\(login)/authz/R", ["P1,A,R"], ["P2,A,R", "P1,A,R2", "P1,A", ""]),
            ("\(login)/authz-sha256/R", [], ["P1,A,R"]),
            ("\(login)/canAuthenticate", ["1"], ["", "0", "11", "yes"]),
            ("\(login)/platform", ["1"], ["", "0", "11", "yes"]),
            ("\(login)/metadata", [], ["", "{", "[]"]), ("\(login)/preauthorization", ["[]"], ["", "{}", "["]),
        ] as [(String, [String], [String])])
    func anEntry_hasGoodValues_andBadOnes(key: String, good: [String], bad: [String]) {
        for value in good { #expect(problems(of: key, Data(value.utf8)) == [], "\(value)") }
        for value in bad {
            #expect(problems(of: key, Data(value.utf8)).map(\.key) == [StorageKey(rawValue: key)], "\(value)")
        }
    }

    @Test(arguments: ["device/seed", "device/id", "requestor/P1/f/current"])
    func aText_isUTF8(key: String) {
        #expect(problems(of: key, Data([0xFF])).map(\.reason) == [.invalid])
    }
}
