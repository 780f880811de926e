import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import Testing

/// Every input of the fuzzing corpus is parsed as its kind, and compared with Foundation's parser.
@Suite(.oneAtATime)
struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Benchmarks/Fuzzing/Corpus")

    static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []

    static func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }

    /// Returns the names of the readers that accept an input.
    private static func readers(of bytes: Data) -> Set<String> {
        let decoder = TokenDecoder()
        let answers = ServiceAnswerReader()
        let text = String(decoding: bytes, as: UTF8.self)
        var readers: Set<String> = []
        // The input is read as a whole token, and as a body inside an envelope that is always valid.
        for token in [text, "<signatureInfo>AAEC<signatureInfo>\(text)"] {
            if (try? decoder.authenticationToken(token)) != nil { readers.insert("authentication") }
            if (try? decoder.authorizationToken(token)) != nil { readers.insert("authorization") }
            if (try? decoder.mediaToken(token)) != nil { readers.insert("media") }
        }
        if (try? ConfigurationReader().configuration(bytes)) != nil { readers.insert("configuration") }
        if (try? answers.preauthorization(bytes)) != nil { readers.insert("preauthorization") }
        if (try? answers.session(bytes)) != nil { readers.insert("answer") }
        if (try? answers.authorization(bytes)) != nil { readers.insert("answer") }
        if (try? Resource(text).channelID()) != nil { readers.insert("resource") }
        return readers
    }

    private static let expected = [
        "authentication-body": "authentication", "authentication-token": "authentication",
        "authorization-body": "authorization", "authorization-token": "authorization", "media-body": "media",
        "media-token": "media", "configuration": "configuration", "denial": "answer", "pending-logout": "answer",
        "session-answer": "answer", "preauthorization": "preauthorization", "mrss": "resource",
    ]

    @Test func knowsEveryInput() {
        #expect(Set(Self.names) == Set(Self.expected.keys).union(["document-type"]))
    }

    @Test(arguments: names)
    func isReadAsWhatItIs(name: String) throws {
        let readers = Self.readers(of: try Self.bytes(name))
        guard let expected = Self.expected[name] else {
            #expect(readers == [], "\(name)")
            return
        }
        #expect(readers.contains(expected), "\(name): \(readers)")
    }

    /// Tokens are compared without their envelope, which is not XML.
    ///
    /// Only the codec refuses the document type.
    @Test(arguments: names.filter { $0 != "document-type" })
    func agreesWithFoundation(name: String) throws {
        let bytes = try Self.bytes(name)
        let envelope = try? TokenEnvelope(parsing: String(decoding: bytes, as: UTF8.self))
        let document = envelope.map { Array($0.body.utf8) } ?? Array(bytes)
        let ours = try DifferentialTests.codec(document)
        #expect(ours == DifferentialTests.foundation(document))
    }
}
