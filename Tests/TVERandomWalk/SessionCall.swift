import Foundation
import TVEFlowEngine
import TVEModels

/// A call of a session that the walk makes.
enum SessionCall: Sendable, CustomStringConvertible {
    case start
    case status
    case authenticate(isForced: Bool)
    case choose(MVPDID?)
    case logout(opensPage: Bool)
    case authorize(Resource, mayLogIn: Bool)
    case preauthorize([Resource])
    case metadata
    case profiles
    case configuration
    case resume(URL)
    case joinHousehold, leaveHousehold, logoutHousehold
    /// Creates a code and joins with it, and lists and unlinks devices.
    case manageHousehold

    var description: String {
        switch self {
        case .start: "start"
        case .status: "authenticationStatus"
        case .authenticate(let isForced): "authenticate\(isForced ? "(forced)" : "")"
        case .choose(let id): "selectProvider(\(id?.text ?? "nil"))"
        case .logout(let opensPage): "logout\(opensPage ? "" : " (no page)")"
        case .authorize(let resource, let mayLogIn): "authorize(\(resource.text)\(mayLogIn ? "" : ", no viewer"))"
        case .preauthorize: "preauthorize"
        case .metadata: "metadata"
        case .profiles: "profiles"
        case .configuration: "configuration"
        case .resume: "resumeLogin"
        case .joinHousehold: "joinHousehold"
        case .leaveHousehold: "household.leave"
        case .logoutHousehold: "logoutHousehold"
        case .manageHousehold: "household.linkCode, devices and unlink"
        }
    }

    /// The name of the call without its arguments.
    var title: String { description.divided(at: "(").0.trimmingCharacters(in: .whitespaces) }

    /// A Boolean value that indicates whether the call has a presenter.
    var hasPresenter: Bool {
        switch self {
        case .authenticate: true
        case .authorize(_, let mayLogIn): mayLogIn
        case .logout(let opensPage): opensPage
        case .start, .status, .choose, .preauthorize, .metadata, .profiles, .configuration, .resume: false
        case .joinHousehold, .leaveHousehold, .logoutHousehold, .manageHousehold: false
        }
    }

    /// A Boolean value that indicates whether the call may show a login.
    var mayShowLogin: Bool {
        switch self {
        case .authenticate: true
        case .authorize(_, let mayLogIn): mayLogIn
        default: false
        }
    }

    /// A Boolean value that indicates whether the call requests a media token.
    var isPlay: Bool {
        if case .authorize = self { true } else { false }
    }

    /// A Boolean value that indicates whether the call may change the login, or end other calls.
    var changesLogin: Bool {
        switch self {
        case .authenticate, .choose, .logout, .resume, .start: true
        case .joinHousehold, .leaveHousehold, .logoutHousehold: true
        case .authorize(_, let mayLogIn): mayLogIn
        default: false
        }
    }

    /// Makes the call and returns its outcome.
    func perform(
        in session: EntitlementSession, using presenter: SessionViewer?
    ) async -> Result<SessionAnswer, TVEError> {
        do throws(TVEError) {
            switch self {
            case .start:
                try await session.start()
                return .success(.done)
            case .status:
                return .success(.status(await session.authenticationStatus()))
            case .authenticate(let isForced):
                guard let presenter else { return .success(.done) }
                return .success(.loggedIn(try await session.authenticate(using: presenter, isForced: isForced)))
            case .choose(let id):
                return .success(try await session.selectProvider(id).map { .status($0) } ?? .done)
            case .logout:
                try await session.logout(using: presenter)
                return .success(.done)
            case .authorize(let resource, _):
                return .success(.token(try await session.authorize(resource, using: presenter)))
            case .preauthorize(let resources):
                _ = try await session.preauthorize(resources)
                return .success(.done)
            case .metadata:
                _ = try await session.metadata(.user("zip"))
                return .success(.done)
            case .profiles:
                _ = try await session.profiles()
                return .success(.done)
            case .configuration:
                _ = try await session.configuration()
                return .success(.done)
            case .joinHousehold:
                return .success(.status(try await session.joinHousehold(account: "account")))
            case .leaveHousehold:
                try await session.household?.leave()
                return .success(.done)
            case .logoutHousehold:
                try await session.logoutHousehold()
                return .success(.done)
            case .manageHousehold:
                guard let household = session.household else { return .success(.done) }
                let code = try await household.linkCode()
                _ = try await household.devices()
                try await household.join(code: code)
                _ = try await household.unlink(["another device"])
                return .success(.done)
            case .resume(let url):
                return .success(try await session.resumeLogin(at: url).map { .loggedIn($0) } ?? .done)
            }
        } catch {
            return .failure(error)
        }
    }
}

/// The answer of a call that did not fail.
enum SessionAnswer: Sendable {
    case done
    case status(AuthenticationStatus)
    case loggedIn(Profile)
    case token(MediaToken)
}
