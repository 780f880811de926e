import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TVEFleetFixture

/// Tools for load tests: tokens, a measurement of Redis, and a bare route for comparison.
///
///     TVEFleetTool mint COUNT KEYFILE TOKENFILE     writes one request in JSON on each line
///     TVEFleetTool spends SECONDS ROUNDS            measures the tokens per second in one Redis and in clusters
///     TVEFleetTool echo PORT                        answers POST /echo with its body
switch CommandLine.arguments.dropFirst().first {
case "mint" where CommandLine.arguments.count == 5:
    let mint = try Mint()
    let count = Int(CommandLine.arguments[2]) ?? 0
    try Data(mint.publicKey.utf8).write(to: URL(fileURLWithPath: CommandLine.arguments[3]))
    // A memory that began before the current second grants these tokens.
    let lines = try await mint.tokens(count, issued: Date(), seconds: 86_400).map { token in
        "{\"token\":\"\(Data(token.utf8).base64EncodedString())\",\"resource\":\"DEMO-1\"}"
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: CommandLine.arguments[4]))
case "spends" where CommandLine.arguments.count == 4:
    try await Spends.run(
        seconds: Double(CommandLine.arguments[2]) ?? 5, rounds: max(1, Int(CommandLine.arguments[3]) ?? 1))
case "echo" where CommandLine.arguments.count == 3:
    let router = Router()
    router.post("echo") { request, _ in
        let body = try await request.body.collect(upTo: 1 << 20)
        return Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
    }
    var logger = Logger(label: "echo")
    logger.logLevel = .error
    let application = Application(
        router: router,
        configuration: .init(address: .hostname("127.0.0.1", port: Int(CommandLine.arguments[2]) ?? 0), backlog: 4_096),
        logger: logger)
    try await application.runService()
default:
    FileHandle.standardError.write(
        Data("TVEFleetTool mint COUNT KEYFILE TOKENFILE | spends SECONDS ROUNDS | echo PORT\n".utf8))
    exit(64)
}
