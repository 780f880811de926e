import Crypto
import Foundation
import TVEModels

/// The metadata that the provider has about a viewer.
enum UserMetadataJSON {
    static func text(of login: Login, _ state: SandboxState) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(metadata(of: login, state))).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    static func metadata(of login: Login, _ state: SandboxState) -> UserMetadata {
        var data: [String: MetadataValue] = [:]
        var encrypted: Set<String> = []
        if let name = login.viewer, let viewer = state.world.viewer(name) {
            data["userID"] = .string(userID(of: login))
            data["channelID"] = .array(viewer.resources.map(MetadataValue.string))
            if let zip = viewer.zip { data["zip"] = .array([.string(zip)]) }
            for (name, text) in viewer.encrypted ?? [:] { data[name] = .string(text) }
            encrypted = Set(viewer.encrypted?.keys.map(\.self) ?? [])
        }
        if case .platformViewer = login.subject { data["tokenSource"] = .string("Apple") }
        if case .tempPass(let holder) = login.subject {
            data.merge(Trials.metadata(of: holder, login: login, in: state)) { $1 }
        }
        return UserMetadata(updated: state.now, data: data, encrypted: encrypted)
    }

    /// Returns the anonymous id of a viewer at a provider, which is the same at every login (wire protocol,
    /// `sessionGUID`).
    static func userID(of login: Login) -> String {
        let text = "sandbox\n\(login.viewer ?? login.guid)\n\(login.mvpdID)"
        return String(SHA256.hash(data: Data(text.utf8)).hexadecimal.prefix(32))
    }
}
