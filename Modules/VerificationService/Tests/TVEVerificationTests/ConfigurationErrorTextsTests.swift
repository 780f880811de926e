import Foundation
import TVEFleetFixture
import TVETokenVerification
import TVEVerification
import Testing

@testable import tve_verifier

/// Every mistake in the configuration of the service, and in a file that it names, is a sentence about what was found
/// and one about what to do.
struct ConfigurationErrorTextsTests {
    private static let introduction = """
        ## The verification service's configuration and files

        A mistake in the configuration follows its file, line and field, as in `verifier.yaml:3: listen: `, or the \
        name of an environment variable. `FILE` and `FOLDER` stand for names and paths.
        """

    static let tables = [
        ErrorTexts("`ConfigurationProblem`: the configuration", level: 3, from: .unreadable, step: configuration),
        ErrorTexts(
            "`FileTrust.Problem`: files that others can read or change", level: 3,
            from: .foreignOwner(path: "FILE"), step: trust),
        ErrorTexts(
            "`TLSFiles.Problem`: certificates and private keys", level: 3,
            from: .unreadable(path: "FILE", limit: 1_000), step: tls),
        ErrorTexts("`CallerKeyFile.Problem`: the keys of callers", level: 3, from: .missing, step: callers),
        ErrorTexts("`KeyDirectory.Problem`: the keys that sign tokens", level: 3, from: .missing, step: keys),
        ErrorTexts("`StartFailure`: the start", level: 3, from: .noConfiguration, step: start),
    ]

    @Test(arguments: tables) func eachSaysWhatWasFound_andWhatToDo(table: ErrorTexts) {
        #expect(table.faults == [])
    }

