import Crypto
import Foundation
import TVEModels

/// The sandbox's current state, for the console and its API, without secrets.
struct StateReport: Encodable {
    struct Login: Encodable {
        /// Replaces the session index, because anyone who knows that can log the viewer out.
        let id: String
        let viewer: String
        let provider: String
        let requestor: String
        let device: String
        /// Milliseconds since 1970.
        let ends: Int64
    }

    struct Code: Encodable {
        let code: String
        let requestor: String
        let device: String
        let state: String
        let ends: Int64
    }

    struct Trial: Encodable {
        let provider: String
        let holder: String
        let resources: Int
        let began: Int64?
    }

    struct Bucket: Encodable {
        let address: String
        let left: Int
    }

    struct Denial: Encodable {
        let resource: String
        let count: Int
    }

    let logins: [Login]
    let codes: [Code]
    let clients: [String]
    let trials: [Trial]
    let throttle: [Bucket]
    let denials: [Denial]

    /// Most lines of one kind: after a load test there may be thousands.
    private static let maximum = 500

    init(_ state: SandboxState) {
        let (tables, now) = state.withTables { ($0, $1) }
        logins = tables.logins.all(at: now).filter { !$0.isLoggedOut }.sorted { $0.began > $1.began }
            .prefix(Self.maximum).map {
                Login(
                    id: Self.id($0.sessionIndex), viewer: $0.title, provider: $0.mvpdID, requestor: $0.requestorID,
                    device: $0.deviceID ?? "", ends: $0.expires.milliseconds)
            }
        codes = tables.codes.all(at: now).sorted { $0.generated > $1.generated }.prefix(Self.maximum).map {
            Code(
                code: $0.code, requestor: $0.requestorID, device: $0.deviceID, state: $0.outcome.title,
                ends: $0.expires.milliseconds)
        }
        clients = tables.clients.keys.map(\.text).sorted().prefix(Self.maximum).map(\.self)
        trials = tables.trials.map { key, trial in
            let parts = key.text.split(separator: "\n", maxSplits: 1).map(String.init)
            return Trial(
                provider: parts[0], holder: parts.count > 1 ? parts[1] : "", resources: trial.resources.count,
                began: trial.began?.milliseconds)
        }.sorted { ($0.provider, $0.holder) < ($1.provider, $1.holder) }.prefix(Self.maximum).map(\.self)
        throttle = tables.throttle.left(at: now).sorted { $0.0 < $1.0 }.prefix(Self.maximum)
            .map { Bucket(address: $0.0, left: $0.1) }
        denials = tables.denials.map { key, count in
            Denial(resource: key.text.split(separator: "\n").last.map(String.init) ?? "", count: count)
        }.sorted { ($0.resource, $0.count) < ($1.resource, $1.count) }.prefix(Self.maximum).map(\.self)
    }

    /// The id of a login in the console.
    static func id(_ sessionIndex: String) -> String {
        String(SHA256.hash(data: Data("login\n\(sessionIndex)".utf8)).hexadecimal.prefix(16))
    }
}

extension Login {
    /// A readable name of the subject.
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
        case .cancelled: "given up"
        case .loggedIn: "logged in"
        }
    }
}
