import Foundation
import TVEModels

/// The fields of a world's JSON form, with which a document is compared.
enum WorldShape {
    /// The name of a member that stands for all members of a map with names of the writer's choice.
    static let anyName = "*"

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
            name: "name", password: "password", resources: ["id"], zip: "zip", upsell: [anyName: "text"])
        viewer.encrypted = [anyName: "text"]
        var fault = SandboxWorld.Fault(.delay, amount: 1, code: "code", step: "step", requests: 1)
        fault.provider = "id"
        fault.resource = "id"
        fault.body = "body"
        fault.device = "id"
        fault.after = 1
        var behavior = SandboxWorld.Behavior()
        behavior.restV2.redirectURLs = ["app://"]
        behavior.restV2.forcedErrors = [anyName: "code"]
        return SandboxWorld(
            requestors: [.init(id: "id", name: "name", channels: ["id"], providers: ["id"])], providers: [provider],
            viewers: [viewer], behavior: behavior, faults: [fault],
            expectations: [
                .init("name", step: "step", atLeast: 1, atMost: 1, follows: "step", status: 200, pause: 1)
            ])
    }()

    /// The JSON form of the world with every field.
    static let model = (try? UntrustedJSON.read(MetadataValue.self, from: Data(world.json.utf8))) ?? .null

    /// The fields that a document must have, by their paths without indices, for example `providers[].login`.
    ///
    /// They are those without which the decoder reads no world, so that no list has to follow the types.
    static let required: Set<String> = {
        var found: Set<String> = []
        func look(at path: String, in value: MetadataValue, whole: (MetadataValue) -> MetadataValue) {
            switch value {
            case .object(let members):
                for (name, inner) in members {
                    let place = path.isEmpty ? name : "\(path).\(name)"
                    if !isReadable(whole(.object(members.filter { $0.key != name }))) { found.insert(place) }
                    look(at: place, in: inner) { changed in whole(.object(members.merging([name: changed]) { $1 })) }
                }
            case .array(let values):
                if let first = values.first { look(at: "\(path)[]", in: first) { whole(.array([$0])) } }
            case .null, .bool, .number, .string: break
            }
        }
        look(at: "", in: model) { $0 }
        return found
    }()

    private static func isReadable(_ value: MetadataValue) -> Bool {
        (try? JSONDecoder().decode(SandboxWorld.self, from: JSONEncoder().encode(value))) != nil
    }

    /// Returns the texts that a field may have; `nil` for a field with any text.
    static func choices(at path: String) -> [String]? {
        switch path {
        case "providers[].login": [SandboxWorld.Provider.Login.form, .redirect, .none].map(\.rawValue)
        case "providers[].degradation":
            [SandboxWorld.Provider.Degradation.authenticateAll, .authorizeAll, .authorizeNone].map(\.rawValue)
        case "faults[].kind": SandboxWorld.Fault.Kind.allCases.map(\.rawValue)
        default: nil
        }
    }

    /// Returns a Boolean value that indicates whether a field may have a text.
    static func allows(_ text: String, at path: String) -> Bool {
        switch path {
        case "providers[].login": SandboxWorld.Provider.Login(rawValue: text) != nil
        case "providers[].degradation": SandboxWorld.Provider.Degradation(rawValue: text) != nil
        case "faults[].kind": SandboxWorld.Fault.Kind(rawValue: text) != nil
        default: true
        }
    }

    /// Returns a phrase for what a field takes, such as "a whole number".
    static func allowed(at path: String, like model: MetadataValue) -> String {
        if let choices = choices(at: path), let last = choices.last {
            return "\(choices.dropLast().joined(separator: ", ")) or \(last)"
        }
        return switch model {
        case .null: "nothing"
        case .bool: "true or false"
        case .number: "a whole number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
