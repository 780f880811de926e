import Foundation
import Testing

/// A flow of the engine may use only the flows that its row of this table names.
struct EngineArrowsTests {
    /// The folders whose types the files of each folder may name.
    ///
    /// In addition, all files may name the shared types of Session, Environment and Errors.
    private static let arrows: [String: Set<String>] = [
        "Providers": [],
        "Logins": ["Providers"],
        "Platform": ["Logins", "Providers"],
        "Refresh": ["Logins", "Providers"],
        "Logout": ["Logins", "Providers", "Household"],
        "Household": [],
        "Login": ["Platform", "Logins", "Providers"],
        "Start": ["Login", "Refresh", "Logins", "Providers"],
        "Permission": ["Login", "Refresh", "Logins", "Providers"],
    ]
    private static let shared: Set = ["Session", "Environment", "Errors"]
    private static let root = "Modules/TVEFlowEngine"

    /// Returns the sources of each folder.
    private static func folders() throws -> [String: [(name: String, code: String)]] {
        Dictionary(
            grouping: try Repository.files(root).map { (name: $0, code: try Repository.code(in: $0)) }
        ) { file in
            URL(fileURLWithPath: file.name).deletingLastPathComponent().lastPathComponent
        }
    }

    /// Returns the types that a source declares for other files.
    private static func types(in code: String) -> [String] {
        code.matches(of: /(?m)^(?:(?:public|package|final|@\w+) )*(?:class|struct|enum|protocol|actor) (\w+)/)
            .map { String($0.1) }
    }

    @Test func eachFolderHasItsRow() throws {
        #expect(Set(try Self.folders().keys) == Set(Self.arrows.keys).union(Self.shared))
    }

    @Test func aFolderNamesTypesOfThoseBehindIt_andOfNoOther() throws {
        let folders = try Self.folders()
        var homes: [String: String] = [:]
        for (folder, files) in folders {
            for type in files.flatMap({ Self.types(in: $0.code) }) { homes[type] = folder }
        }
        for (folder, files) in folders where !Self.shared.contains(folder) {
            for file in files {
                let words = Set(file.code.matches(of: /[A-Za-z_]\w*/).map { String($0.output) })
                let named = Set(words.compactMap { homes[$0] }).subtracting(Self.shared).subtracting([folder])
                #expect(named.isSubset(of: Self.arrows[folder] ?? []), "\(file.name) names types of \(named)")
            }
        }
    }

    @Test func noArrowComesBack() {
        for folder in Self.arrows.keys {
            var reached: Set<String> = []
            var next = Self.arrows[folder] ?? []
            while let other = next.popFirst() {
                if reached.insert(other).inserted { next.formUnion(Self.arrows[other] ?? []) }
            }
            #expect(!reached.contains(folder), "\(folder) reaches itself")
        }
    }

    /// The diagram on the page shows the same arrows.
    @Test func thePageShowsThem() throws {
        let page = try Repository.text("Documentation/Architecture.md")
        for (folder, others) in Self.arrows where !others.isEmpty && folder != "Logins" {
            let flows = others.subtracting(["Logins", "Providers"]).sorted()
            for other in flows { #expect(page.contains("    \(folder) --> \(other)\n"), "\(folder) --> \(other)") }
        }
    }

    /// Each word that asks about the dialect stands only in these folders.
    ///
    /// Environment creates the services.
    @Test(
        arguments: [
            ("areCopies", ["Logins"]), ("decidesEveryPlay", ["Logins"]), ("LoginKeepingService", ["Logins"]),
            ("keepsLogins", ["Logins", "Providers"]), ("isNeededAtStart", ["Providers", "Start"]),
            ("RESTv2Service", ["Environment"]), ("ClassicXMLService", ["Environment"]),
        ] as [(String, Set<String>)])
    func flowsDoNotAskAboutTheDialect(word: String, homes: Set<String>) throws {
        let users = try Self.folders().filter { folder in folder.value.contains { $0.code.contains(word) } }
        #expect(Set(users.keys) == homes)
    }

    /// A value that several flows read is changed only by the flow that it is about.
    @Test(
        arguments: [
            ("Readiness.Changes", ["EntitlementSession.swift", "Start.swift"]),
            ("record(isLoginUnderWay:", ["Login.swift"]), ("record(isLogoutUnderWay:", ["Logout.swift"]),
            ("record(hasOpenLogoutPage:", ["Login.swift", "LoginSteps.swift", "Logins+Logouts.swift", "Logout.swift"]),
        ])
    func onlyTheseFilesChangeIt(change: String, files: [String]) throws {
        let users = try Repository.files(Self.root).filter { try Repository.code(in: $0).contains(change) }
        #expect(users.map { URL(fileURLWithPath: $0).lastPathComponent }.sorted() == files)
    }

    /// Others can read the state of a flow, and only its own functions write it.
    @Test func noClassHasStateThatOthersCanWrite() throws {
        for file in try Repository.files(Self.root) {
            var isInClass = false
            for line in try Repository.lines(of: file) where !line.isEmpty {
                if !line.hasPrefix(" ") { isInClass = line.hasText("class ") && line.hasText("{") }
                let isVariable = ["    var ", "    weak var ", "    package var ", "    public var "]
                    .contains { line.hasPrefix($0) }
                // A property with a body has no state.
                if isInClass, isVariable { #expect(line.hasText("{"), "\(file): \(line)") }
            }
        }
    }

    /// The flow handles the outcome of a step in the turn in which the step ends.
    @Test(arguments: ["Login/LoginSteps.swift", "Platform/Platform.swift"])
    func aStepReportsNothing(file: String) throws {
        let code = try Repository.code(in: "\(Self.root)/\(file)")
        #expect(code.contains("under ticket: Ticket") && !code.contains("reports"))
    }

    /// The table of verbs in Contributing has one verb for each meaning, and these are others for the same meanings.
    @Test func functionsUseTheVerbsOfTheTable() throws {
        let others = /\bfunc (?:copy|put|persist|memorize|save|set|delete|discard|tell)(?![a-z])/
        for file in try Repository.files(Self.root) {
            let found = try Repository.code(in: file).matches(of: others).map { String($0.output) }
            #expect(found.isEmpty, "\(file): \(found)")
        }
    }

    /// In a function whose isolation is a parameter, a closure that waits runs on that actor only if it names the
    /// parameter.
    ///
    /// Swift 6.3 compiles the data race without a diagnostic. The clock and the code for Apple's systems have no such
    /// parameter.
    @Test func aClosureThatWaits_namesItsActor() throws {
        for file in try Repository.files(Self.root) where !file.hasSuffix("+Apple.swift") {
            let code = try Repository.code(in: file)
            guard code.contains("isolated any Actor") else { continue }
            let waiting = /(?:withTaskCancellationHandler|withTaskGroup|\.withValue)[^\n]*\{[^\n]*\n(.*)/
            for call in code.matches(of: waiting) {
                #expect(call.output.1.contains("_ = actor"), "\(file): \(call.output.0)")
            }
        }
    }
}
