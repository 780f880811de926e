import Foundation
import TVEConformance
import TVEModels
import TVENetworking
import TVESandbox
import TVEStorage
import TVETokenVerification

@testable import tve

extension ErrorTextsTests.Table {
    /// Makes the table of an enumeration of faults of `tve`.
    ///
    /// - Parameters:
    ///   - first: the first case.
    ///   - step: returns the name of a case, and the next case. It has no `default`, so that it does not compile
    ///     where a case is missing.
    fileprivate init<Fault: ToolFault>(faults first: Fault, step: (Fault) -> (String, Fault?)) {
        type = String(reflecting: Fault.self)
        var fault: Fault? = first
        while let current = fault {
            let (name, next) = step(current)
            let (found, advice) = current.sentences
            rows.append(ErrorTextsTests.Row(name: name, found: found, advice: advice))
            fault = next
        }
    }
}

/// The tables of the texts that `tve` itself prints.
extension ErrorTextsTests {
    static let arguments = Table(faults: ArgumentFault.notTogether("--host", "--listen")) { fault in
        switch fault {
        case .notTogether:
            ("notTogether", .sameFile(output: "--report", input: "--expect"))
        case .sameFile: ("sameFile", .unknownCommand("tve logins", nearest: "tve login", help: "tve help"))
        case .unknownCommand: ("unknownCommand", .severalWays)
        case .severalWays: ("severalWays", .keyOfState)
        case .keyOfState: ("keyOfState", .notAURL("PAGE"))
        case .notAURL: ("notAURL", .notAPage("PAGE"))
        case .notAPage: ("notAPage", .notAService("ADDRESS", .noHost))
        case .notAService(_, .noHost): ("notAService(.noHost)", .notAService("ADDRESS", .unknownScheme("ftp")))
        // `tve` accepts plain http to every host, so nobody sees the other text.
        case .notAService(_, .unknownScheme), .notAService(_, .plainHTTP):
            ("notAService(.unknownScheme)", .noSuchPort(99_999))
        case .noSuchPort: ("noSuchPort", .noService)
        case .noService: ("noService", .unknownDialect("v3"))
        case .unknownDialect: ("unknownDialect", .quotedID("\"DEMO\""))
        case .quotedID: ("quotedID", .lineEndAtResource)
        case .lineEndAtResource: ("lineEndAtResource", .emptyRequestor)
        case .emptyRequestor: ("emptyRequestor", .emptyDirectory)
        case .emptyDirectory: ("emptyDirectory", .notSeconds)
        case .notSeconds: ("notSeconds", .notANumberOfSeconds)
        case .notANumberOfSeconds: ("notANumberOfSeconds", .notAPort)
        case .notAPort: ("notAPort", .emptyFact)
        case .emptyFact: ("emptyFact", .outOfRange(option: "--timeout", seconds: 1...3_600))
        case .outOfRange: ("outOfRange", .notATimeLimit("soon", seconds: 1...3_600))
        case .notATimeLimit: ("notATimeLimit", .noPassword)
        case .noPassword: ("noPassword", .dataWithoutName)
        case .dataWithoutName: ("dataWithoutName", .unknownStep("pause"))
        case .unknownStep: ("unknownStep", .noCode)
        case .noCode: ("noCode", .emptyCode)
        case .emptyCode: ("emptyCode", .emptyAccount)
        case .emptyAccount: ("emptyAccount", .unsealedHasNoKey)
        case .unsealedHasNoKey: ("unsealedHasNoKey", .secretInError)
        case .secretInError: ("secretInError", nil)
        }
    }

