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
        /// The time since which the table has lost no row, on the clock of the database.
        func began() async throws -> Date
    }

    /// Spent media tokens in a table of a database.
    struct TableUses<Table: SpentTokenTable>: MediaTokenUses {
        let table: Table
        /// The seconds by which the clock that issues tokens may be ahead of that of the database.
        var issuerClockSkew: TimeInterval = 2

        func spend(_ use: MediaTokenUse, at now: Date) async throws -> MediaTokenUseOutcome {
            let clock = try await table.now()
            guard use.expires > now, use.expires > clock else { return .refused(.expired) }
            // Nothing is written for a token that only has to wait.
            if let seconds = use.secondsUntilGrantable(at: clock, issuerClockSkew: issuerClockSkew) {
                return .refused(.clockBehind(seconds: seconds))
            }
            // The row outlives a request that began just before the end of the token.
            let end = use.rememberedUntil.addingTimeInterval(60)
            guard try await table.insert(use.digest, removableAfter: end) else {
                return .refused(.spent)
            }
            // This is read for each token and after the insertion, because rows may be lost at any time before it.
            let began = try await table.began()
            if use.mayHaveBeenSpent(before: began, issuerClockSkew: issuerClockSkew) {
                return .refused(.olderThanMemory)
            }
            return .granted
        }
    }
    // </example>

    /// A database that loses rows only when it is emptied, and answers late.
    private final class Table: SpentTokenTable {
        private struct Rows {
            var digests: Set<Data> = []
            var began = Date()
        }

        private let rows = Guarded(Rows())

        /// The time since which no row was lost.
        var beginning: Date { rows.withLock { $0.began } }

        func now() async throws -> Date {
            await Task.yield()
            return Date()
        }

        func insert(_ digest: Data, removableAfter end: Date) async throws -> Bool {
            await Task.yield()
            return rows.withLock { $0.digests.insert(digest).inserted }
        }

        func began() async throws -> Date {
            await Task.yield()
            return beginning
        }

        /// This imitates a database that was restored without its contents.
        func empty() { rows.withLock { $0 = Rows() } }
    }

    /// A table whose beginning was read once, so that a later loss is not noticed.
    private struct TableOfOneBeginning: SpentTokenTable {
        let table: Table
        let beginning: Date

        func now() async throws -> Date { try await table.now() }

        func insert(_ digest: Data, removableAfter end: Date) async throws -> Bool {
            try await table.insert(digest, removableAfter: end)
        }

        func began() async throws -> Date { beginning }
    }

    @Test func itKeepsThePromises() async throws {
        let table = Table()
        let violations = try await MediaTokenUsesConformance.violations(
            isShared: true, issuerClockSkew: 0, restart: table.empty,
            open: { TableUses(table: table, issuerClockSkew: 0) })
        #expect(violations == [])
    }

    /// The memory must not trust a table that has lost its rows.
    @Test func aTableThatWasEmptied_isNoticedByTheConformance() async throws {
        let table = Table()
        let began = Date()
        let violations = try await MediaTokenUsesConformance.violations(
            isShared: true, issuerClockSkew: 0, restart: table.empty,
            open: { TableUses(table: TableOfOneBeginning(table: table, beginning: began), issuerClockSkew: 0) })
        #expect(violations != [])
    }

    /// The memory that was opened before the loss is the one that a process goes on using.
    @Test func aBeginningThatIsReadOnce_isNoticedByTheConformance() async throws {
        let table = Table()
        let violations = try await MediaTokenUsesConformance.violations(
            isShared: true, issuerClockSkew: 0, restart: table.empty,
            open: {
                let frozen = TableOfOneBeginning(table: table, beginning: table.beginning)
                return TableUses(table: frozen, issuerClockSkew: 0)
            })
        #expect(violations == ["A token that was spent before a restart is not granted after it."])
    }

    @Test func itStandsInTheDocument() throws {
        #expect(try PageExample.isInThePage(of: #filePath))
    }
}
