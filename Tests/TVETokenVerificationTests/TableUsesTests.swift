import Foundation
import TVEModels
import TVETestTraits
import TVETokenVerification
import Testing

/// A test of the memory in `Documentation/VerifyingMediaTokens.md` that a reader builds over a database.
@Suite(.timeLimit(.hanging))
struct TableUsesTests {
    // <example>
    /// The database that remembers used tokens, over the client of your choice.
    protocol SpentTokenTable: Sendable {
        /// The time on the clock of the database.
        func now() async throws -> Date
        /// Inserts a row unless there is one with this digest, and returns whether it did.
        func insert(_ digest: Data, removableAfter end: Date) async throws -> Bool
    }

    /// Spent media tokens in a table of a database.
    struct TableUses<Table: SpentTokenTable>: MediaTokenUses {
        let table: Table
        /// The time since which the table has lost no row, on the clock of the database.
        let began: Date
        /// The seconds by which the clock that issues tokens may be ahead of that of the database.
        var issuerClockSkew: TimeInterval = 2

        func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome {
            let clock = try await table.now()
            guard use.expires > now, use.expires > clock else { return .refused(.expired) }
            // Nothing is written for a token that only has to wait.
            if let seconds = use.secondsUntilGrantable(at: clock, issuerClockSkew: issuerClockSkew) {
                return .refused(.clockBehind(seconds: seconds))
            }
            if use.mayHaveBeenSpent(before: began, issuerClockSkew: issuerClockSkew) {
                return .refused(.olderThanMemory)
            }
            let isNew = try await table.insert(use.digest, removableAfter: use.rememberedUntil)
            return isNew ? .granted : .refused(.spent)
        }
    }
    // </example>

    /// A database that loses nothing, and answers late.
    private final class Table: SpentTokenTable {
        private let digests = Guarded<Set<Data>>([])

        func now() async throws -> Date {
            await Task.yield()
            return Date()
        }

        func insert(_ digest: Data, removableAfter end: Date) async throws -> Bool {
            await Task.yield()
            return digests.withLock { $0.insert(digest).inserted }
        }

        func empty() { digests.withLock { $0 = [] } }
    }

    @Test func itKeepsThePromises() async throws {
        let table = Table()
        let began = Guarded(Date())
        let violations = try await MediaTokenUsesConformance.violations(
            isShared: true, issuerClockSkew: 0,
            restart: {
                // This imitates a database that was restored without its contents.
                table.empty()
                began.withLock { $0 = Date() }
            }, open: { TableUses(table: table, began: began.withLock { $0 }, issuerClockSkew: 0) })
        #expect(violations == [])
    }

    /// The memory must not trust a table that has lost its rows.
    @Test func aTableThatWasEmptied_isNoticedByTheConformance() async throws {
        let table = Table()
        let began = Date()
        let violations = try await MediaTokenUsesConformance.violations(
            isShared: true, issuerClockSkew: 0, restart: table.empty,
            open: { TableUses(table: table, began: began, issuerClockSkew: 0) })
        #expect(violations != [])
    }

    @Test func itStandsInTheDocument() throws {
        #expect(try PageExample.isInThePage(of: #filePath))
    }
}
