import Foundation
import TVEModels
import Testing

struct TVEErrorTests {
    @Test(arguments: [
        (TVEError.Code.applicationNotRegistered, TVEError.Recovery.fixConfiguration),
        (.accessTokenUnavailable, .fixConfiguration), (.unknownRequestor, .fixConfiguration),
        (.requestorNotConfigured, .fixConfiguration), (.serviceUnreachable, .retry),
        (.connectionNotTrusted, .fixConfiguration), (.serviceFailed, .retry), (.clientTooOld, .updateApplication),
        (.throttled, .retry), (.providerNotSelected, .chooseProvider), (.unknownProvider, .chooseProvider),
        (.authenticationFailed, .logIn), (.deviceMismatch, .logIn), (.notAuthenticated, .logIn),
        (.notAuthorized, TVEError.Recovery.none), (.invalidResource, .fixConfiguration),
        (.authorizationFailed, .retry), (.storageFailed, .checkStorage), (.preauthorizationFailed, .retry),
        (.temporaryAccessExpired, .chooseProvider), (.tooManyResources, .fixConfiguration),
        (.redirectNotRegistered, .fixConfiguration), (.viewerIdentityMissing, .fixConfiguration),
        (.householdNotOffered, .fixConfiguration), (.linkCodeInvalid, TVEError.Recovery.none),
        (.notInHousehold, TVEError.Recovery.none),
        (TVEError.Code(rawValue: "of a later version"), TVEError.Recovery.none),
    ])
    func saysWhatToDo(code: TVEError.Code, recovery: TVEError.Recovery) {
        #expect(TVEError(code).recovery == recovery)
    }

    @Test func equalsByCodeAlone() {
        #expect(TVEError(.notAuthorized, status: .denied, message: "no") == TVEError(.notAuthorized))
        #expect(TVEError(.notAuthorized) != TVEError(.notAuthenticated))
    }

    @Test func describesItselfInOneLine() {
        let error = TVEError(.serviceUnreachable, status: .serviceNotFound, message: "No answer.")
        #expect(error.description == "serviceUnreachable [CFG404] No answer.")
        #expect("\(error.code)" == "serviceUnreachable")
    }

    private struct Cause: Error, CustomStringConvertible {
        let description: String
    }

    @Test(
        arguments: [
            ("No.", "The\ncause.", "serviceFailed No. (The cause.)"), ("No.", "No.", "serviceFailed No."),
            (nil, "No.", "serviceFailed (No.)"), ("No\n.", nil, "serviceFailed No ."), (nil, "", "serviceFailed"),
        ] as [(String?, String?, String)])
    func describesItsCause_unlessThatIsItsMessage(message: String?, cause: String?, text: String) {
        let error = TVEError(.serviceFailed, message: message, underlying: cause.map { Cause(description: $0) })
        #expect("\(error)" == text)
    }

    /// A cause may have a sentence of its own, and advice of its own.
    @Test(
        arguments: [
            (.notAuthorized, .parentalControls, "Parental controls do not allow this.", nil),
            (.temporaryAccessExpired, .offerUsedUp, "You have used up this offer.", "Choose your TV provider."),
            (.authorizationFailed, .network, "The TV provider service cannot be reached.", connection),
            (.authenticationFailed, .clockOrNetwork, "The login did not succeed.", connection),
        ] as [(TVEError.Code, TVEError.ViewerCause, String, String?)])
    func tellsTheViewer_theCause(code: TVEError.Code, cause: TVEError.ViewerCause, text: String, advice: String?) {
        var error = TVEError(code)
        error.viewerCause = cause
        #expect(error.localizedDescription == text && error.recoverySuggestion == advice)
        #expect(error.isAboutConnection == (advice == Self.connection))
    }

    private static let connection = "Check the date and time of this device and your network, then try again."

    @Test(arguments: [
        ("Add it for 5 a month.", "Add it for 5 a month."),
        (nil, "Your TV provider does not allow you to watch this."),
        ("", "Your TV provider does not allow you to watch this."),
        (" \n", "Your TV provider does not allow you to watch this."),
        ("\u{A0}", "Your TV provider does not allow you to watch this."),
        ("<b>No</b>", "Your TV provider does not allow you to watch this."),
    ])
    func tellsTheViewer_theProvidersWordsOrASentence(words: String?, text: String) {
        let error = TVEError(.notAuthorized, message: "for a developer", providerMessage: words)
        #expect(error.localizedDescription == text)
        #expect(error.recoverySuggestion == nil)
        #expect(!error.description.contains(text))
    }