    @Test func thePage_hasEveryText() throws {
        let content = "\n\(Self.introduction)\n\n" + Self.tables.map(\.markdown).joined(separator: "\n")
        #expect(
            try ErrorTextsPage.has(content, by: "ConfigurationErrorTextsTests"),
            "The page has other texts: run this with TVE_WRITE_ERROR_TEXTS=1.")
    }

    @Test(arguments: ["no entry", "no entry."]) func anErrorOfALibrary_isOneSentence(reason: String) {
        #expect("\(StartFailure.ended(reason))".hasPrefix("The service has failed: no entry. Check"))
    }

    @Test func manyFilesThatArePassedOver_areCounted() {
        let problem = ConfigurationProblem.passedOver((1...12).map { "FILE\($0)" })
        #expect(problem.description.contains("FILE9, FILE10 and 2 more are ignored. "))
    }

    // MARK: - The configuration

    private static func configuration(_ problem: ConfigurationProblem) -> (String, ConfigurationProblem?) {
        switch problem {
        case .unreadable: ("unreadable", .tooLong(limit: 1_000))
        case .tooLong: ("tooLong", .notUTF8)
        case .notUTF8: ("notUTF8", .notYAML)
        case .notYAML: ("notYAML", .tabInIndentation)
        case .tabInIndentation: ("tabInIndentation", .secondDocument)
        case .secondDocument: ("secondDocument", .repeatedFields(["listen"]))
        case .repeatedFields: ("repeatedFields", .empty)
        case .empty: ("empty", .unknownField(known: ["delay", "limit"]))
        case .unknownField: ("unknownField", .notAMap)
        case .notAMap: ("notAMap", .notAList)
        case .notAList: ("notAList", .notText)
        case .notText: ("notText", .unusableText(limit: 1_000))
        case .unusableText: ("unusableText", .notABoolean)
        case .notABoolean: ("notABoolean", .notAWholeNumber(1...1_000))
        case .notAWholeNumber: ("notAWholeNumber", .notSeconds(0...300))
        case .notSeconds: ("notSeconds", .notAWord(known: ["refuse", "accept"]))
        case .notAWord: ("notAWord", .unusable)
        case .unusable: ("unusable", .unreadableFile(path: "FILE"))
        case .unreadableFile: ("unreadableFile", .noFile)
        case .noFile: ("noFile", .untrusted(.changeableByEverybody(path: "FILE")))
        case .untrusted: ("untrusted", .requestorsMissing)

        case .requestorsMissing: ("requestorsMissing", .noRequestor)
        case .noRequestor: ("noRequestor", .idMissing)
        case .idMissing: ("idMissing", .blankInID)
        case .blankInID: ("blankInID", .quotedID)
        case .quotedID: ("quotedID", .repeatedID)
        case .repeatedID: ("repeatedID", .keysMissing)
        case .keysMissing: ("keysMissing", .key(.notAKey(file: "FILE", fault: .certificateRequest)))
        case .key: ("key", .sameKeyName("FILE", files: ["FILE.crt", "FILE.pem"]))
        case .sameKeyName: ("sameKeyName", .notADirectory)
        case .notADirectory: ("notADirectory", .noKeyInDirectory)
        case .noKeyInDirectory: ("noKeyInDirectory", .passedOver(["FILE.jks"]))
        case .passedOver(let files) where files.count == 1:
            ("passedOver, one file", .passedOver(["FILE.bak", "FILE.old"]))
        case .passedOver: ("passedOver", .notAListenAddress)

        case .notAListenAddress: ("notAListenAddress", .callersMissing)
        case .callersMissing: ("callersMissing", .notOneKindOfCallers)
        case .notOneKindOfCallers: ("notOneKindOfCallers", .callersOff)
        case .callersOff: ("callersOff", .callers(.line(2)))
        case .callers: ("callers", .anyoneBeyondLoopback)
        case .anyoneBeyondLoopback: ("anyoneBeyondLoopback", .clientAuthorityMissing)
        case .clientAuthorityMissing: ("clientAuthorityMissing", .keysInPlaintext)
        case .keysInPlaintext: ("keysInPlaintext", .plaintextWithoutKeys)
        case .plaintextWithoutKeys: ("plaintextWithoutKeys", .certificateOrKeyMissing)
        case .certificateOrKeyMissing: ("certificateOrKeyMissing", .tls(.damagedKey(path: "FILE")))
        case .tls: ("tls", .fieldWithRedis("capacity"))

        case .fieldWithRedis: ("fieldWithRedis", .variableWithoutRedis)
        case .variableWithoutRedis: ("variableWithoutRedis", .serversMissing)
        case .serversMissing: ("serversMissing", .notARedisAddress)
        case .notARedisAddress: ("notARedisAddress", .notRedisAddresses)
        case .notRedisAddresses: ("notRedisAddresses", .passwordMissing)
        case .passwordMissing: ("passwordMissing", .noPassword(limit: 1_000))
        case .noPassword: ("noPassword", .noPasswordInVariable(limit: 1_000))
        case .noPasswordInVariable: ("noPasswordInVariable", .unusablePrefix(limit: 64))
        case .unusablePrefix: ("unusablePrefix", .replicaCountMissing)
        case .replicaCountMissing: ("replicaCountMissing", .moreReplicasThanAll(count: 2))
        case .moreReplicasThanAll: ("moreReplicasThanAll", .noMajority(least: 2, count: 3))
        case .noMajority: ("noMajority", .delayBeyondLimit)
        case .delayBeyondLimit: ("delayBeyondLimit", nil)
        }
    }

    // MARK: - Files

    private static func trust(_ problem: FileTrust.Problem) -> (String, FileTrust.Problem?) {
        switch problem {
        case .foreignOwner: ("foreignOwner", .changeableByEverybody(path: "FILE"))
        case .changeableByEverybody: ("changeableByEverybody", .changeableByGroup(path: "FILE"))
        case .changeableByGroup: ("changeableByGroup", .readableByEverybody(path: "FILE"))
        case .readableByEverybody: ("readableByEverybody", .tooManyLinks(path: "FILE"))
        case .tooManyLinks: ("tooManyLinks", nil)
        }
    }

    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    private static func tls(_ problem: TLSFiles.Problem) -> (String, TLSFiles.Problem?) {
        switch problem {
        case .unreadable: ("unreadable", .keyInsteadOfCertificate(path: "FILE"))
        case .keyInsteadOfCertificate: ("keyInsteadOfCertificate", .noCertificate(path: "FILE"))
        case .noCertificate: ("noCertificate", .damagedCertificate(path: "FILE"))
        case .damagedCertificate: ("damagedCertificate", .expiredCertificate(path: "FILE", at: date))
        case .expiredCertificate: ("expiredCertificate", .earlyCertificate(path: "FILE", validFrom: date))
        case .earlyCertificate: ("earlyCertificate", .certificateInsteadOfKey(path: "FILE"))
        case .certificateInsteadOfKey: ("certificateInsteadOfKey", .noKey(path: "FILE"))
        case .noKey: ("noKey", .otherFormat(path: "FILE", .der, isForKey: false))
        case .otherFormat(_, let format, let isForKey): otherFormat(format, isForKey: isForKey)
        case .encryptedKey: ("encryptedKey", .openSSHKey(path: "FILE"))
        case .openSSHKey: ("openSSHKey", .unusableKey(path: "FILE"))
        case .unusableKey: ("unusableKey", .damagedKey(path: "FILE"))
        case .damagedKey: ("damagedKey", .displacedLine(path: "FILE"))
        case .displacedLine: ("displacedLine", .unusableCertificate(path: "FILE"))
        case .unusableCertificate: ("unusableCertificate", .otherPair)
        case .otherPair: ("otherPair", nil)
        }
    }

    private static func otherFormat(_ format: TLSFileFormat, isForKey: Bool) -> (String, TLSFiles.Problem?) {
        let next: TLSFileFormat? =
            switch format {
            case .der: .javaKeyStore
            case .javaKeyStore: .pkcs12
            case .pkcs12: .pkcs7
            // The sentences about this text are the same.
            case .pkcs7: isForKey ? nil : .utf16
            case .utf16: nil
            }
        let name = "otherFormat, \(isForKey ? "key" : "certificate"), \(format)"
        if let next { return (name, .otherFormat(path: "FILE", next, isForKey: isForKey)) }
        return (name, isForKey ? .encryptedKey(path: "FILE") : .otherFormat(path: "FILE", .der, isForKey: true))
    }

    private static func callers(_ problem: CallerKeyFile.Problem) -> (String, CallerKeyFile.Problem?) {
        switch problem {
        case .missing: ("missing", .unreadable)
        case .unreadable: ("unreadable", .untrusted(.readableByEverybody(path: "FILE")))
        case .untrusted: ("untrusted", .tooLong)
        case .tooLong: ("tooLong", .empty)
        case .empty: ("empty", .line(2))
        case .line: ("line", .noRequestor(line: 2))
        case .noRequestor: ("noRequestor", .unknownRequestor(line: 2))
        case .unknownRequestor: ("unknownRequestor", .repeatedKey(line: 2))
        case .repeatedKey: ("repeatedKey", nil)
        }
    }

    private static func keys(_ problem: KeyDirectory.Problem) -> (String, KeyDirectory.Problem?) {
        let trust = FileTrust.Problem.changeableByGroup(path: "FOLDER").description
        return switch problem {
        case .missing: ("missing", .unreadable)
        case .unreadable: ("unreadable", .untrusted(trust))
        case .untrusted: ("untrusted", .untrustedFile("FILE", reason: trust))
        case .untrustedFile: ("untrustedFile", .unreadableFile("FILE"))
        case .unreadableFile: ("unreadableFile", .brokenLink("FILE"))
        case .brokenLink: ("brokenLink", .notAKey(file: "FILE", fault: .certificateRequest))
        case .notAKey: ("notAKey", .tooLong(file: "FILE"))
        case .tooLong: ("tooLong", .sameName("FILE", files: ["FILE.pem"]))
        case .sameName(_, let files) where files.count == 1:
            ("sameName, one file", .sameName("FILE", files: ["FILE.crt", "FILE.pem"]))
        case .sameName: ("sameName", nil)
        }
    }

    // MARK: - The start

    private static func start(_ failure: StartFailure) -> (String, StartFailure?) {
        let address = ListenAddress(host: "192.0.2.1", port: 80)
        return switch failure {
        case .noConfiguration: ("noConfiguration", .unknownHost(address))
        case .unknownHost: ("unknownHost", .addressInUse(address))
        case .addressInUse: ("addressInUse", .foreignAddress(address))
        case .foreignAddress: ("foreignAddress", .portNotAllowed(address))
        case .portNotAllowed: ("portNotAllowed", .cannotListen(address, errno: 24))
        case .cannotListen: ("cannotListen", .ended("the certificate has expired"))
        case .ended: ("ended", nil)
        }
    }
}
