import Foundation
import TVEModels

/// The answer to a logout: by MVPD id (REST API v2, 5.11).
struct LogoutAnswer: Decodable {
    let logouts: [ExactText: Entry]

    private enum CodingKeys: String, CodingKey { case logouts }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let all = try values.map(Entry.self, .logouts) ?? values.decode([String: Entry].self, forKey: .logouts)
        logouts = all.keyedByBytes
    }

    /// What remains to be done for one provider.
    struct Entry: Decodable {
        let action: String
        let url: String?

        private enum CodingKeys: String, CodingKey { case actionName, url }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            action = try values.decode(String.self, forKey: .actionName)
            url = values.text(.url)
        }
    }
}