    static let files = Table(faults: FileFault.cannotRead("FILE", reason: systemText(2))) { fault in
        switch fault {
        case .cannotRead: ("cannotRead", .secretAsName)
        case .secretAsName: ("secretAsName", .nameAsStatement("FILE"))
        case .nameAsStatement: ("nameAsStatement", .lineBreakInName)
        case .lineBreakInName: ("lineBreakInName", .emptyName)
        case .emptyName: ("emptyName", .needlessSign("@FILE"))
        case .needlessSign: ("needlessSign", .tildeInName("~/FILE"))
        case .tildeInName: ("tildeInName", .cannotReadInput(reason: systemText(9)))
        case .cannotReadInput: ("cannotReadInput", .exists("FILE"))
        case .exists: ("exists", .cannotWrite("FILE", reason: systemText(28)))
        case .cannotWrite: ("cannotWrite", .ofAnotherUser("FILE"))
        case .ofAnotherUser: ("ofAnotherUser", .cannotUse(nil, reason: systemText(13)))
        case .cannotUse:
            ("cannotUse", .noTrace(FileFault.cannotWrite("FILE", reason: systemText(28)).description))
        case .noTrace: ("noTrace", .notAPage("FILE"))
        case .notAPage: ("notAPage", .notText("FILE"))
        case .notText: ("notText", .notUTF8("FILE"))
        case .notUTF8: ("notUTF8", .tooLongForToken("FILE"))
        case .tooLongForToken: ("tooLongForToken", .tooLongForStatement("FILE"))
        case .tooLongForStatement: ("tooLongForStatement", .notAKey("FILE", .damaged))
        case .notAKey: ("notAKey", .shortKey("FILE", .shortKey(bits: 1_024, least: 2_048)))
        case .shortKey: ("shortKey", .noSigningKey("FILE", .absent))
        case .noSigningKey(_, .absent): ("noSigningKey(.absent)", .noSigningKey("FILE", .publicKey))
        case .noSigningKey(_, .publicKey): ("noSigningKey(.publicKey)", .noSigningKey("FILE", .encrypted))
        case .noSigningKey(_, .encrypted): ("noSigningKey(.encrypted)", .noSigningKey("FILE", .several(count: 2)))
        case .noSigningKey(_, .several): ("noSigningKey(.several)", .noSigningKey("FILE", .other(.pkcs12)))
        case .noSigningKey(_, .other(.pkcs12)):
            ("noSigningKey(.pkcs12)", .noSigningKey("FILE", .other(.openSSHPrivateKey)))
        case .noSigningKey(_, .other(.openSSHPrivateKey)):
            ("noSigningKey(.openSSHPrivateKey)", .noSigningKey("FILE", .other(.otherAlgorithm)))
        case .noSigningKey(_, .other):
            (
                "noSigningKey(.other)",
                .notAWorld("FILE", SandboxWorldDocumentError(problems: ["requestors is missing."]))
            )
        case .notAWorld: ("notAWorld", .stateNotKept("\(SandboxFolderError.system("FOLDER", errno: 28))"))
        case .stateNotKept: ("stateNotKept", .tooLong("FILE"))
        case .tooLong: ("tooLong", .notARecording("FILE", .compressed))
        case .notARecording: ("notARecording", .exportInUTF16("FILE"))
        case .exportInUTF16: ("exportInUTF16", .notAnEntry(line: 2))
        case .notAnEntry: ("notAnEntry", .noEntry("a/b"))
        case .noEntry: ("noEntry", .noStore("FOLDER"))
        case .noStore: ("noStore", .noSealingKey("FILE"))
        case .noSealingKey: ("noSealingKey", .statisticsUnreadable(reason: "they are damaged, or of another version"))
        case .statisticsUnreadable: ("statisticsUnreadable", .statisticsNotDeleted(reason: systemText(13)))
        case .statisticsNotDeleted: ("statisticsNotDeleted", .statisticsInUse)
        case .statisticsInUse: ("statisticsInUse", nil)
        }
    }

    private static let known = "The requestor works with: demo-cable, other-cable."

    static let sessions = Table(faults: SessionFault.unknownRequestor("NOPE")) { fault in
        switch fault {
        case .unknownRequestor: ("unknownRequestor", .notLoggedIn)
        case .notLoggedIn: ("notLoggedIn", .refusedForNow)
        case .refusedForNow: ("refusedForNow", .refusedForGood)
        case .refusedForGood: ("refusedForGood", .noViewerIdentity)
        case .noViewerIdentity: ("noViewerIdentity", .unknownProvider("nope", known: known))
        case .unknownProvider: ("unknownProvider", .severalProviders(known: known))
        case .severalProviders: ("severalProviders", .noProviderChosen)
        case .noProviderChosen: ("noProviderChosen", .notANumber("7", count: 2))
        case .notANumber: ("notANumber", .otherProvider("other-cable", wanted: "demo-cable"))
        case .otherProvider: ("otherProvider", .noPasswordTyped)
        case .noPasswordTyped: ("noPasswordTyped", .pageShownAgain(words: "The password is not correct."))
        case .pageShownAgain: ("pageShownAgain", .noLoginPage(status: 404))
        case .noLoginPage: ("noLoginPage", .browserFailed)
        case .browserFailed: ("browserFailed", .noPort)
        case .noPort: ("noPort", .noValue("zip"))
        case .noValue: ("noValue", .valueNotAsked("zip", outage: outage))
        case .valueNotAsked: ("valueNotAsked", .loginNotAsked(outage: outage))
        case .loginNotAsked: ("loginNotAsked", nil)
        }
    }

    private static let outage = "ADDRESS answers with HTTP 503."

