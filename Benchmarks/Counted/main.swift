import Foundation
import Harness
import TVETokenCodec

// The readers of JSON are not public, so this program is built with `-enable-testing` (`.ci/package/instructions`).
@testable import TVEModels
@testable import TVENetworking

// Repeats one kind of work, for tools that count instructions and allocations. The cases below are the names of all
// kinds.
let arguments = CommandLine.arguments
guard arguments.count == 3, let times = Int(arguments[2]) else { fatalError("usage: Counted WORK TIMES") }

/// Reads an answer of REST API v2 as the library does.
func repeatReading<Answer: JSONReadable>(
    _ type: Answer.Type, from text: String, times: Int, limits: UntrustedJSON.Limits = .answer
) {
    let body = Data(text.utf8)
    for _ in 0..<times {
        guard (try? UntrustedJSON.read(type, from: body, limits)) != nil else { fatalError("refused") }
    }
}

/// Reads an answer of REST API v2 with Foundation's decoder.
func repeatDecoding<Answer: Decodable>(_ type: Answer.Type, from text: String, times: Int) {
    let body = Data(text.utf8)
    for _ in 0..<times {
        guard (try? JSONDecoder().decode(type, from: body)) != nil else { fatalError("refused") }
    }
}

switch arguments[1] {
case "decode":
    let decoder = TokenDecoder()
    let tokens = TokenPopulation.authentication
    for number in 0..<times {
        guard (try? decoder.authenticationToken(tokens[number % tokens.count])) != nil else { fatalError("refused") }
    }
case "configuration":
    let reader = ConfigurationReader()
    let body = Data(ConfigurationPopulation.text(providers: 1_000).utf8)
    for _ in 0..<times {
        guard (try? reader.configuration(body)) != nil else { fatalError("refused") }
    }
case "bare-configuration":
    BareLibXML2.parse([Array(ConfigurationPopulation.text(providers: 1_000).utf8CString)])(times)
case "json-configuration":
    let text = JSONPopulation.configuration(providers: 1_000)
    repeatReading(ConfigurationAnswer.self, from: text, times: times, limits: .configuration)
case "decoder-configuration":
    repeatDecoding(PlainConfiguration.self, from: JSONPopulation.configuration(providers: 1_000), times: times)
case "json-profile": repeatReading(ProfilesAnswer.self, from: JSONPopulation.profile, times: times)
case "decoder-profile": repeatDecoding(PlainProfiles.self, from: JSONPopulation.profile, times: times)
case "json-decision": repeatReading(DecisionsAnswer.self, from: JSONPopulation.decision, times: times)
case "decoder-decision": repeatDecoding(PlainDecisions.self, from: JSONPopulation.decision, times: times)
case "bare":
    BareLibXML2.parse(TokenPopulation.documents)(times)
default:
    fatalError("unknown work")
}
