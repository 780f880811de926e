package import Foundation
package import TVEModels

/// The whole state of a sandbox: the world, logins and codes, exchanges, the clock, and the tester's notes.
///
/// A snapshot contains tokens and passwords.
package struct SandboxSnapshot: Sendable, Codable, Redacting {
    package let saved: Date
    package let world: SandboxWorld
    let clockOffset: TimeInterval
    let tables: SandboxState.Tables
    let log: KeptLog
    let notes: TesterNotes

    /// The time at which the snapshot was saved.
    package var redactedDescription: String { "a snapshot of \(saved.formatted(.iso8601))" }
}

extension SandboxRoutes {
    /// Returns the current state of the sandbox, without the requests in flight.
    package func snapshot() -> SandboxSnapshot {
        whole.withLock {
            SandboxSnapshot(
                saved: Date(), world: current.world, clockOffset: clock.offset,
                tables: state.withTables { tables, _ in tables },
                log: log.kept, notes: notes.withLock(\.self))
        }
    }

    /// Replaces the state of the sandbox with that of a snapshot.
    ///
    /// - Throws: `SandboxWorldError` when the snapshot's world is invalid. The state then stays as it is.
    package func restore(_ snapshot: SandboxSnapshot) throws(SandboxWorldError) {
        var world = snapshot.world
        world.behavior.households.clamp()
        try whole.withLock { [world] () throws(SandboxWorldError) in
            try current.apply(world)
            clock.set(snapshot.clockOffset)
            state.withTables { tables, _ in
                let throttle = tables.throttle
                tables = snapshot.tables
                tables.throttle = throttle
            }
            log.replace(with: snapshot.log)
            notes.withLock { notes in
                // An open page still has the current version, so the version must grow.
                let version = notes.version + 1
                notes = snapshot.notes
                notes.version = version
            }
        }
    }
}

/// The tester's notes and names of devices.
package struct TesterNotes: Sendable, Codable {
    package var text = ""
    /// The version of the notes, which grows with each change of the text.
    ///
    /// Like that of the world, it does not begin at 1.
    package internal(set) var version = Int.random(in: 1...1_000_000_000)
    /// The tester's names of devices, by their ids.
    package var nicknames: [ExactText: String] = [:]

    /// The largest number of characters in the notes.
    package static let maximumLength = 100_000
    /// The largest number of devices with a name, and the largest number of characters in a name.
    package static let maximumNames = 200
    package static let maximumNameLength = 60

    /// Replaces the notes, unless somebody else has changed them before.
    ///
    /// - Parameters:
    ///   - text: the new notes.
    ///   - version: the version that the caller has seen; `nil` for any.
    /// - Returns: a Boolean value that indicates whether the notes were replaced.
    package mutating func write(_ text: String, at version: Int?) -> Bool {
        guard version == nil || version == self.version else { return false }
        self.text = text
        self.version += 1
        return true
    }
}
