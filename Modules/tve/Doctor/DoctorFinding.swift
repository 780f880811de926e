import TVEModels

/// A finding of `tve doctor` that is not good, with advice.
enum DoctorFinding: ToolFault {
    /// A proxy that a variable names, and that this build does not use.
    case proxyUnused(String, variable: String)
    /// A proxy through which the requests to a host go, and the variable that names it.
    case proxyUsed(String, host: String, variable: String)
    /// A proxy through which the requests to a host go, although an entry of `no_proxy` names the host in a form that
    /// libcurl does not read, with the form that it reads.
    case exemptionNotRead(String, host: String, entry: String, form: String)
    /// An address at which no service answers.
    case service(ServiceFault)
    /// A service that throttles this address, with its words.
    case throttled(String)
    /// A missing software statement, with the text of the error.
    case noStatement(String)
    /// A software statement that is not sent, with the reason.
    case unusableStatement(String)
    /// A software statement that the service refuses, with its words.
    case refusedStatement(String)
    /// A requestor that the service does not know, and the status code.
    case unknownRequestor(RequestorID, status: String)
    /// A requestor without a TV provider.
    case noProviders(RequestorID)
    /// A service that does not say who is logged in, with a sentence about its answer.
    case noLogins(String)
    /// A session that did not start for another reason.
    case noSession(String)
    /// A service that does not send its time, or not clearly.
    case noTime
    /// A clock of this machine that shows a later time than that of the service.
    case clockAhead(seconds: Int)
    /// A clock of this machine that shows an earlier time than that of the service.
    case clockBehind(seconds: Int)
    /// A store whose key is missing at a path.
    case noSealingKey(String)
    /// A store with problems.
    case damagedStore(problems: Int, values: Int)
    /// A redirect that no login can end at.
    case impossibleRedirect(String)
    /// A redirect over plain HTTP to another machine.
    case plainRedirect(String)
    /// A machine without a free port.
    case noPort
    /// A machine without a browser.
    case noBrowser

    /// The finding as the command prints it.
    var finding: Finding {
        let (found, advice) = sentences
        return Finding(check: check, state: state, text: found, advice: advice)
    }

    /// The name of the check.
    private var check: String {
        switch self {
        case .proxyUnused, .proxyUsed, .exemptionNotRead: return "proxy"
        case .service, .throttled, .noLogins: return "service"
        case .noStatement, .unusableStatement, .refusedStatement: return "statement"
        case .unknownRequestor, .noProviders, .noSession: return "requestor"
        case .noTime, .clockAhead, .clockBehind: return "clock"
        case .noSealingKey, .damagedStore: return "store"
        case .impossibleRedirect, .plainRedirect, .noPort: return "redirect"
        case .noBrowser: return "browser"
        }
    }

    private var state: Finding.State {
        switch self {
        case .proxyUnused, .proxyUsed, .exemptionNotRead, .noTime, .noBrowser: return .note
        case .service, .throttled, .noStatement, .unusableStatement, .refusedStatement, .unknownRequestor,
            .noProviders, .noLogins, .noSession, .clockAhead, .clockBehind, .noSealingKey, .damagedStore,
            .impossibleRedirect, .plainRedirect, .noPort:
            return .bad
        }
    }

    private static let clock = "Set the clock: with a wrong time, tokens seem to be expired or not yet valid."

    var sentences: (found: String, advice: String) {
        switch self {
        case .proxyUnused(let address, let variable):
            return (
                "\(variable) names the proxy \(address), which this build of tve does not use.",
                "If it is needed: on macOS, configure it in the system's settings; "
                    + "elsewhere, build tve without the trait AsyncHTTPTransport."
            )
        case .proxyUsed(let address, let host, let variable):
            return (
                "Requests to \(host) go through \(address), which \(variable) names.",
                "If they should not, list the host in no_proxy."
            )
        case .exemptionNotRead(let address, let host, let entry, let form):
            return (
                "Requests to \(host) go through \(address), although no_proxy lists \(entry).",
                "List \(form) as an entry of its own: libcurl, which sends these requests, reads plain names and "
                    + "addresses, separated by commas."
            )
        case .service(let fault): return fault.sentences
        case .throttled(let text): return (text, "The service throttles this address: wait a second and try again.")
        case .noStatement(let text):
            return (
                "There is no software statement.",
                "\(text) \"--statement @FILE\" reads the statement from a file."
            )
        case .unusableStatement(let text):
            return (text, "Nothing was sent. \"--statement @FILE\" reads the statement from a file.")
        case .refusedStatement(let text):
            return (text, "Check that the statement is complete, and that it is for this environment.")
        case .unknownRequestor(let id, let status):
            let (found, advice) = SessionFault.unknownRequestor(id).sentences
            return ("\(found) [\(status)]", advice)
        case .noProviders(let id):
            return (
                "\(id) works with no TV provider.",
                "Nobody can log in: ask the operator of the service to integrate a TV provider with this requestor."
            )
        case .noLogins(let outage):
            return (
                "The service does not say who is logged in. \(outage)",
                "Nobody can log in until the service answers this request. Try again later. If the problem persists, "
                    + "ask the operator of the service."
            )
        case .noSession(let text):
            return (text, "Run \"tve providers --trace FILE\" to see why; Documentation/Behaviour.md lists the codes.")
        case .noTime:
            return (
                "The service's time is unknown, so the clock of this machine was not checked.",
                "Compare it with another clock."
            )
        case .clockAhead(let seconds):
            return ("This machine is \(seconds) s ahead of the service [CFG100].", Self.clock)
        case .clockBehind(let seconds):
            return ("This machine is \(seconds) s behind the service [CFG100].", Self.clock)
        case .noSealingKey(let path):
            return (
                "There is no sealing key at \(path).",
                "The store cannot be read without it: restore the file, or remove the directory and log in again."
            )
        case .damagedStore(let problems, let values):
            return (
                "The check of \(Printer.count(values, "value")) found \(Printer.count(problems, "problem")).",
                "\"tve storage check\" lists what it found. \(StoreProblem.repair)"
            )
        case .impossibleRedirect(let redirect):
            return (
                "A login cannot end at \(redirect).",
                "Use a scheme of your app, such as adbe.example://ios.app, and declare it in CFBundleURLTypes."
            )
        case .plainRedirect(let redirect):
            return (
                "\(redirect) sends the end of a login over the network in plain text.",
                "Use https, or a scheme of your app."
            )
        case .noPort:
            return (
                "This machine has no free port to listen on.",
                "\"tve login\" needs one, to which the browser returns after the login; "
                    + "--second-screen works without it."
            )
        case .noBrowser:
            return (
                "There is no browser that tve can open here.",
                "\"tve login\" prints the page's address instead; "
                    + "--second-screen and --headless need no browser here."
            )
        }
    }
}
