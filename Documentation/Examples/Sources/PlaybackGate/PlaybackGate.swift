import Foundation
import Hummingbird

/// A back end that starts a stream only for a media token that is valid and was never used.
@main
struct PlaybackGate {
    struct Question: Decodable {
        let token: String
        let resource: String
    }

    struct Answer: ResponseCodable {
        let mayPlay: Bool
        let reason: String?
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let port = Int(arguments[1]) else {
            print("usage: PlaybackGate PORT KEY.pem")
            exit(64)
        }
        let gate = try Gate(pem: String(contentsOfFile: arguments[2], encoding: .utf8), requestorID: "DEMO")
        let router = Router()
        router.post("play") { request, context -> EditedResponse<Answer> in
            let question = try await request.decode(as: Question.self, context: context)
            switch try gate.decision(on: question.token, for: question.resource) {
            case .allowed: return EditedResponse(status: .ok, response: Answer(mayPlay: true, reason: nil))
            case .refused(let reason):
                return EditedResponse(status: .forbidden, response: Answer(mayPlay: false, reason: reason))
            }
        }
        try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
            .runService()
    }
}
