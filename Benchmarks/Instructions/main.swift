import BareLibXML2
import Harness
import TVETokenCodec

// Does one kind of work so many times, for tools that count (`.ci/count-instructions`):
// `Instructions decode|bare COUNT`.
let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]) else { fatalError("usage: Instructions decode|bare COUNT") }

let tokens = TokenPopulation.authentication
let documents = TokenPopulation.documents
switch arguments[1] {
case "decode":
    let decoder = TokenDecoder()
    for number in 0..<count {
        guard (try? decoder.authenticationToken(tokens[number % tokens.count])) != nil else { fatalError("refused") }
    }
case "bare":
    let parser = bare_parser_new()
    for number in 0..<count {
        guard documents[number % documents.count].withUnsafeBufferPointer({ bare_parser_parse(parser, $0.baseAddress) }) == 1
        else { fatalError("refused") }
    }
    bare_parser_free(parser)
default:
    fatalError("unknown work")
}