    @Test func tellsTheViewer_whyAndWhatToDo() {
        func texts(_ error: TVEError) -> [String?] { [error.localizedDescription, error.recoverySuggestion] }
        #expect(
            texts(TVEError(.serviceFailed, message: "The service answered HTTP 503."))
                == ["The TV provider service is not working at the moment.", "Try again later."])
        #expect(
            texts(TVEError(.notAuthorized, status: .providerUnreachable, recovery: .retry))
                == ["Your TV provider cannot be reached at the moment.", "Try again later."])
        #expect(
            texts(TVEError(.notAuthorized, status: .deniedByDegradation))
                == ["Your TV provider is having technical problems at the moment.", nil])
        #expect(
            texts(TVEError(.notAuthorized, recovery: .chooseProvider))
                == ["Your temporary access has ended.", "Choose your TV provider."])
        #expect(
            texts(TVEError(.connectionNotTrusted))
                == [
                    "The connection to the TV provider service is not secure.",
                    "Check the date and time of this device and your network, then try again.",
                ])
        #expect(texts(TVEError(.init(rawValue: "of a later version"))) == ["Something went wrong.", nil])
        #expect(
            texts(TVEError(.notInHousehold))
                == ["This device does not share a login. Enter a code from another device to share one.", nil])
        #expect("\(TVEError.Recovery.retry)" == "Try the same call again later.")
        let none = "\(TVEError.Recovery.none)"
        #expect(none == "The same call fails again; show the viewer the `localizedDescription`.")
    }

    /// The catalog for translators contains every sentence, and every code has a sentence of its own.
    @Test func everySentence_isInTheCatalog() throws {
        struct Catalog: Decodable {
            struct Entry: Decodable { let localizations: [String: [String: Unit]] }
            struct Unit: Decodable { let value: String }
            let sourceLanguage: String
            let strings: [String: Entry]
        }
        let data = try Data(contentsOf: Self.root.appendingPathComponent("Documentation/TVEErrors.xcstrings"))
        let catalog = try JSONDecoder().decode(Catalog.self, from: data)
        #expect(catalog.strings.count == ViewerSentence.all.count && catalog.sourceLanguage == "en")
        for sentence in ViewerSentence.all {
            let entry = catalog.strings[sentence.key]?.localizations["en"]?["stringUnit"]
            #expect(entry?.value == sentence.english, "\(sentence.key)")
        }
        let source = try String(
            contentsOf: Self.root.appendingPathComponent("Modules/TVEModels/Errors/TVEError.swift"), encoding: .utf8)
        let codes = source.matches(of: /static let ([a-zA-Z]+) = Code/).map { String($0.output.1) }
        #expect(codes.count >= 22)
        for code in codes { #expect(TVEError(.init(rawValue: code)).viewerSentence.key == code) }
    }

    /// An app's translation is found in its bundle, which is here a folder with a table.
    @Test func aSentence_isTranslated_whereTheAppHasATable() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(#""notAuthenticated" = "Bitte melden Sie sich an.";"#.utf8)
            .write(to: folder.appendingPathComponent("TVEErrors.strings"))
        let bundle = try #require(Bundle(path: folder.path))
        #expect(TVEError(.notAuthenticated).viewerSentence.localized(in: bundle) == "Bitte melden Sie sich an.")
        #expect(
            TVEError(.throttled).viewerSentence.localized(in: bundle)
                == "There were too many requests from this device.")
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every code of the specification has the level that its row states.
    @Test func everyCode_hasTheDocumentedLevel() throws {
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("Documentation/Specification/StatusCodes.md"), encoding: .utf8)
        var count = 0
        for line in page.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3 else { continue }
            guard let level = StatusCode.Level(rawValue: cells[1]) else { continue }
            let name = cells[0].filter { $0.isLetter || $0.isNumber }.replacingOccurrences(of: "CFG5xx", with: "CFG503")
            #expect(StatusCode(rawValue: name).level == level, "\(name)")
            count += 1
        }
        #expect(count >= 35)
    }

    @Test(arguments: [(500, "CFG500"), (503, "CFG503"), (599, "CFG599"), (600, "CFG500"), (499, "CFG500")])
    func namesTheServersStatus_whenItIsA5xx(status: Int, code: String) {
        #expect(StatusCode.serviceFailedAtStart(status).rawValue == code)
    }
}
