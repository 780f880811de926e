import Crypto
import Foundation
package import TVEModels

/// A report of the sandbox's current state for its pages, without secrets.
package struct StateReport: Encodable {
    package struct Login: Encodable {
        /// An id that replaces the session index, because anyone who knows the index can log the viewer out.
        package let id: String
        package let viewer, device: String
        package let provider: MVPDID
        package let requestor: RequestorID
        /// The times at which the login began and ends, in milliseconds since 1970.
        package let began, ends: Int64
    }

    package struct Code: Encodable {
        package let code, device, state: String
        /// A Boolean value that indicates whether a device can still get a login with the code.
        ///
        /// After a cancelled login it can, because the viewer may begin again with the same code.
        package let isWaiting: Bool
        package let requestor: RequestorID
        package let ends: Int64
    }

    package struct Trial: Encodable {
        package let provider: MVPDID
        package let holder: String
        package let resources: Int
        package let began: Int64?
    }

    package struct Bucket: Encodable {
        package let address: String
        package let left: Int
    }

    package struct Denial: Encodable {
        package let resource: String
        /// The viewer and the id of the device of the login; the id is empty when the device is not known.
        package let viewer, device: String
        package let count: Int
    }

    package let logins: [Login]
    package let codes: [Code]
    package let clients: [String]
    package let trials: [Trial]
    package let throttle: [Bucket]
    package let denials: [Denial]

    /// The largest number of rows of one kind.
    ///
    /// After a load test there may be thousands.
    private static let maximum = 500

    package init(_ state: SandboxState) {
        let (tables, now) = state.withTables { ($0, $1) }
        func first<Row>(_ rows: some Sequence<Row>, by isFirst: (Row, Row) -> Bool) -> ArraySlice<Row> {
            rows.sorted(by: isFirst).prefix(Self.maximum)
        }
        logins = first(tables.logins.all(at: now).filter { !$0.isLoggedOut }) { $0.began > $1.began }.map {
            Login(
                id: Self.id($0.sessionIndex), viewer: $0.title, device: $0.deviceID ?? "", provider: $0.mvpdID,
                requestor: $0.requestorID, began: $0.began.milliseconds, ends: $0.expires.milliseconds)
        }
        codes = first(tables.codes.all(at: now)) { $0.generated > $1.generated }.map {
            Code(
                code: $0.code, device: $0.deviceID, state: $0.outcome.title, isWaiting: !$0.isFinished,
                requestor: $0.requestorID, ends: $0.expires.milliseconds)
        }
        clients = Array(first(tables.clients.keys.map(\.text), by: <))
        let trials = tables.trials.map { holder, trial in
            Trial(
                provider: holder.provider, holder: holder.id.text, resources: trial.resources.count,
                began: trial.began?.milliseconds)
        }
        self.trials = Array(first(trials) { ($0.provider.text, $0.holder) < ($1.provider.text, $1.holder) })
        throttle = first(tables.throttle.left(at: now)) { $0.0 < $1.0 }.map { Bucket(address: $0.0, left: $0.1) }
        let denials = tables.denials.compactMap { denied, count in
            tables.login(denied.sessionIndex.text, now).map { login in
                Denial(
                    resource: denied.resource.text, viewer: login.title, device: login.deviceID ?? "", count: count)
            }
        }
        self.denials = Array(
            first(denials) { ($0.resource, $0.device, $0.count) < ($1.resource, $1.device, $1.count) })
    }

    /// Returns the id of a login in the report.
    fileprivate static func id(_ sessionIndex: String) -> String {
        String(SHA256.hash(data: Data("login\n\(sessionIndex)".utf8)).hexadecimal.prefix(16))
    }
}

extension Login {
    fileprivate var title: String {
        switch subject {
        case .viewer(let name): name
        case .platformViewer(let name): "\(name) (platform)"
        case .tempPass: "TempPass"
        case .anybody: "any viewer (degraded)"
        }
    }
}

extension RegistrationCode.Outcome {
    fileprivate var title: String {
        switch self {
        case .open: "not used yet"
        case .begun: "the login page is open"
        case .cancelled: "the login was cancelled"
        case .loggedIn: "logged in"
        }
    }
}

/// The changes that a tester makes to the rows of the report, each of which returns whether it has found its row.
extension SandboxState {
    /// Logs a viewer out, like a logout on another device.
    package func endLogin(_ id: String) -> Bool {
        withTables { tables, now in
            guard let login = tables.login(named: id, now) else { return false }
            tables.logins.change(login.sessionIndex) { $0.isLoggedOut = true }
            return true
        }
    }

    /// Makes a login and its profiles expire now.
    package func expireLogin(_ id: String) -> Bool {
        withTables { tables, now in
            guard let login = tables.login(named: id, now) else { return false }
            tables.endLogin(login.sessionIndex, at: now)
            return true
        }
    }

    /// Removes the credentials of an application.
    package func revokeClient(_ id: String) -> Bool {
        withTables { tables, _ in tables.clients.removeValue(forKey: ExactText(id)) != nil }
    }

    /// Removes a registration code.
    package func cancelCode(_ code: String) -> Bool {
        withTables { tables, now in tables.codes.remove(code.uppercased(), at: now) != nil }
    }
}

extension SandboxState.Tables {
    /// Makes a login and its profiles expire now.
    mutating func endLogin(_ index: String, at now: Date) {
        logins.end(index, at: now)
        profiles.endAll(at: now) { $0.isSameBytes(as: index) }
        sharedProfiles.endAll(at: now) { $0.isSameBytes(as: index) }
    }

    fileprivate func login(named id: String, _ now: Date) -> Login? {
        logins.all(at: now).first { !$0.isLoggedOut && StateReport.id($0.sessionIndex) == id }
    }
}
