import Foundation
import TVEModels

/// The console's changes of logins, codes and applications; each returns whether it found its object.
enum StateChanges {
    /// Ends a login like a logout on another device.
    static func end(_ id: String, _ state: SandboxState) -> Bool {
        state.withTables { tables, now in
            guard let login = tables.login(named: id, now) else { return false }
            tables.logins.change(login.sessionIndex) { $0.isLoggedOut = true }
            return true
        }
    }

    /// Makes a login expire now.
    static func expire(_ id: String, _ state: SandboxState) -> Bool {
        state.withTables { tables, now in
            guard let login = tables.login(named: id, now) else { return false }
            tables.logins.end(login.sessionIndex, at: now)
            for row in tables.profiles.rows(at: now) where row.entry.isSameBytes(as: login.sessionIndex) {
                tables.profiles.end(row.key, at: now)
            }
            for row in tables.sharedProfiles.rows(at: now) where row.entry.isSameBytes(as: login.sessionIndex) {
                tables.sharedProfiles.end(row.key, at: now)
            }
            return true
        }
    }

    /// Forgets an application's credentials.
    static func revoke(_ id: String, _ state: SandboxState) -> Bool {
        state.withTables { tables, _ in tables.clients.removeValue(forKey: ExactText(id)) != nil }
    }

    /// Makes a code invalid.
    static func void(_ code: String, _ state: SandboxState) -> Bool {
        state.withTables { tables, now in tables.codes.remove(code.uppercased(), at: now) != nil }
    }
}

extension SandboxState.Tables {
    fileprivate func login(named id: String, _ now: Date) -> Login? {
        logins.all(at: now).first { !$0.isLoggedOut && StateReport.id($0.sessionIndex) == id }
    }
}
