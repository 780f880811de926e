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
        case .refused: ("refused", .restartsUnseen("NOPERM"))
        case .restartsUnseen: ("restartsUnseen", .sentinel)
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
            kinds.append(error.kind)
            next = Self.step(error).1
        }
        #expect(kinds == RedisUsesError.kinds)
    }

    /// A newcomer whose password is wrong would look in vain for a missing command.
    @Test(arguments: [("WRONGPASS", "password"), ("NOAUTH", "password"), ("NOPERM", "commands")])
    func whatRedisHasRefused_saysWhatToCheck(code: String, subject: String) {
        let advice = RedisUsesError.refused(code: code).description.split(separator: ". ").last ?? ""
        #expect(advice.contains(subject))
    }

    @Test func thePage_hasEveryText() throws {
        #expect(
            try ErrorTextsPage.has("\n" + Self.table.markdown, by: "RedisErrorTextsTests"),
            "The page has other texts: run this with TVE_WRITE_ERROR_TEXTS=1.")
    }
}
