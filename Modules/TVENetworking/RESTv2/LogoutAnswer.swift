import Foundation
import TVEModels

/// The answer to a logout: by MVPD id (REST API v2, 5.11).
struct LogoutAnswer: Decodable {
    let logouts: [MVPDID: Entry]

    private enum CodingKeys: String, CodingKey { case logouts }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        logouts =
            try values.map(MVPDID.self, Entry.self, .logouts) ?? values.decode([MVPDID: Entry].self, forKey: .logouts)
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
