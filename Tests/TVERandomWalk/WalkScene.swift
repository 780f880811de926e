import TVEFlowEngine
import TVEModels
import TVESandbox
import TVETestSupport

/// The properties of the device, its app and the service in one walk.
struct WalkScene: Sendable {
    static let tempPass = "TempPass"
    static let platformID = "apple-cable"

    private(set) var style = LoginStyle.browser
    /// A Boolean value that indicates whether both requestors have a TempPass.
    private(set) var hasTempPass = false
    /// A Boolean value that indicates whether the device has an account with a provider, or its viewer may log in to
    /// one.
    private(set) var hasPlatform = false
    /// A Boolean value that indicates whether a provider's pages need Safari.
    ///
    /// Logins with such a provider are valid for one requestor only, so that there are passive logins.
    private(set) var usesSafari = false
    /// A Boolean value that indicates whether the app shows Safari itself.
    private(set) var drivesSafari = false
    /// The lifetime of a login, in seconds.
    private(set) var login = 2_592_000
    /// The lifetime of a permission, in seconds.
    private(set) var permission = 86_400
    /// The lifetime of an access token, in seconds.
    private(set) var accessToken = 86_400
    /// The lifetime of a registration code, in seconds.
    private(set) var code = 1_800

    /// Creates a random scene.
    init(using random: inout SeededRandom) {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: hasTempPass = true
        case 1: style = .secondScreen
        case 2: hasPlatform = true
        case 3: usesSafari = true
        default: break
        }
        if Int.random(in: 0..<4, using: &random) == 0 { hasTempPass = true }
        drivesSafari = Bool.random(using: &random)
        guard Int.random(in: 0..<3, using: &random) == 0 else { return }
        login = [login, 300, 7_200].randomElement(using: &random) ?? login
        permission = [permission, 120].randomElement(using: &random) ?? permission
        accessToken = [accessToken, 200].randomElement(using: &random) ?? accessToken
        code = [code, 90].randomElement(using: &random) ?? code
    }

    /// The ids of the providers that an app may choose.
    var providers: [String] { ["demo-cable", "demo-fiber"] + (hasTempPass ? [Self.tempPass] : []) }

    /// The configuration of the service in this scene.
    var service: SandboxWorld {
        var world = SandboxWorld.demo
        if hasTempPass {
            var pass = SandboxWorld.Provider(id: "TempPass", displayName: "Temporary Pass", login: .none)
            pass.temporaryAccess = .init(seconds: 600)
            world.providers.append(pass)
            for index in world.requestors.indices { world.requestors[index].providers.append(pass.id) }
        }
        for index in world.providers.indices where world.providers[index].id == "demo-cable" {
            if hasPlatform { world.providers[index].platformID = Self.platformID }
            world.providers[index].usesSafari = usesSafari
            world.providers[index].authenticatesPerRequestor = usesSafari
        }
        world.behavior.authenticationLifetime = login
        world.behavior.authorizationLifetime = permission
        world.behavior.accessTokenLifetime = accessToken
        world.behavior.registrationCodeLifetime = code
        return world
    }
}

extension WalkScene: CustomStringConvertible {
    var description: String {
        let traits = [
            style == .secondScreen ? "second screen" : nil, hasTempPass ? "TempPass" : nil,
            hasPlatform ? "platform" : nil, usesSafari ? "Safari, one requestor each" : nil,
        ]
        return
            (traits.compactMap(\.self) + ["logins of \(login) s, permissions of \(permission) s", "codes of \(code) s"])
            .joined(separator: ", ")
    }
}
