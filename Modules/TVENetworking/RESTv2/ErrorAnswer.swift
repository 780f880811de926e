import Foundation
import TVEModels

/// An enhanced error as sent by the service (REST API v2, error model).
struct ErrorAnswer: Decodable {
    let error: EnhancedError

    private enum CodingKeys: String, CodingKey { case status, code, message, details, helpUrl, trace, action }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        error = EnhancedError(
            status: values.number(.status), code: try values.decode(String.self, forKey: .code),
            message: values.text(.message), details: values.text(.details), helpURL: values.text(.helpUrl),
            trace: values.text(.trace), action: values.text(.action))
    }

    /// The error in a body, nil when there is none.
    static func read(_ body: Data) -> EnhancedError? {
        (try? OutsideJSON.decode(ErrorAnswer.self, from: body, .small))?.error
    }
}
