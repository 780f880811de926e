import TVEModels

/// The fields of a world's JSON form, with which a document is compared.
enum WorldShape {
    /// A world with a value in every field, which shows the names of the fields and the kinds of their values.
    static let world: SandboxWorld = {
        var provider = SandboxWorld.Provider(
            id: "id", displayName: "name", login: .form, authenticatesPerRequestor: false)
        provider.allowsPassiveAuthentication = true
        provider.usesSafari = false
        provider.platformID = "id"
        provider.boardingStatus = "SUPPORTED"
        provider.temporaryAccess = .init(seconds: 1, identityKey: "key", resourceLimit: 1)
        provider.degradation = .authenticateAll
        provider.isUnreachable = false
        provider.denialsBeforeRefusal = 1
        provider.putsLineUpIntoToken = false
        provider.refusesWebViews = false
        var viewer = SandboxWorld.Viewer(
            name: "name", password: "password", resources: ["id"], zip: "zip", upsell: [JSONShape.anyName: "text"])
        viewer.encrypted = [JSONShape.anyName: "text"]
        var behavior = SandboxWorld.Behavior()
        behavior.restV2.redirectURLs = ["app://"]
        behavior.restV2.forcedErrors = [JSONShape.anyName: "code"]
        return SandboxWorld(
            requestors: [.init(id: "id", name: "name", channels: ["id"], providers: ["id"])], providers: [provider],
            viewers: [viewer], behavior: behavior, faults: [.example], expectations: [.example])
    }()

    static let shape = JSONShape(
        world,
        choices: [
            "providers[].login": SandboxWorld.Provider.Login.allCases.map(\.rawValue),
            "providers[].degradation": SandboxWorld.Provider.Degradation.allCases.map(\.rawValue),
            "faults[].kind": SandboxWorld.Fault.Kind.allCases.map(\.rawValue),
        ])
}

extension SandboxWorld.Fault: JSONForm {
    /// A fault with a value in every field.
    package static let example: SandboxWorld.Fault = {
        var fault = SandboxWorld.Fault(.delay, amount: 1, code: "code", step: "step", requests: 1)
        fault.provider = "id"
        fault.resource = "id"
        fault.body = "body"
        fault.device = "id"
        fault.after = 1
        return fault
    }()

    package static let shape = JSONShape(example, choices: ["kind": Kind.allCases.map(\.rawValue)])
}

extension SandboxWorld.Expectation: JSONForm {
    /// An expectation with a value in every field.
    package static let example = SandboxWorld.Expectation(
        "name", step: "step", atLeast: 1, atMost: 1, follows: "step", status: 200, pause: 1)

    package static let shape = JSONShape(example)
}
