import Foundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox

extension ErrorTextsTests.Table {
    /// Makes the table of the codes of `TVEError`, with the usual recommendation for each.
    ///
    /// Codes are no cases, so this reads the source that declares them, and with it the sentence that a developer
    /// reads about each.
    fileprivate init(codesIn source: String) {
        type = String(reflecting: TVEError.Code.self)
        let lines = source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for (comment, line) in zip(lines, lines.dropFirst()) {
            guard let match = line.firstMatch(of: /static let ([a-zA-Z]+) = Code/) else { continue }
            let name = String(match.output.1)
            let recovery = TVEError(TVEError.Code(rawValue: name)).recovery
            rows.append(ErrorTextsTests.Row(name: name, found: String(comment.dropFirst(4)), advice: "\(recovery)"))
        }
    }
}

/// The tables of further errors that an app or a test of an app receives.
extension ErrorTextsTests {
    static let codes = Table(codesIn: (try? String(contentsOf: source, encoding: .utf8)) ?? "")
    private static let source = root.appending(path: "Modules/TVEModels/Errors/TVEError.swift")

    static let browser = Table(of: PageNotOpened("it did not start"))

    static let address = Table(InvalidServiceProvider.noHost) { error in
        switch error {
        case .noHost: ("noHost", .plainHTTP(host: "sp.example.com"))
        case .plainHTTP: ("plainHTTP", .unknownScheme("ftp"))
        case .unknownScheme: ("unknownScheme", nil)
        }
    }

    static let seed = Table(of: MachineSeed.NotYetKnown())

    static let document = Table(
        of: SandboxWorldDocumentError(problems: ["The document stops being JSON at line 12, column 3."]))
}
