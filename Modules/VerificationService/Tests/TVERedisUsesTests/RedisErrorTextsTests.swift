import TVEFleetFixture
import TVERedisUses
import Testing

/// Every error of Redis is a sentence about what was found and one about what to do, as those of the library are.
struct RedisErrorTextsTests {
    private static let first = RedisUsesError.unreachable("redis-1:6379: Connection refused")
    private static let table = ErrorTexts("`TVERedisUses.RedisUsesError`", level: 2, from: first, step: step)

    private static func step(_ error: RedisUsesError) -> (String, RedisUsesError?) {
        switch error {
        case .unreachable: ("unreachable", .timedOut)
        case .timedOut: ("timedOut", .disconnected)
        case .disconnected: ("disconnected", .unanswered)
        case .unanswered: ("unanswered", .full)
        case .full: ("full", .refused(code: "NOPERM", words: "this user has no permissions"))
        case .refused(code: "NOPERM", _):
            ("refused, NOPERM", .refused(code: "LOADING", words: "Redis is loading the dataset in memory"))
        case .refused(code: "LOADING", _):
            ("refused, LOADING", .refused(code: "DENIED", words: "Redis is running in protected mode"))
        case .refused(code: "DENIED", _):
            ("refused, DENIED", .refused(code: "MISCONF", words: "Errors writing to the disk"))
        case .refused(code: "MISCONF", _):
            ("refused, MISCONF", .refused(code: "ERR", words: "max number of clients reached"))
        case .refused(code: "ERR", words: "max number of clients reached"):
            (
                "refused, ERR, clients",
                .refused(code: "ERR", words: "AUTH called without any password configured for the default user")
            )
        case .refused(code: "ERR", words: "AUTH called without any password configured for the default user"):
            ("refused, ERR, password", .refused(code: "ERR", words: "DB index is out of range"))
        case .refused(code: "ERR", _):
            ("refused, ERR, database", .refused(code: "BUSY", words: "Redis is busy running a script"))
        case .refused: ("refused", .restartsUnseen("NOPERM"))
        case .restartsUnseen: ("restartsUnseen", .incompleteInfo(field: "master_replid"))
        case .incompleteInfo: ("incompleteInfo", .sentinel)
        case .sentinel: ("sentinel", .httpServer)
        case .httpServer: ("httpServer", .encryptedServer)
        case .encryptedServer: ("encryptedServer", .notReplicated(count: 1))
        case .notReplicated: ("notReplicated", .memoryLost)
        case .memoryLost: ("memoryLost", .noPrimary)
        case .noPrimary: ("noPrimary", .slotMoved)
        case .slotMoved: ("slotMoved", .severalPrimaries)
        case .severalPrimaries: ("severalPrimaries", .evicts(policy: "volatile"))
        case .evicts: ("evicts", .tooOld(version: "6.0"))
        case .tooOld: ("tooOld", .tls("the certificate has expired"))
        case .tls: ("tls", .unreadableAnswer)
        case .unreadableAnswer: ("unreadableAnswer", .overloaded)
        case .overloaded: ("overloaded", .closed)
        case .closed: ("closed", nil)
        }
    }

    @Test func eachSaysWhatWasFound_andWhatToDo() {
        #expect(Self.table.faults == [])
    }

    /// The verification service has a counter for each kind before its first failure.
    @Test func everyKind_isInTheList() {
        var kinds: [String] = []
        var next: RedisUsesError? = Self.first
        while let error = next {
            if kinds.last != error.kind { kinds.append(error.kind) }
            next = Self.step(error).1
        }
        #expect(kinds == RedisUsesError.kinds)
    }

    /// A newcomer whose password is wrong would look in vain for a missing command.
    @Test(arguments: [
        ("WRONGPASS", "", "password"), ("NOAUTH", "", "password"), ("NOPERM", "", "commands"),
        ("ERR", "The user executing the script can't run this command or subcommand", "commands"),
        ("ERR", "unknown command 'EVAL'", "commands"), ("LOADING", "", "Wait"), ("DENIED", "", "password"),
        ("MISCONF", "", "disk"), ("ERR", "max number of clients reached", "maxclients"), ("ERR", "", "log of Redis"),
        (
            "ERR",
            "AUTH <password> called without any password configured for the default user. "
                + "Are you sure your configuration is correct?", "Remove the password from the configuration"
        ),
        ("ERR", "DB index is out of range", "database"), ("ERR", "invalid DB index", "database"),
        ("ERR", "SELECT is not allowed in cluster mode", "only database 0"),
        ("READONLY", "You can't write against a read only replica.", "log of Redis"),
    ])
    func whatRedisHasRefused_saysWhatToCheck(code: String, words: String, subject: String) {
        let advice = RedisUsesError.refused(code: code, words: words).description.split(separator: ". ").last ?? ""
        #expect(advice.contains(subject), "\(advice)")
    }

    @Test func thePage_hasEveryText() throws {
        #expect(
            try ErrorTextsPage.has("\n" + Self.table.markdown, by: "RedisErrorTextsTests"),
            "The page has other texts: run this with TVE_WRITE_ERROR_TEXTS=1.")
    }
}
