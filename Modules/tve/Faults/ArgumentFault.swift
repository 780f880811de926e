import TVENetworking

/// A fault of a command line, or of an environment variable that takes the place of an option.
enum ArgumentFault: ToolFault {
    /// A command that does not exist, with the most similar one and the command that lists the right names.
    case unknownCommand(String, nearest: String?, help: String)
    /// Two arguments that exclude each other.
    case notTogether(String, String)
    /// A file that one option would replace, and that another one reads.
    case sameFile(output: String, input: String)
    /// Several options that each select a kind of login.
    case severalWays
    /// A key for a sandbox whose state has one.
    case keyOfState
    /// A text that is not a URL.
    case notAURL(String)
    /// A text that is not the address of a page that a browser opens.
    case notAPage(String)
    /// A text that is not the address of a service.
    case notAService(String, InvalidServiceProvider)
    /// The address of a service with a port that does not exist.
    case noSuchPort(Int)
    /// A session without a service.
    case noService
    /// A value of `TVE_DIALECT` that names no dialect.
    case unknownDialect(String)
    /// An id in quotation marks.
    case quotedID(String)
    /// A plain id of a resource with a line end before or after it.
    case lineEndAtResource
    /// An option for a requestor without an id.
    case emptyRequestor
    /// An option for a directory without a name.
    case emptyDirectory
    /// A text that is not a whole number, for an option that takes seconds.
    case notSeconds
    /// A text that is not a number, for an option that takes seconds with a fraction.
    case notANumberOfSeconds
    /// A text that is not a port, for an option that takes one.
    case notAPort
    /// An empty name of a fact about the viewer.
    case emptyFact
    /// A number of seconds that an option does not take.
    case outOfRange(option: String, seconds: ClosedRange<Int>)
    /// A value of `TVE_TIMEOUT` that is not a time limit.
    case notATimeLimit(String, seconds: ClosedRange<Int>)
    /// A login without a window, and without a password or a terminal to ask for it.
    case noPassword
    /// A value of `--data` without a name or an equals sign.
    case dataWithoutName
    /// A step that `tve conformance` does not have.
    case unknownStep(String)
    /// A device that is to join a household, without the code or the account of one.
    case noCode
    /// A code of another device without a letter or a digit.
    case emptyCode
    /// An empty id of an account.
    case emptyAccount
    /// A new key for a store that is not sealed.
    case unsealedHasNoKey
    /// An error that is not printed, because it repeats a secret in place of another value.
    case secretInError

    var sentences: (found: String, advice: String) {
        switch self {
        case .unknownCommand(let words, let nearest, let help):
            let hint = nearest.map { "Did you mean \"\($0)\"? " } ?? ""
            return ("There is no command \"\(words)\".", "\(hint)\"\(help)\" lists them.")
        case .notTogether(let one, let other):
            return ("\(one) and \(other) cannot be used together.", "Leave one of them out.")
        case .sameFile(let output, let input):
            return (
                "\(output) and \(input) name the same file.",
                "Name another file with \(output), which would replace this one."
            )
        case .severalWays:
            return (
                "More than one kind of login is selected.",
                "Choose one of --browser, --headless and --second-screen."
            )
        case .keyOfState:
            return ("With --state, the sandbox keeps its key in that directory.", "Leave --key or --state out.")
        case .notAURL(let text):
            return ("\(Self.shown(text)) is not a URL.", "Give a complete address, such as https://example.com/tv.")
        case .notAPage(let text):
            return (
                "\(Self.shown(text)) is not the address of a page.",
                "Give a complete one, such as https://example.com/tv."
            )
        case .notAService(let text, let reason):
            return ("\(Self.shown(text)) is not a service URL.", "\(reason)")
        case .noSuchPort(let port):
            return ("There is no port \(port).", "Give a port from 1 to 65535.")
        case .noService:
            return ("No service is named.", "Name one with --service or TVE_SERVICE.")
        case .unknownDialect(let name):
            return (
                "TVE_DIALECT is \(name), which is neither classic nor v2.", "Set it to one of them, or unset it."
            )
        case .quotedID(let text):
            return ("\(text) is in quotation marks.", "Give the id without them, also in a file with variables.")
        case .lineEndAtResource:
            return (
                "A resource has a line break before or after its id.",
                "Remove it. A script with the line endings of Windows adds one to each line."
            )
        case .emptyRequestor:
            return ("The id of the requestor is empty.", "Give the id, or leave --requestor out.")
        case .emptyDirectory:
            return ("The name of a directory is empty.", "Write the name in its place, or leave the option out.")
        case .notSeconds:
            return ("This option takes a whole number of seconds.", "Give it without a unit, for example 30.")
        case .notANumberOfSeconds:
            return ("This option takes a number of seconds.", "Give it without a unit, for example 1.5.")
        case .notAPort:
            return ("This option takes the number of a port.", "Give one from 0 to 65535, for example 8080.")
        case .emptyFact:
            return ("The name of a fact is empty.", "\"tve metadata --help\" explains which keys there are.")
        case .outOfRange(let option, let seconds):
            return (
                "The value of \(option) is out of range.",
                "Give a number of seconds from \(seconds.lowerBound) to \(seconds.upperBound)."
            )
        case .notATimeLimit(let text, let seconds):
            return (
                "TVE_TIMEOUT is \(text), which is not a time limit.",
                "Set it to a number of seconds from \(seconds.lowerBound) to \(seconds.upperBound), or unset it."
            )
        case .noPassword:
            return (
                "--headless needs a password, and there is no terminal to ask for it.",
                "Give it with --password or TVE_PASSWORD."
            )
        case .dataWithoutName:
            return (
                "A value of --data lacks its name or the equals sign after it.",
                "Give a name, an equals sign and a value, for example email=0f3c."
            )
        case .unknownStep(let name):
            let names = ConformanceStep.all.map(\.name).joined(separator: ", ")
            return ("There is no step \"\(name)\".", "Choose from these steps: \(names).")
        case .noCode:
            return (
                "There is neither a code nor an account.",
                "Give the code that another device shows, or an id with --account."
            )
        case .emptyCode:
            return ("The code has no letters or digits.", "Type it as the other device shows it.")
        case .emptyAccount:
            return ("The id of the account is empty.", "Give the id that the account has on every device.")
        case .unsealedHasNoKey:
            return (
                "A store that is not sealed has no key to replace.", "Leave --unsealed out if the store is sealed."
            )
        case .secretInError:
            return (
                "The error is not printed, because it repeats a value that looks like a key, a software statement or "
                    + "a token.",
                "Check where that value is given."
            )
        }
    }

    /// Returns the text of an argument for a sentence, which an empty text would leave without a subject.
    private static func shown(_ text: String) -> String { text.isEmpty ? "An empty text" : text }
}
