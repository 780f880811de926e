import Foundation
import TVETestTraits
import Testing

/// The compiler checks memory safety everywhere, and only calls of C and accesses to memory turn the check off.
struct MemorySafetyTests {
    /// The files of the product with the word `unsafe`, and the reason for it.
    private static let exceptions: [String: String] = [
        "AccessEnabler/Calls/Callbacks.swift": "takes an actor off the type of a function",
        "TVENetworking/Device/DeviceFacts.swift": "calls of C about the machine",
        "TVEModels/System/InterfaceAddress.swift": "calls of C about the network",
        "TVEModels/System/SignalProtection.swift": "a call of C about a socket",
        "TVEModels/System/SystemCall.swift": "calls of C with paths, bytes and structures",
        "TVEModels/Text/Span+Bytes.swift": "spans of what the standard library offers as pointers",
        "VerificationService/TVERedisUses/Connection/RedisProtocol.swift": "answers of hiredis",
        "VerificationService/TVERedisUses/Connection/RedisSocket.swift": "calls of hiredis and OpenSSL",
        "VerificationService/TVERedisUses/Connection/RedisTLS.swift": "calls of OpenSSL",
        "VerificationService/TVERedisUses/Worker/RedisWaiting.swift": "calls of C about threads, signals and a pipe",
        "TVESandbox/Server/EmbeddedFile.swift": "the texts of a module of C",
        "TVESandboxConsole/Exchanges/SearchIndex.swift": "calls of C that search",
        "TVEModels/Text/UTF8Check.swift": "words that the loop has compared with the length",
        "TVEModels/UntrustedJSON/JSONCursor+Text.swift": "words whose place is compared with the length before",
        "TVEStorage/Backends/KeychainStorage+Apple.swift": "calls of C of the keychain",
        "TVEStorage/Backends/PasteboardStorage+Apple.swift": "takes an actor off the type of a function",
        "TVEStorage/Log/CRC32C.swift": "words that the loop has compared with the length",
        "TVEStorage/Log/LogFormat.swift": "a number in bytes; the span checks its place",
        "TVEStorage/Log/StorageLog+Scanning.swift": "words that the loop has compared with the length",
        "TVEStorage/Log/StorageSystem.swift": "calls of C about files",
        "TVETestSupport/Conformance/HTTPTransportConformance+Failures.swift": "calls of C about a task and a socket",
        "TVETestSupport/Transport/LoopbackServer.swift": "calls of C about sockets",
        "TVETokenCodec/LibXML2/ParserName.swift": "a name in the memory of libxml2",
        "TVETokenCodec/LibXML2/XMLParser.swift": "calls of libxml2",
        "TVETokenCodec/LibXML2/XMLReader+Thread.swift": "the slot of a thread",
        "TVETokenCodec/LibXML2/XMLReader.swift": "the receiver of libxml2's events",
        "TVETokenCodec/Scanner/PaddedText.swift": "words whose place is compared with the length before",
        "TVETokenCodec/Tape/KeptBuffer.swift": "memory with one owner, every place of which is checked",
        "TVETokenCodec/Tape/KnownNames.swift": "a table that is not counted by references",
        "TVETokenCodec/Tape/XMLDocument.swift": "bytes for a span, and for libxml2",
        "TVETokenCodec/Tokens/Base64.swift": "words that the loop has compared with the length",
        "TVETokenVerification/Verifying/MediaTokenVerifier.swift": "bytes for a hash",
        "VerificationService/tve-verifier/Configuration/ListenAddress.swift": "calls of C about an address",
        "VerificationService/tve-verifier/Configuration/VerifierConfiguration+Requestors.swift":
            "an answer that Foundation writes",
        "VerificationService/tve-verifier/Service/VerifierService.swift": "calls of C about a limit",
        "tve/Terminal/NamedFile.swift": "a call of C that reads",
        "tve/Terminal/LineReader.swift": "a stream of the C library",
        "tve/Terminal/Output.swift": "a call of C that waits",
        "tve/Terminal/PasswordPrompt.swift": "calls of C about the terminal",
        "tve/Terminal/Terminal.swift": "a call of C about the terminal",
    ]

    @Test(.row("SE13")) func onlyTheExceptionsAreUnsafe() throws {
        let files = try Repository.files("Modules")
        #expect(files.count > 200, "The reader of sources finds nothing.")
        let found = try files.filter { file in
            let code = try Repository.code(in: file)
            // A quick search comes first, because nearly no source has the word.
            return code.hasText("unsafe") && code.contains(/\bunsafe\s/)
        }
        let names = Set(found.map { String($0.dropFirst("Modules/".count)) })
        #expect(names.subtracting(Self.exceptions.keys).sorted() == [], "These break the rule.")
        #expect(Set(Self.exceptions.keys).subtracting(names).sorted() == [], "These need no exception.")
    }

    /// Returns the reasons for which the compiler does not check all targets of a manifest; empty if it does.
    private static func gaps(_ manifest: String) -> [String] {
        let code = Repository.code(of: manifest)
        var gaps: [String] = []
        if !code.contains(
            /for target in package\.targets where [^{]*\{\s*target\.swiftSettings = \[[^\]]*\.strictMemorySafety\(\)/)
        {
            gaps.append("the settings of all targets have no check")
        }
        // Old apps are compiled unchanged. The other two targets are C.
        let expected =
            #"let others = ["SourceCompatibilityTests", "AccessEnablerHeaders", "CTVELibXML2", "CTVESandboxFiles"]"#
        if !code.contains(expected) { gaps.append("other targets have no settings") }
        if !code.contains("where target.type != .system && !others.contains(target.name) {") {
            gaps.append("the settings are for other targets")
        }
        let settings = code.matches(of: /swiftSettings(?:: | = )/).count
        // The settings are those of old apps, those of all targets, and those that a sanitizer adds.
        if settings != 3 { gaps.append("\(settings) places have settings") }
        return gaps
    }

    @Test func everyTargetIsChecked() throws {
        #expect(Self.gaps(try Repository.text("Package.swift")) == [])
    }

    @Test(arguments: [
        (".strictMemorySafety(),", ""), (#""CTVESandboxFiles"]"#, #""CTVESandboxFiles", "TVEStorage"]"#),
        ("where target.type != .system && !others", "where target.type == .test && !others"),
        ("swiftLanguageModes: [.v6]", "swiftSettings: [], swiftLanguageModes: [.v6]"),
    ])
    func findsATargetThatIsNotChecked(old: String, new: String) throws {
        let manifest = try Repository.text("Package.swift")
        #expect(manifest.contains(old))
        #expect(Self.gaps(manifest.replacingOccurrences(of: old, with: new)) != [])
    }
}
