import Crypto
import Foundation
import TVEModels

/// What the provider tells about a viewer.
enum UserMetadataJSON {
    static func text(of login: Login, _ state: SandboxState) -> String {
        var data: [String: MetadataValue] = [:]
        if let name = login.viewer, let viewer = state.world.viewers.first(where: { $0.name == name }) {
            data["userID"] = .string(userID(of: login))
            data["channelID"] = .array(viewer.resources.map(MetadataValue.string))
            if let zip = viewer.zip { data["zip"] = .array([.string(zip)]) }
        }
        let metadata = UserMetadata(updated: state.now, data: data)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(metadata)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The anonymous key of a viewer at a provider: the same at every login (wire protocol, `sessionGUID`).
    static func userID(of login: Login) -> String {
        let text = "sandbox\n\(login.viewer ?? login.guid)\n\(login.mvpdID)"
        return String(SHA256.hash(data: Data(text.utf8)).hexadecimal.prefix(32))
    }
}