    static let households = Table(faults: HouseholdFault.classicServices) { fault in
        switch fault {
        case .classicServices: ("classicServices", .notOffered("DEMO"))
        case .notOffered: ("notOffered", .codeUnknown)
        case .codeUnknown: ("codeUnknown", .codeEnded)
        case .codeEnded: ("codeEnded", .throttled)
        case .throttled: ("throttled", .noMember)
        case .noMember: ("noMember", .membershipEnded)
        case .membershipEnded: ("membershipEnded", .unlinked)
        case .unlinked: ("unlinked", .joinedWithoutLogin(outage))
        case .joinedWithoutLogin: ("joinedWithoutLogin", .thisDevice("ID"))
        case .thisDevice: ("thisDevice", .stillMember("ID"))
        case .stillMember: ("stillMember", .unknownDevice("ID"))
        case .unknownDevice: ("unknownDevice", .notUnlinked("ID"))
        case .notUnlinked: ("notUnlinked", nil)
        }
    }

    static let services = Table(
        faults: ServiceFault.noAnswer("ADDRESS", .unreachable, hint: nil), step: serviceStep)

    private static func serviceStep(_ fault: ServiceFault) -> (String, ServiceFault?) {
        let base = "ADDRESS"
        let plain = ServiceHint.sandboxSpeaksHTTP("http://127.0.0.1:8080")
        switch fault {
        case .noAnswer(_, let error, hint: nil):
            let (name, next) = transportStep(error)
            guard let next else { return ("noAnswer(.\(name))", .noAnswer(base, .unreachable, hint: plain)) }
            return ("noAnswer(.\(name))", .noAnswer(base, next, hint: nil))
        case .noAnswer(_, _, hint: .sandboxSpeaksHTTP?):
            return ("noAnswer, sandboxSpeaksHTTP", .noAnswer(base, .unreachable, hint: .nothingListens(port: 8080)))
        case .noAnswer(_, _, hint: .nothingListens?):
            let proxy = ServiceHint.proxy("http://proxy.example.com:3128", variable: "HTTPS_PROXY")
            return ("noAnswer, nothingListens", .noAnswer(base, .unreachable, hint: proxy))
        case .noAnswer(_, _, hint: .proxy?):
            return ("noAnswer, proxy", .noAnswer(base, .invalid, hint: .addressOfIPv6))
        case .noAnswer(_, _, hint: .addressOfIPv6?):
            return ("noAnswer, addressOfIPv6", .strange(base, .proxyWantsLogin("HTTP 407")))
        case .strange(_, let answer):
            let (name, next) = answerStep(answer)
            guard let next else { return ("strange(.\(name))", .noService(base, status: 404)) }
            return ("strange(.\(name))", .strange(base, next))
        case .noService: return ("noService", .noSandbox(base, hint: nil))
        case .noSandbox(_, hint: nil): return ("noSandbox", .noSandbox(base, hint: plain))
        case .noSandbox(_, hint: .some): return ("noSandbox, sandboxSpeaksHTTP", .closedSandbox(base))
        case .closedSandbox: return ("closedSandbox", .notASandbox(base))
        case .notASandbox: return ("notASandbox", nil)
        }
    }

    private static func answerStep(_ answer: StrangeAnswer) -> (String, StrangeAnswer?) {
        switch answer {
        case .proxyWantsLogin: ("proxyWantsLogin", .networkWantsLogin("HTTP 511, text/html"))
        case .networkWantsLogin:
            ("networkWantsLogin", .redirectToHTTPS("HTTP 301", address: "https://sp.example.com"))
        case .redirectToHTTPS: ("redirectToHTTPS", .redirect("HTTP 302", to: "login.example.com"))
        case .redirect: ("redirect", .throttled("HTTP 429, text/html"))
        case .throttled: ("throttled", .unavailable("HTTP 503, text/html"))
        case .unavailable: ("unavailable", .refusal("HTTP 403, text/html"))
        case .refusal: ("refusal", .page("HTTP 200, text/html"))
        case .page: ("page", nil)
        }
    }

    static let findings = Table(
        faults: DoctorFinding.proxyUnused("http://proxy.example.com:3128", variable: "HTTPS_PROXY")
    ) { finding in
        switch finding {
        case .proxyUnused:
            (
                "proxyUnused",
                .proxyUsed("http://proxy.example.com:3128", host: "sp.example.com", variable: "HTTPS_PROXY")
            )
        case .proxyUsed:
            (
                "proxyUsed",
                .exemptionNotRead(
                    "http://proxy.example.com:3128", host: "sp.example.com", entry: "*.example.com",
                    form: ".example.com")
            )
        case .exemptionNotRead: ("exemptionNotRead", .service(.noAnswer("ADDRESS", .timedOut, hint: nil)))
        case .service: ("service", .throttled("The service received too many requests. [CFG429]"))
        case .throttled: ("throttled", .noStatement(ServiceFault.noSandbox("ADDRESS", hint: nil).description))
        case .noStatement: ("noStatement", .unusableStatement("The software statement is empty."))
        case .unusableStatement:
            ("unusableStatement", .refusedStatement("The service refuses the software statement. [R400]"))
        case .refusedStatement: ("refusedStatement", .unknownRequestor("NOPE", status: "CFG400"))
        case .unknownRequestor: ("unknownRequestor", .noProviders("NOPE"))
        case .noProviders: ("noProviders", .noLogins(outage))
        case .noLogins: ("noLogins", .noSession("The session did not start. [CFG500]"))
        case .noSession: ("noSession", .noTime)
        case .noTime: ("noTime", .clockAhead(seconds: 7_200))
        case .clockAhead: ("clockAhead", .clockBehind(seconds: 7_200))
        case .clockBehind: ("clockBehind", .noSealingKey("FILE"))
        case .noSealingKey: ("noSealingKey", .damagedStore(problems: 1, values: 3))
        case .damagedStore: ("damagedStore", .impossibleRedirect("data:x"))
        case .impossibleRedirect: ("impossibleRedirect", .plainRedirect("ADDRESS"))
        case .plainRedirect: ("plainRedirect", .noPort)
        case .noPort: ("noPort", .noBrowser)
        case .noBrowser: ("noBrowser", nil)
        }
    }

