/// A fault of a step of a demo.
enum DemoFault: ToolFault {
    /// A running sandbox that gives its facts only to its own machine.
    case closedSandbox(String)
    /// A call whose last callback did not arrive.
    case noCallback
    /// A call that ended with another callback than the expected one, with what came before it.
    case unexpectedEnd(String)
    /// A TV provider that is not in the list of the picker.
    case unknownProvider(String, known: [String])
    /// A login page that the viewer left, as `--abandon` demands.
    case pageLeft
    /// A number of tokens that are stored after a logout.
    case tokensLeft(Int)
    /// A media token that is not valid, with the verdict.
    case invalidToken(verdict: String)
    /// A media token in the storage.
    case storedMediaToken
    /// A household without a session that supports it.
    case noHousehold
    /// A phone that shows no code.
    case noCode
    /// A television that has joined, and is not logged in.
    case noLogin
    /// A television whose login is not that of the household.
    case otherLogin
    /// A list of devices that is not the expected one.
    case otherDevices([String])
    /// A television that was not unlinked.
    case notUnlinked
    /// A television that may play although it was unlinked.
    case stillPlays
    /// A television that does not know that it was unlinked.
    case stillLinked(String)

    private static let trace = "Run the demo again with --trace FILE, which shows every exchange."

    var sentences: (found: String, advice: String) {
        switch self {
        case .closedSandbox(let base):
            return (
                "The sandbox at \(base) returns its software statement and its public key only on its own machine, "
                    + "under the name localhost.",
                "Run the demo on that machine, and use localhost in --service."
            )
        case .noCallback: return ("No callback arrived in time.", Self.trace)
        case .unexpectedEnd(let text): return ("The call did not end as expected: \(text).", Self.trace)
        case .unknownProvider(let id, let known):
            return (
                "\(id) is none of the TV providers: \(known.joined(separator: ", ")).",
                "Name one of them with --provider."
            )
        case .pageLeft: return ("The viewer left the login page.", "Leave --abandon out to log in.")
        case .tokensLeft(let count):
            return ("The storage still holds \(Printer.count(count, "value")).", Self.trace)
        case .invalidToken(let verdict): return ("The verdict is \(verdict).", Self.trace)
        case .storedMediaToken: return ("The media token was found in storage.", Self.trace)
        case .noHousehold: return ("The session has no household.", Self.trace)
        case .noCode: return ("There is no code.", Self.trace)
        case .noLogin: return ("The television found no login.", Self.trace)
        case .otherLogin: return ("The login is not the household's.", Self.trace)
        case .otherDevices(let models):
            return ("The list has other devices: \(models.joined(separator: ", ")).", Self.trace)
        case .notUnlinked: return ("The service did not unlink the television.", Self.trace)
        case .stillPlays: return ("The television may still play.", Self.trace)
        case .stillLinked(let membership):
            return ("The membership of the television is still \(membership).", Self.trace)
        }
    }
}
