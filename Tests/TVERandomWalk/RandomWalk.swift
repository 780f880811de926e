import Foundation
import TVENetworking
import TVESandbox

/// A program that makes random walks and prints the stories of those with a problem.
///
///     TVERandomWalk DIALECT FIRST-SEED COUNT [--session] [--story] [--except=TEXT] [--threads=N]
///
/// The program exits with 1 if there was a problem, and with 64 if it does not understand its arguments. With
/// `--session` it makes the calls of a session, otherwise those of the classic API. With `--story` it prints every
/// story. With `--except`, which may be repeated, it ignores problems that contain the text. With `--threads`, that
/// number of threads runs the tasks of the engine, and a seed decides only the calls.
@main
enum RandomWalk {
    static func main() throws {
        makeHashingRepeatable()
        let arguments = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") }
        guard arguments.count == 3, let dialect = ServiceDialect.allCases.first(where: { "\($0)" == arguments[0] }),
            let first = UInt64(arguments[1]), let count = UInt64(arguments[2])
        else {
            print(
                "usage: TVERandomWalk classic|restV2 FIRST-SEED COUNT [--session] [--story] [--except=TEXT] "
                    + "[--threads=N]"
            )
            exit(64)
        }
        // A mistyped option would make another walk, which finds nothing.
        let options = CommandLine.arguments.dropFirst().filter { $0.hasPrefix("--") }
        if let unknown = options.first(where: { !isKnown($0) }) {
            print("TVERandomWalk has no option \(unknown). Run it without arguments to see its options.")
            exit(64)
        }
        guard #available(macOS 15, iOS 18, tvOS 18, *) else {
            print("TVERandomWalk needs a newer system.")
            exit(2)
        }
        SerialLoop.shared.install(threads: values(of: "--threads=").compactMap { Int($0) }.first)
        let exceptions = values(of: "--except=")
        // Creating a key takes longer than a few walks.
        let known = ProcessInfo.processInfo.environment["TVE_WALK_KEY"]
        let key = try known.map { try SandboxKey(privateKeyPEM: $0) } ?? SandboxKey()
        let printsStories = CommandLine.arguments.contains("--story")
        let isOfSession = CommandLine.arguments.contains("--session")
        var problems = 0
        for seed in first..<first + count {
            let story = try story(
                ofSession: isOfSession, dialect: dialect, seed: seed, key: key, except: exceptions)
            guard printsStories || story.problem != nil else { continue }
            print("\(dialect) seed \(seed)")
            for line in story.lines { print("  \(line)") }
            if story.problem != nil { problems += 1 }
            if problems >= 5 { break }
        }
        let outcome = problems == 0 ? "no problem" : "\(problems) problems"
        print("\(count) sequences of \(dialect) from seed \(first): \(outcome)")
        exit(problems == 0 ? 0 : 1)
    }

    @available(macOS 15, iOS 18, tvOS 18, *)
    private static func story(
        ofSession isOfSession: Bool, dialect: ServiceDialect, seed: UInt64, key: SandboxKey,
        except exceptions: [String]
    ) throws -> WalkStory {
        if isOfSession {
            let walk = try SessionWalk(dialect, seed: seed, key: key, except: exceptions)
            walk.run()
            return walk.story
        }
        let walk = try Walk(dialect, seed: seed, key: key, except: exceptions)
        walk.run()
        return walk.story
    }

    private static func isKnown(_ option: String) -> Bool {
        ["--session", "--story"].contains(option) || ["--except=", "--threads="].contains { option.hasPrefix($0) }
    }

    private static func values(of option: String) -> [String] {
        CommandLine.arguments.filter { $0.hasPrefix(option) }.map { String($0.dropFirst(option.count)) }
    }

    /// Restarts the program so that the order of sets and dictionaries is the same each time.
    ///
    /// By default, a process decides that order at random when it starts.
    private static func makeHashingRepeatable() {
        let variable = "SWIFT_DETERMINISTIC_HASHING"
        guard ProcessInfo.processInfo.environment[variable] == nil else { return }
        unsafe setenv(variable, "1", 1)
        var arguments = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
        guard let program = Bundle.main.executablePath else { return }
        unsafe execv(program, &arguments)
    }
}
