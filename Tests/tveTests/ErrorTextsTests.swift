import Foundation
import TVEConformance
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETestTraits
import TVETokenCodec
import TVETokenVerification
import TVETracking
import Testing

/// Every public error and every fault of `tve` is a sentence about what was found and one about what to do.
///
/// One page lists them all.
struct ErrorTextsTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let page = root.appending(path: "Documentation/ErrorTexts.md")
    private static let writes = ProcessInfo.processInfo.environment["TVE_WRITE_ERROR_TEXTS"] != nil

    /// The text of one case.
    struct Row: Sendable {
        let name: String
        let found: String
        let advice: String

        init(name: String, found: String, advice: String) {
            self.name = name
            self.found = found
            self.advice = advice
        }

        /// Divides a text, whose last sentence, or the last two, are about what to do.
        init(name: String, text: String) {
            let sentences = text.split(separator: ". ", maxSplits: 1).map(String.init)
            self.name = name
            found = sentences.count > 1 ? "\(sentences[0])." : text
            advice = sentences.dropFirst().joined()
        }

        var text: String { advice.isEmpty ? found : "\(found) \(advice)" }
    }

    /// The errors of one type, each with the name of its case.
    struct Table: Sendable, CustomTestStringConvertible {
        let type: String
        var rows: [Row] = []

        var testDescription: String { type }

        /// Makes the table of an enumeration.
        ///
        /// - Parameters:
        ///   - first: the first case.
        ///   - step: returns the name of a case, and the next case. It has no `default`, so that it does not compile
        ///     where a case is missing.
        init<E: Error>(_ first: E, step: (E) -> (String, E?)) {
            type = String(reflecting: E.self)
            rows = Self.rows(from: first, text: { "\($0)" }, step: step)
        }

        /// Makes the table of the texts that something else has for the cases of an enumeration.
        init<E>(of type: String, from first: E, text: (E) -> String, step: (E) -> (String, E?)) {
            self.type = type
            rows = Self.rows(from: first, text: text, step: step)
        }

        private static func rows<E>(from first: E, text: (E) -> String, step: (E) -> (String, E?)) -> [Row] {
            var rows: [Row] = []
            var error: E? = first
            while let current = error {
                let (name, next) = step(current)
                rows.append(Row(name: name, text: text(current)))
                error = next
            }
            return rows
        }

        /// Makes the table of the reasons for which software statements are refused before anything is sent.
        init(ofStatements statements: KeyValuePairs<String, String>) {
            type = String(reflecting: SoftwareStatement.self)
            rows = statements.map { Row(name: $0.key, text: SoftwareStatement($0.value).fault ?? "") }
        }

        /// Makes the table of an error without cases.
        init<E: Error>(of error: E) {
            type = String(reflecting: E.self)
            rows = [Row(name: "", text: "\(error)")]
        }

        var markdown: String {
            // An error without cases has no column for them.
            let hasCases = rows.contains { !$0.name.isEmpty }
            let heads = hasCases ? ["| case ", "|---"] : ["", ""]
            var lines = ["## `\(type)`", "", "\(heads[0])| what was found | what to do |", "\(heads[1])|---|---|"]
            for row in rows {
                let name = hasCases ? "| `\(row.name)` " : ""
                // A command is code, and no word of a sentence.
                let command = /(openssl|keytool|ssh-keygen|git lfs) [^(),]+[^(),. ]/
                let advice = row.advice.replacing(command) { "`\($0.0)`" }
                lines.append("\(name)| \(row.found) | \(advice) |")
            }
            return lines.joined(separator: "\n") + "\n"
        }
    }

    static let tables: [Table] = [
        codes, browser, address, seed,
        networking, statement, household, transport, storage, codec, envelope, key, verification, metadata, full, json,
        sign, login, tracking, archive, world, document, folder, sandbox, arguments, files, sessions, households,
        services, findings, stores, checks,
        verdicts, judgements, demos, output,
    ]

    @Test(arguments: tables)
    func saysWhatWasFound_andWhatToDo(table: Table) {
        #expect(!table.rows.isEmpty)
        for row in table.rows {
            #expect(row.text.hasSuffix("."), "\(row.name): \(row.text)")
            #expect(!row.advice.isEmpty, "\(row.name) does not say what to do: \(row.text)")
            #expect(!row.text.contains(".."), "\(row.name): \(row.text)")
            #expect(row.text.first?.isLowercase == false, "\(row.name): \(row.text)")
        }
        #expect(Set(table.rows.map(\.name)).count == table.rows.count)
        #expect(Set(table.rows.map(\.text)).count == table.rows.count, "Two errors of \(table.type) read alike.")
    }

    @Test func thePage_hasEveryText() throws {
        let marker = "<!-- The tables are written by ErrorTextsTests with TVE_WRITE_ERROR_TEXTS=1. -->\n"
        let present = try String(contentsOf: Self.page, encoding: .utf8)
        let head = present.components(separatedBy: marker)[0]
        // The verification service is a package of its own, whose tests write the rest of the page.
        let rest = try #require(present.range(of: "\n<!-- The table is written by RedisErrorTextsTests"))
        let wanted =
            head + marker + "\n" + Self.tables.map(\.markdown).joined(separator: "\n") + present[rest.lowerBound...]
        if Self.writes { try wanted.write(to: Self.page, atomically: true, encoding: .utf8) }
        #expect(Self.writes || present == wanted, "The page has other texts: run this with TVE_WRITE_ERROR_TEXTS=1.")
    }

    // MARK: - The client's errors

    private static let transport = Table(TransportError.unreachable, step: transportStep)

    /// Returns the name of a case, and the next case.
    static func transportStep(_ error: TransportError) -> (String, TransportError?) {
        switch error {
        case .unreachable: ("unreachable", .unknownHost)
        case .unknownHost: ("unknownHost", .proxyFailed)
        case .proxyFailed: ("proxyFailed", .timedOut)
        case .timedOut: ("timedOut", .notTrusted)
        case .notTrusted: ("notTrusted", .certificateNotTrusted(.unknownAuthority))
        case .certificateNotTrusted(.unknownAuthority):
            ("certificateNotTrusted(.unknownAuthority)", .certificateNotTrusted(.wrongName))
        case .certificateNotTrusted(.wrongName):
            ("certificateNotTrusted(.wrongName)", .certificateNotTrusted(.expired))
        case .certificateNotTrusted(.expired):
            ("certificateNotTrusted(.expired)", .certificateNotTrusted(.notYetValid))
        case .certificateNotTrusted(.notYetValid):
            ("certificateNotTrusted(.notYetValid)", .answerTooLarge(limit: 1_000))
        case .answerTooLarge: ("answerTooLarge", .invalid)
        case .invalid: ("invalid", .cancelled)
        case .cancelled: ("cancelled", .other(code: 5))
        case .other: ("other", nil)
        }
    }

    private static let networking = Table(ServiceError.transport(.timedOut)) { error in
        switch error {
        case .transport: ("transport", .status(500))
        case .status(404): ("status, 404", .webPage(status: 200, type: "text/html"))
        case .status: ("status", .status(404))
        case .webPage(status: 200, _): ("webPage", .webPage(status: 403, type: "text/html"))
        case .webPage: ("webPage, 403", .unreadable(.empty))
        case .unreadable: ("unreadable", .unreadableJSON)
        case .unreadableJSON: ("unreadableJSON", .registrationRefused("invalid_client"))
        case .registrationRefused: ("registrationRefused", .accessTokenRefused("invalid_client"))
        case .accessTokenRefused: ("accessTokenRefused", .registrationCodeRefused(status: 400))
        case .registrationCodeRefused:
            ("registrationCodeRefused", .loginParametersMissing(["provider"]))
        case .loginParametersMissing: ("loginParametersMissing", .notLoggedIn)
        case .notLoggedIn: ("notLoggedIn", .denied(AuthorizationDenial(code: "denied")))
        case .denied: ("denied", .pendingLogout(PendingLogout()))
        case .pendingLogout: ("pendingLogout", .loginNotProven)
        case .loginNotProven: ("loginNotProven", .viewerIdentityMissing(EnhancedError()))
        case .viewerIdentityMissing:
            ("viewerIdentityMissing", .refused(EnhancedError(code: "too_many_requests", action: "retry")))
        case .refused: ("refused", .unusableStatement(reason: SoftwareStatement("").fault ?? ""))
        case .unusableStatement: ("unusableStatement", .cannotKeepRegistration(reason: "\(StorageError.notAFile)"))
        case .cannotKeepRegistration: ("cannotKeepRegistration", nil)
        }
    }

    private static let statement = Table(ofStatements: [
        "empty": " \n", "JSON": "{\"software_statement\":\"a.b.c\"}",
        "JSONOfSandbox": "{\"softwareStatement\":\"a.b.c\"}", "quoted": "\"a.b.c\"", "divided": "a.b\n.c",
        "markup": "<html>", "scheme": "Bearer a.b.c", "header": "Authorization: Bearer a.b.c",
        "PEM": "-----BEGIN PUBLIC KEY-----", "comment": "# staging\na.b.c", "variable": "STATEMENT=a.b.c",
        "field": "statement: a.b.c", "variables": "REQUESTOR=DEMO\nSTATEMENT=a.b.c", "unsigned": "a.b",
        "placeholder": "STATEMENT", "reference": "${STATEMENT}", "encoded": "ZXlKYi5lLmM=", "emptyPart": "a.b.c.",
        "otherCharacters": "a.b.§",
    ])

    private static let household = Table(HouseholdError.notOffered) { error in
        switch error {
        case .notOffered: ("notOffered", .codeUnknown)
        case .codeUnknown: ("codeUnknown", .codeEnded)
        case .codeEnded: ("codeEnded", .tokenEnded)
        case .tokenEnded: ("tokenEnded", .tokenRefused)
        case .tokenRefused: ("tokenRefused", .throttled)
        case .throttled: ("throttled", .service(.transport(.timedOut)))
        case .service: ("service", nil)
        }
    }

    private static let storage = Table(StorageError.cannotRead(errno: 5), step: storageStep)

    /// Returns the name of a case, and the next case.
    static func storageStep(_ error: StorageError) -> (String, StorageError?) {
        switch error {
        case .cannotRead: ("cannotRead", .cannotWrite(errno: 28))
        case .cannotWrite: ("cannotWrite", .locked)
        case .locked: ("locked", .tooLarge(limit: 1_000))
        case .tooLarge: ("tooLarge", .notAFile)
        case .notAFile: ("notAFile", .permissionsTooOpen)
        case .permissionsTooOpen: ("permissionsTooOpen", .foreignOwner)
        case .foreignOwner: ("foreignOwner", .damaged(.truncated))
        case .damaged(.truncated): ("damaged(.truncated)", .damaged(.checksum))
        case .damaged(.checksum): ("damaged(.checksum)", .unknownLayout)
        case .unknownLayout: ("unknownLayout", .invalidKey)
        case .invalidKey: ("invalidKey", .keyMissing)
        case .keyMissing: ("keyMissing", .invalidValue(StorageKey("entry")))
        case .invalidValue: ("invalidValue", nil)
        }
    }

    private static let sign = Table(PlatformSignOnError.accessNotGranted) { error in
        switch error {
        case .accessNotGranted: ("accessNotGranted", .unsupportedProvider(id: nil))
        case .unsupportedProvider: ("unsupportedProvider", .cancelled)
        case .cancelled: ("cancelled", .notSignedIn)
        case .notSignedIn: ("notSignedIn", .notOffered)
        case .notOffered: ("notOffered", .failed("error 1"))
        case .failed: ("failed", nil)
        }
    }

    private static let login = Table(LoginProblem.missing) { error in
        switch error {
        case .missing: ("missing", .expired)
        case .expired: ("expired", nil)
        }
    }

    private static let tracking = Table(of: TrackingFileError(errorNumber: 2))

    // MARK: - Tokens and documents

    private static let codec = Table(TokenCodecError.empty) { error in
        switch error {
        case .empty: ("empty", .tooLarge(limit: 1_000))
        case .tooLarge: ("tooLarge", .invalidUTF8(offset: 3))
        case .invalidUTF8: ("invalidUTF8", .nulByte(offset: 3))
        case .nulByte: ("nulByte", .tooDeep(limit: 32))
        case .tooDeep: ("tooDeep", .tooManyElements(limit: 100))
        case .tooManyElements: ("tooManyElements", .tooManyAttributes(limit: 10))
        case .tooManyAttributes: ("tooManyAttributes", .documentTypeForbidden)
        case .documentTypeForbidden: ("documentTypeForbidden", .markupForbidden)
        case .markupForbidden: ("markupForbidden", .malformedXML(code: 76, line: 1))
        case .malformedXML: ("malformedXML", .unexpectedRoot(expected: "expires"))
        case .unexpectedRoot: ("unexpectedRoot", .missingElement("expires"))
        case .missingElement: ("missingElement", .duplicateElement("expires"))
        case .duplicateElement: ("duplicateElement", .unexpectedContent("expires"))
        case .unexpectedContent: ("unexpectedContent", .invalidDate("expires"))
        case .invalidDate: ("invalidDate", .invalidNumber("expires"))
        case .invalidNumber: ("invalidNumber", nil)
        case .envelope: ("envelope", nil)
        }
    }

    private static let envelope = Table(TokenCodecError.envelope(.missing)) { error in
        guard case .envelope(let fault) = error else { return ("", nil) }
        let (name, next): (String, TokenCodecError.EnvelopeFault?) =
            switch fault {
            case .missing: ("missing", .unterminated)
            case .unterminated: ("unterminated", .emptySignature)
            case .emptySignature: ("emptySignature", .signatureNotBase64)
            case .signatureNotBase64: ("signatureNotBase64", .emptyBody)
            case .emptyBody: ("emptyBody", .strayBytes)
            case .strayBytes: ("strayBytes", .secondBody)
            case .secondBody: ("secondBody", .wrappingNotBase64)
            case .wrappingNotBase64: ("wrappingNotBase64", .wrappedTwice)
            case .wrappedTwice: ("wrappedTwice", .plusIsSpace)
            case .plusIsSpace: ("plusIsSpace", .percentEscaped)
            case .percentEscaped: ("percentEscaped", .htmlEscaped)
            case .htmlEscaped: ("htmlEscaped", .quoted)
            case .quoted: ("quoted", .json)
            case .json: ("json", .bearer)
            case .bearer: ("bearer", .textBefore)
            case .textBefore: ("textBefore", .jsonWebToken)
            case .jsonWebToken: ("jsonWebToken", nil)
            }
        return ("envelope(.\(name))", next.map { .envelope($0) })
    }

    private static let key = Table(TokenKeyFault.empty) { error in
        switch error {
        case .empty: ("empty", .damaged)
        case .damaged: ("damaged", .javaKeyStore)
        case .javaKeyStore: ("javaKeyStore", .pkcs12)
        case .pkcs12: ("pkcs12", .pkcs7)
        case .pkcs7: ("pkcs7", .privateKey)
        case .privateKey: ("privateKey", .privateJSONWebKey)
        case .privateJSONWebKey: ("privateJSONWebKey", .privateXMLKey)
        case .privateXMLKey: ("privateXMLKey", .openSSHPrivateKey)
        case .openSSHPrivateKey: ("openSSHPrivateKey", .pgpPrivateKey)
        case .pgpPrivateKey: ("pgpPrivateKey", .certificateRequest)
        case .certificateRequest: ("certificateRequest", .otherAlgorithm)
        case .otherAlgorithm: ("otherAlgorithm", .keyForPSS)
        case .keyForPSS: ("keyForPSS", .shortKey(bits: 1_024, least: 2_048))
        case .shortKey: ("shortKey", .longKey(bits: 16_384, most: 8_192))
        case .longKey: ("longKey", .severalKeys(count: 2))
        case .severalKeys: ("severalKeys", .jsonWebKey)
        case .jsonWebKey: ("jsonWebKey", .xmlKey)
        case .xmlKey: ("xmlKey", .webPage)
        case .webPage: ("webPage", .foreignFormat)
        case .foreignFormat: ("foreignFormat", .gitLFSPointer)
        case .gitLFSPointer: ("gitLFSPointer", .utf16)
        case .utf16: ("utf16", .unknown)
        case .unknown: ("unknown", nil)
        }
    }

    private static let verification = Table(TokenVerificationError.invalidKey) { error in
        switch error {
        case .invalidKey: ("invalidKey", .noKey)
        case .noKey: ("noKey", nil)
        }
    }

    private static let metadata = Table(MetadataDecryptionError.notAKey) { error in
        switch error {
        case .notAKey: ("notAKey", .encryptedKey)
        case .encryptedKey: ("encryptedKey", .shortKey(bits: 1_024))
        case .shortKey: ("shortKey", .notEncrypted)
        case .notEncrypted: ("notEncrypted", .cannotBeOpened)
        case .cannotBeOpened: ("cannotBeOpened", nil)
        }
    }

    private static var full: Table {
        let uses = MemoryMediaTokenUses(capacity: 1, began: .distantPast)
        let end = Date(timeIntervalSinceNow: 900)
        do {
            for number: UInt8 in 1...2 {
                let digest = Data(repeating: number, count: 32)
                let use = MediaTokenUse(digest: digest, expires: end, issued: Date(timeIntervalSinceNow: -5))
                _ = try uses.spend(use, at: Date())
            }
        } catch {
            return Table(of: error)
        }
        return Table(of: LoginProblem.missing)
    }

    private static let json = Table(UntrustedJSONError.tooLarge(limit: 1_000)) { error in
        switch error {
        case .tooLarge: ("tooLarge", .tooDeep(limit: 32))
        case .tooDeep: ("tooDeep", .nameTooLong(limit: 100))
        case .nameTooLong: ("nameTooLong", .malformed)
        case .malformed: ("malformed", .unreadable(LoginProblem.missing))
        case .unreadable: ("unreadable", nil)
        }
    }

    private static let archive = Table(HTTPArchiveError.empty) { error in
        switch error {
        case .empty: ("empty", .compressed)
        case .compressed: ("compressed", .utf16)
        case .utf16: ("utf16", .notAnArchive)
        case .notAnArchive: ("notAnArchive", .cut)
        case .cut: ("cut", .tooManyEntries(1_000))
        case .tooManyEntries: ("tooManyEntries", nil)
        }
    }

    // MARK: - The sandbox's errors

    private static let world = Table(SandboxWorldError.badID("demo-cable")) { error in
        switch error {
        case .badID: ("badID", .unknownProvider("demo-cable", requestor: "DEMO"))
        case .unknownProvider: ("unknownProvider", .outOfRange("lifetime"))
        case .outOfRange: ("outOfRange", nil)
        }
    }

    private static let folder = Table(SandboxFolderError.notADirectory("FOLDER")) { error in
        switch error {
        case .notADirectory: ("notADirectory", .notPrivate("FOLDER"))
        case .notPrivate: ("notPrivate", .inUse("FOLDER"))
        case .inUse: ("inUse", .system("FOLDER", errno: 28))
        case .system: ("system", .foreign("FOLDER"))
        case .foreign: ("foreign", .newer("FOLDER"))
        case .newer: ("newer", .damaged("FOLDER"))
        case .damaged: ("damaged", .otherKey("FOLDER"))
        case .otherKey: ("otherKey", nil)
        }
    }

    private static let sandbox = Table(SandboxError.invalidHost("name")) { error in
        switch error {
        case .invalidHost: ("invalidHost", .cannotListen(host: "127.0.0.1", port: 80, errno: 13))
        case .cannotListen: ("cannotListen", nil)
        }
    }
}
