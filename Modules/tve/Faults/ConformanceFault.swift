/// A fault of a run of `tve conformance`.
enum ConformanceFault: ToolFault {
    /// A command of `--run` that the system did not start, with its reason.
    case cannotRun(reason: String)
    /// A command of `--run` that did not end in time.
    case tookTooLong(limit: Duration)
    /// A command of `--run` that a signal has ended.
    case endedBySignal
    /// A command of `--run` that has failed, with its exit code.
    case failed(exitCode: Int32)
    /// A run or a recording without a request of REST API v2 that can be judged.
    case nothingToJudge
    /// A recording of which all requests of REST API v2 were left out, with their number.
    case everythingLeftOut(count: Int)

    var sentences: (found: String, advice: String) {
        switch self {
        case .cannotRun(let reason):
            return ("The command of --run cannot be run: \(reason).", "Check that this machine has /bin/sh.")
        case .tookTooLong(let limit):
            return (
                "The command of --run did not end within \(Printer.seconds(limit)).", "Give it more time with --limit."
            )
        case .endedBySignal:
            return ("The command of --run was ended by a signal.", "Look for the reason in its own output.")
        case .failed(let status):
            return (
                "The command of --run failed: it ended with the exit code \(status).",
                "Look for the reason in its own output."
            )
        case .nothingToJudge:
            return (
                "There is no request of REST API v2 to judge: none that could be read has a documented path "
                    + "below /api/v2/ or /o/client/.",
                "Point the client at the sandbox, or record its exchanges with the service."
            )
        case .everythingLeftOut(let count):
            let entries = count == 1 ? "the only entry" : "all \(count) entries"
            return (
                "There is no request of REST API v2 to judge: \(entries) with a documented path "
                    + "\(count == 1 ? "was" : "were") left out.",
                "Look for the reasons on standard error, and record again."
            )
        }
    }
}
