import Foundation
import TVEDeviceBinding
import TVEModels
import TVESandbox
import TVETestTraits
import TVETokenCodec
import Testing

@Suite(.fewAtATime, .timeLimit(.hanging))
struct TokenCommandTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private static func mediaToken(age: TimeInterval = 0) throws -> String {
        let claims = MediaToken.Claims(
            sessionGUID: "guid-of-the-viewer", requestorID: "DEMO", resource: "DEMO-1", timeToLive: 420_000,
            issued: TokenDate(secondsSince1970: Int64(Date().timeIntervalSince1970 - age)), mvpdID: "demo-cable")
        return try SandboxKey.ofThisProcess.get().sign(TokenWriter.body(claims)).rawValue
    }

    private static func authenticationToken(
        fingerprint: String = "0000000000000000000000000000000000000000"
    ) throws -> String {
        var claims = AuthenticationToken.Claims(
            authenticationGUID: "guid-of-the-login", requestorID: "DEMO",
            expires: TokenDate(secondsSince1970: Int64(Date().timeIntervalSince1970) + 93_540), mvpdID: "demo-cable",
            fingerprint: fingerprint)
        claims.samlNameID = "name-of-the-viewer"
        return try SandboxKey.ofThisProcess.get().sign(TokenWriter.body(claims)).rawValue
    }

    @Test(arguments: [false, true])
    func showsAnAuthenticationToken_withoutIDs_rawAndInBase64(isWrapped: Bool) async throws {
        let text = try Self.authenticationToken()
        let path = try folder.file("token", (isWrapped ? Data(text.utf8).base64EncodedString() : text) + "\n")
        let tool = try await Tool.run(["token", "inspect", path])
        #expect(tool.status == 0)
        for part in ["AuthN token", "DEMO", "demo-cable", "(in 1 d 1 h)", "another device", "(hidden)", "2048 bits"] {
            #expect(tool.output.contains(part), "\(part)")
        }
        for secret in ["guid-of-the-login", "name-of-the-viewer", "00000000"] { #expect(!tool.output.contains(secret)) }
        let open = try await Tool.run(["token", "inspect", "--show-secrets", path])
        #expect(open.output.contains("guid-of-the-login") && open.output.contains("name-of-the-viewer"))
    }

    /// The device id depends on the first words of the app's id.
    ///
    /// A container often has no id.
    @Test(
        .enabled("This machine has no id.") { try await MachineSeed.read() != nil },
        arguments: [
            ("org.example.tve", [], true), ("org.example.tve.demo", [], true), ("com.example.player", [], false),
            ("com.example.player", ["--bundle-id", "com.example.other"], true),
            ("org.example.tve", ["--bundle-id", "org.example.tve.demo"], false),
        ] as [(String, [String], Bool)])
    func aTokenOfThisToolOrItsDemo_isThisMachines(app: String, options: [String], isOwn: Bool) async throws {
        let seed = try #require(try await MachineSeed.read())
        let device = DeviceIdentity(seed, app: AppIdentity(bundleID: app, teamID: "TEAM"))
        let text = try Self.authenticationToken(fingerprint: device.fingerprint.hexadecimal)
        let tool = try await Tool.run(["token", "inspect", try folder.file("token", text)] + options)
        #expect(tool.status == 0 && tool.output.contains("this machine\n") == isOwn, "\(tool.output)")
        #expect(tool.output.contains("another device") == !isOwn, "\(tool.output)")
    }

    @Test func printsJSON() async throws {
        let tool = try await Tool.run([
            "token", "inspect", "--json", try folder.file("token", try Self.mediaToken(age: 1_000)),
        ])
        let object = try JSONDecoder().decode([String: String].self, from: Data(tool.output.utf8))
        #expect(object["kind"] == "media token: one playback")
        #expect(object["resource"] == "DEMO-1" && object["mvpd"] == "demo-cable" && object["viewer"] == "(hidden)")
        #expect(object["validUntil"]?.hasSuffix("Z") == true && object["boundTo"] == "no device")
    }

    @Test(arguments: [
        ("garbage", "This is not a signed token"),
        ("<signatureInfo>AAEC<signatureInfo><a/>", "The root element is not"),
        ("<signatureInfo>AAEC<signatureInfo><authToken/>", "is missing or empty"),
        ("<signatureInfo>AAEC<signatureInfo><authToken></auth", "or its end is missing"),
        ("", "The input is empty."),
    ])
    func saysWhatIsWrong(content: String, reason: String) async throws {
        let arguments = ["token", "inspect", try folder.file("token", content)]
        let tool = try await content == "garbage" ? Tool.run(arguments) : Tool.failure(of: arguments)
        #expect(tool.status == 1 && tool.output.contains(reason), "\(tool.output)")
    }

    @Test func showsNoControlCharacters() async throws {
        var claims = try TokenDecoder().mediaToken(try Self.mediaToken()).claims
        claims.resource = "\u{9B}31m\u{85}x"
        let token = try SandboxKey.ofThisProcess.get().sign(TokenWriter.body(claims)).rawValue
        let tool = try await Tool.run(["token", "inspect", try folder.file("token", token)])
        #expect(tool.output.contains(" 31mx\n"))
    }

    @Test(
        arguments: [
            ([], 0, 0, "validToken"), (["--resource", "DEMO-1", "--requestor", "DEMO"], 0, 0, "validToken"),
            (["--resource", "DEMO-2"], 0, 1, "invalidResourceID"), (["--requestor", "X"], 0, 1, "errorUnknown"),
            ([], 421, 1, "tokenExpired"), (["--tolerance", "60"], 421, 0, "validToken"),
        ] as [([String], TimeInterval, Int32, String)])
    func verifies(options: [String], age: TimeInterval, status: Int32, verdict: String) async throws {
        let key = try folder.file("key.pem", try SandboxKey.ofThisProcess.get().publicKeyPEM)
        let token = try folder.file("token", try Self.mediaToken(age: age))
        let tool = try await Tool.run(["token", "verify", "--key", key, token] + options)
        #expect(tool.status == status && tool.output.hasPrefix("\(verdict)\n"))
        // Any other verdict comes with a sentence about what to do.
        #expect((tool.output == "\(verdict)\n") == (status == 0), "\(tool.output)")
    }

    @Test(arguments: ["301", "-1", "nan", "inf"])
    func refusesATolerance_thatNoVerifierTakes(tolerance: String) async throws {
        let arguments = ["token", "verify", "--key", "k", "--tolerance=\(tolerance)", "t"]
        let tool = tolerance == "nan" ? try await Tool.run(arguments) : await Tool.refusal(of: arguments)
        #expect(tool.status == 64 && tool.output.contains("from 0 to 300"), "\(tool.output)")
    }

    @Test func endsWithTwo_whenItCannotJudge() async throws {
        let key = try folder.file("key.pem", try SandboxKey.ofThisProcess.get().publicKeyPEM)
        let token = try folder.file("token", try Self.mediaToken())
        let broken = try folder.file("broken.pem", "nothing")
        for arguments in [
            ["--key", folder.path("none"), token], ["--key", broken, token], ["--key", key, folder.path("none")],
        ] {
            let tool = try await Tool.run(["token", "verify"] + arguments)
            #expect(tool.status == 2 && tool.output.hasPrefix("Error: "), "\(tool.output)")
        }
        let foreign = try await Tool.run([
            "token", "verify", "--key", key, try folder.file("t", try Self.authenticationToken()),
        ])
        #expect(foreign.status == 1 && foreign.output.hasPrefix("invalidTokenFormat\n"))
        #expect(foreign.output.contains("The root element is not"), "\(foreign.output)")
        let empty = try await Tool.run(["token", "verify", "--json", "--key", key, try folder.file("empty", "")])
        #expect(
            empty.status == 1 && empty.output.contains("\"reason\":\"The input is empty."), "\(empty.output)")
    }

    @Test(
        arguments: [
            (["", ""], 0, ""), (["\"", "\""], 1, "in quotation marks"),
            (["{\"token\":\"", "\"}"], 1, "This is JSON"),
        ] as [([String], Int32, String)])
    func readsATokenInOddDress_orSaysWhichItIs(around: [String], status: Int32, reason: String) async throws {
        let key = try folder.file("key.pem", try SandboxKey.ofThisProcess.get().publicKeyPEM)
        let wrapped = Data(try Self.mediaToken().utf8).base64EncodedString(options: .lineLength64Characters)
        let token = try folder.file("token", status == 0 ? "\u{FEFF}\(wrapped)\r\n" : around.joined(separator: wrapped))
        let verified = try await Tool.run(["token", "verify", "--key", key, token])
        #expect(verified.status == status && verified.output.containsBytes(of: reason), "\(verified.output)")
        let inspected = try await Tool.run(["token", "inspect", token])
        #expect(inspected.status == status && inspected.output.containsBytes(of: reason), "\(inspected.output)")
    }

    @Test(arguments: [
        (Data([0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2]), "keytool -exportcert -rfc"),
        (Data("<html>".utf8), "This is a web page"), (Data("ssh-rsa AAAA".utf8), "SSH"),
    ])
    func saysWhatAFileIs_thatIsNoKey(content: Data, reason: String) async throws {
        let key = folder.path("key.pem")
        try content.write(to: URL(fileURLWithPath: key))
        let tool = try await Tool.run(["token", "verify", "--key", key, try folder.file("token", Self.mediaToken())])
        #expect(tool.status == 2 && tool.output.contains(reason), "\(tool.output)")
    }
}