    static let stores = Table(
        of: String(reflecting: StoreProblem.self), from: StorageError.cannotRead(errno: 5),
        text: { StoreProblem($0, at: place).text },
        step: storageStep)

    static let checks = Table(faults: StoreFinding.probeFailed) { finding in
        switch finding {
        case .probeFailed: ("probeFailed", .truncated)
        case .truncated: ("truncated", .checksum)
        case .checksum: ("checksum", .unreadable)
        case .unreadable: ("unreadable", .invalid)
        case .invalid: ("invalid", .misplaced)
        case .misplaced: ("misplaced", .unusable(StoreProblem(StorageError.notAFile, at: place)))
        case .unusable: ("unusable", .unknownEntry)
        case .unknownEntry: ("unknownEntry", nil)
        }
    }

    private static let place = StorePlaces(URL(fileURLWithPath: "/STORE", isDirectory: true))

    static let verdicts = Table(
        of: String(reflecting: MediaTokenVerifier.Verdict.self), from: MediaTokenVerifier.Verdict.invalidTokenFormat,
        text: { $0.reason ?? "" },
        step: { verdict in
            switch verdict {
            case .invalidTokenFormat: ("invalidTokenFormat", .invalidSignature)
            case .invalidSignature: ("invalidSignature", .tokenExpired)
            case .tokenExpired: ("tokenExpired", .otherRequestor)
            case .otherRequestor: ("otherRequestor", .invalidResourceID)
            case .invalidResourceID: ("invalidResourceID", nil)
            // A valid token has no text.
            case .validToken: ("validToken", nil)
            }
        })

    static let judgements = Table(faults: ConformanceFault.cannotRun(reason: systemText(2))) { fault in
        switch fault {
        case .cannotRun: ("cannotRun", .tookTooLong(limit: .seconds(600)))
        case .tookTooLong: ("tookTooLong", .endedBySignal)
        case .endedBySignal: ("endedBySignal", .failed(exitCode: 3))
        case .failed: ("failed", .nothingToJudge)
        case .nothingToJudge: ("nothingToJudge", .everythingLeftOut(count: 14))
        case .everythingLeftOut: ("everythingLeftOut", nil)
        }
    }

    static let demos = Table(faults: DemoFault.closedSandbox("ADDRESS")) { fault in
        switch fault {
        case .closedSandbox: ("closedSandbox", .noCallback)
        case .noCallback: ("noCallback", .unexpectedEnd("setRequestorComplete(0)"))
        case .unexpectedEnd: ("unexpectedEnd", .unknownProvider("NOPE", known: ["demo-cable", "other-cable"]))
        case .unknownProvider: ("unknownProvider", .pageLeft)
        case .pageLeft: ("pageLeft", .tokensLeft(2))
        case .tokensLeft: ("tokensLeft", .invalidToken(verdict: "tokenExpired"))
        case .invalidToken: ("invalidToken", .storedMediaToken)
        case .storedMediaToken: ("storedMediaToken", .noHousehold)
        case .noHousehold: ("noHousehold", .noCode)
        case .noCode: ("noCode", .noLogin)
        case .noLogin: ("noLogin", .otherLogin)
        case .otherLogin: ("otherLogin", .otherDevices(["iPhone"]))
        case .otherDevices: ("otherDevices", .notUnlinked)
        case .notUnlinked: ("notUnlinked", .stillPlays)
        case .stillPlays: ("stillPlays", .stillLinked("member"))
        case .stillLinked: ("stillLinked", nil)
        }
    }

    static let output = Table(OutputFailure(stream: .standardOutput, errno: 28)) { failure in
        switch failure.stream {
        case .standardOutput: ("standardOutput", OutputFailure(stream: .standardError, errno: 28))
        case .standardError: ("standardError", nil)
        }
    }
}
