package import Foundation
package import TVEModels

/// All that a sandbox knows: world, logins and codes, exchanges, clock, and what the tester has written.
///
/// It contains tokens and passwords.
package struct SandboxSnapshot: Sendable, Codable, Redacting {
    package let saved: Date
    package let world: SandboxWorld
    let clockOffset: TimeInterval
    let tables: SandboxState.Tables
    let log: KeptLog
    let notes: TesterNotes

    /// When it was made.
    package var redactedDescription: String { "a snapshot of \(saved.formatted(.iso8601))" }
}

extension SandboxRoutes {
    /// What the sandbox knows now; requests in flight are not in it.
    package func snapshot() -> SandboxSnapshot {
        SandboxSnapshot(
            saved: Date(), world: current.world, clockOffset: clock.offset,
            tables: state.withTables { tables, _ in tables },
            log: log.kept, notes: notes.withLock(\.self))
    }

    /// Knows what a snapshot knows, and nothing else.
    ///
    /// - Throws: `SandboxWorldError` when its world is invalid; then nothing is changed.
    package func restore(_ snapshot: SandboxSnapshot) throws(SandboxWorldError) {
        try current.apply(snapshot.world)
        clock.set(snapshot.clockOffset)
        state.withTables { tables, _ in
            let throttle = tables.throttle
            tables = snapshot.tables
            tables.throttle = throttle
        }
        log.replace(with: snapshot.log)
        notes.withLock { notes in
            // An open page has the version before.
            let version = notes.version + 1
            notes = snapshot.notes
            notes.version = version
        }
    }
}

/// What the tester has written: notes, and names of devices.
package struct TesterNotes: Sendable, Codable {
    package var text = ""
    /// Grows with each change of the text; not from 1, as that of the world.
    package internal(set) var version = Int.random(in: 1...1_000_000_000)
    /// The tester's names of devices, by their ids.
    package var nicknames: [ExactText: String] = [:]

    /// Most characters of the notes.
    package static let maximumLength = 100_000
    /// Most devices with a name, and most characters of one.
    package static let maximumNames = 200
    package static let maximumNameLength = 60

    /// - Parameter version: the version for which the change is meant; nil for any.
    /// - Returns: whether it was.
    package mutating func write(_ text: String, at version: Int?) -> Bool {
        guard version == nil || version == self.version else { return false }
        self.text = text
        self.version += 1
        return true
    }
}
