import Foundation
import Harness
import TVETokenCodec

// Does one kind of work so many times, for tools that count instructions and allocations (`.ci/count-instructions`):
// `Counted decode|bare|configuration|bare-configuration TIMES`.
let arguments = CommandLine.arguments
guard arguments.count == 3, let times = Int(arguments[2]) else {
    fatalError("usage: Counted decode|bare|configuration|bare-configuration TIMES")
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
case "bare":
    BareLibXML2.parse(TokenPopulation.documents)(times)
default:
    fatalError("unknown work")
}
