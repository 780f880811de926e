import TVEModels

/// A fault of a login, or of another call of a session, that is not an error of the library.
enum SessionFault: ToolFault {
    /// A requestor that the service does not know.
    case unknownRequestor(RequestorID)
    /// A call that needs a login.
    ///
    /// Only the advice is printed, because the library or the service describes the fault.
    case notLoggedIn
    /// A call that the service has refused in its own words, which may succeed later.
    ///
    /// Only the advice is printed.
    case refusedForNow
    /// A call that the service has refused in its own words, because something in it is wrong.
    ///
    /// Only the advice is printed.
    case refusedForGood
    /// A call with a promotional TempPass that has no id of the viewer, or one under another name.
    case noViewerIdentity
    /// A TV provider with which the requestor does not work, a sentence with the others, and the option that names one.
    case unknownProvider(MVPDID, known: String, option: String = "--provider")
    /// Several TV providers and nobody to choose one, with a sentence that lists them.
    case severalProviders(known: String)
    /// A picker that the viewer left.
    case noProviderChosen
    /// An answer to the picker that is not the number of a TV provider.
    case notANumber(String, count: Int)
    /// A login with another TV provider than the one of the command line.
    case otherProvider(MVPDID, wanted: MVPDID)
    /// A prompt for the password that ended without one.
    case noPasswordTyped
    /// A login page that was shown again after the viewer's answer, with its own words.
    case pageShownAgain(words: String?)
    /// A page without a next step, at which the browser without a window ended, with its own words if it has an error.
    case noLoginPage(status: Int, words: String? = nil)
    /// A browser without a window that could not continue.
    case browserFailed
    /// A machine without a port to which the browser could come back.
    case noPort
    /// A fact about the viewer that has no value.
    case noValue(String)
    /// A fact about the viewer that this store does not have, and the reason for which the service was not asked.
    case valueNotAsked(String, outage: String)
    /// A store without a login, and the reason for which the service was not asked for one.
    case loginNotAsked(outage: String)

    var sentences: (found: String, advice: String) {
        switch self {
        case .unknownRequestor(let id):
            return ("The service does not know the requestor \(id).", "Name yours with --requestor.")
        case .notLoggedIn:
            return ("The viewer is not logged in.", "\"tve login\" logs a viewer in.")
        case .refusedForNow:
            return ("The service refused the request.", "Try again later.")
        case .refusedForGood:
            return (
                "The service refused the request.",
                "Check the values of the command; \"tve doctor\" checks the service, the statement and the requestor."
            )
        case .noViewerIdentity:
            return (
                "A promotional TempPass needs the viewer's id.",
                "Give it to \"tve login\" or \"tve authorize\" with --data, under the name that the campaign has for "
                    + "it, for example --data email=0f3c."
            )
        case .unknownProvider(let id, let known, let option):
            return ("There is no TV provider \"\(id)\" here.", "Name another with \(option). \(known)")
        case .severalProviders(let known):
            return ("There are several TV providers.", "Name one with --provider. \(known)")
        case .noProviderChosen:
            return ("No TV provider was chosen.", "Type the number of one, or name it with --provider.")
        case .notANumber(let text, let count):
            return (
                "\"\(text)\" is not a number from 1 to \(count).",
                "Type the number of a TV provider, or name one with --provider."
            )
        case .otherProvider(let id, let wanted):
            return ("The login is with \(id), not with \(wanted).", "Add --force to log in with \(wanted).")
        case .noPasswordTyped:
            return ("No password was typed.", "Type it at the prompt, or give it with --password or TVE_PASSWORD.")
        case .pageShownAgain(let words):
            let end = words.map { "; the page says: \($0)" } ?? "."
            return ("The login page was shown again.", "Check the name and the password\(end)")
        case .noLoginPage(let status, let words):
            let advice = "Use \"tve login --browser\", because only the sandbox's login page works without a window."
            return (
                "The browser ended at a page with HTTP \(status).",
                // The page may be that of the sandbox, or of a real service or TV provider.
                words.map { "Try again, or use \"tve login --browser\"; the page says: \($0)" } ?? advice
            )
        case .browserFailed:
            return (
                "The browser could not continue.",
                "Check that its pages can be reached, or use \"tve login --browser\"."
            )
        case .noPort:
            return (
                "This machine has no free port to which the browser can come back.",
                "Use --second-screen, which needs none."
            )
        case .noValue(let key):
            return ("There is no value for \(key).", "\"tve metadata --help\" explains which keys there are.")
        case .valueNotAsked(let key, let outage):
            return (
                "This store has no value for \(key), and the service could not be asked for it: \(outage)",
                "Try again when the service answers; \"tve doctor\" finds out why it does not."
            )
        case .loginNotAsked(let outage):
            return (
                "This store has no login, and the service could not be asked for one: \(outage)",
                "Try again when the service answers; \"tve doctor\" finds out why it does not."
            )
        }
    }
}
