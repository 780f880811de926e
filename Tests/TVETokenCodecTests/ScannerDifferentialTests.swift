import Foundation
import TVEModels
import TVETestTraits
import Testing

@testable import TVETokenCodec

/// The scanner and libxml2 write the same to the tape, byte for byte, or the scanner gives the document up.
///
/// Inputs that libFuzzer finds (HowThisProjectTests.md) become files of its corpus, which are also tested here.
@Suite(.oneAtATime)
struct ScannerDifferentialTests {
    /// The limits, some of which are wide enough for every sample, while most samples exceed the others.
    private static let policies = [
        XMLPolicy.answer,
        XMLPolicy(
            maximumBytes: 2_000, maximumDepth: 2, maximumElements: 4, allowsComments: false, maximumAttributes: 1),
    ]

    /// Parses a document in both ways.
    ///
    /// - Returns: a Boolean value that indicates whether the scanner parsed it, with the widest limits.
    @discardableResult
    private static func compare(_ bytes: [UInt8]) -> Bool {
        var isScanned = false
        for policy in policies.reversed() {
            let both = XMLTranscript.both(bytes, policy)
            isScanned = both.isScanned
            guard both.scanner != both.library else { continue }
            Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(both.scanner) instead of \(both.library)")
        }
        return isScanned
    }

    // MARK: - Choice of parser

    @Test(arguments: ScannerSamples.scanned)
    func scans(document: String) {
        #expect(Self.compare(Array(document.utf8)))
    }

    @Test(arguments: ScannerSamples.givenUp)
    func leavesToTheLibrary(document: String) {
        #expect(!Self.compare(Array(document.utf8)))
    }

    @Test(arguments: ScannerSamples.givenUpBytes)
    func leavesToTheLibrary(bytes: [UInt8]) {
        #expect(!Self.compare(bytes))
    }

    /// Calls all public readers, and returns the last passes of this thread's reader after each of them.
    private static func passesOfReaders(usesScanner: Bool) throws -> [XMLReader.Pass?] {
        var policy = XMLPolicy.token
        policy.usesScanner = usesScanner
        let decoder = TokenDecoder(policy: policy)
        let answers = ServiceAnswerReader(policy: policy)
        let readers: [() throws -> Any] = [
            { try decoder.authenticationToken(TokenSamples.authentication) },
            { try decoder.authorizationToken(TokenSamples.authorization) },
            { try decoder.mediaToken(TokenSamples.media) },
            { try ConfigurationReader(policy: policy).configuration(Data(ScannerSamples.configuration.utf8)) },
            { try answers.session(Data(ScannerSamples.session.utf8)) },
            { try answers.preauthorization(Data(ScannerSamples.decisions.utf8)) },
        ]
        return try readers.map { read in
            _ = try read()
            return try XMLReader.withReader(of: "".utf8) { reader in reader.pass }
        }
    }

    @Test func readersUseTheScanner_unlessItIsSwitchedOff() throws {
        // The first calls add the last new names, after which the thread may get a new reader.
        _ = try Self.passesOfReaders(usesScanner: true)
        #expect(try Self.passesOfReaders(usesScanner: true) == Array(repeating: .scan, count: 6))
        #expect(try Self.passesOfReaders(usesScanner: false) == Array(repeating: .whole, count: 6))
    }

    /// A document that is given up late leaves no trace in the library's events.
    @Test func forgetsWhatItGaveUp() throws {
        let document = "<a>x&amp;<b reason=\"1\">ü</b><c><d/></c><![CDATA[y]]></a>"
        let both = XMLTranscript.both(Array(document.utf8), .answer)
        #expect(!both.isScanned)
        #expect(try both.scanner.get() == both.library.get())
        #expect(try both.scanner.get().entries.map(\.name) == ["a", "b", "c", "d", nil])
    }

    /// If libxml2 refuses a document, it parses it only from the error on, but reports the error of the whole document.
    @Test(arguments: [
        ("<a>\n<ttl>x</ttl>\n<c></d></a>", 76, 3), ("<a>\n<b>\n", 77, 3), ("<a>\n<b/><q:c/></a>", 201, 2),
        ("<a><b reason=\"1\">\n&x;</b></a>", 26, 2),
    ])
    func namesTheFault_ofTheWholeDocument(document: String, code: Int, line: Int) {
        #expect(!Self.compare(Array(document.utf8)))
        var policy = XMLPolicy.answer
        policy.usesScanner = true
        let (result, pass) = XMLTranscript.parse(Array(document.utf8), policy)
        #expect(pass == .excerpt)
        #expect(throws: TokenCodecError.malformedXML(code: code, line: line)) { try result.get() }
    }

    // MARK: - Changes

    @Test(arguments: CorpusTests.names)
    func agreesOnTheCorpus(name: String) throws {
        let bytes = Array(try CorpusTests.bytes(name))
        Self.compare(bytes)
        if let body = try? TokenEnvelope(parsing: String(decoding: bytes, as: UTF8.self)).body {
            #expect(Self.compare(Array(body.utf8)))
        }
    }

    /// The values are every fourth one for every byte, different ones at each byte, or all with `TVE_LONG_TESTS`.
    @Test(arguments: ScannerSamples.small)
    func agreesOnEveryChangedByte(document: String) {
        let bytes = Array(document.utf8)
        for offset in bytes.indices {
            let first = LongTests.areOn ? 0 : offset % 4
            let step = LongTests.areOn ? 1 : 4
            for value in stride(from: UInt8(first), through: .max, by: step) where value != bytes[offset] {
                var changed = bytes
                changed[offset] = value
                Self.compare(changed)
            }
        }
    }

    /// The changes are XML's special characters, omitted or doubled bytes, beginnings and ends.
    ///
    /// They are made at every offset. In long documents they are made at every thirteenth one, unless
    /// `TVE_LONG_TESTS=1` is set.
    @Test(arguments: ScannerSamples.scanned)
    func agreesOnEveryMeaningfulChange(document: String) {
        let bytes = Array(document.utf8)
        for offset in stride(from: 0, to: bytes.count, by: LongTests.areOn || bytes.count < 150 ? 1 : 13) {
            for value in Array("<>&;/'\" \t\n\r]!?:=-a\u{0}\u{7F}".utf8) + [0x80, 0xC3, 0xEF, 0xFF] {
                var changed = bytes
                changed[offset] = value
                Self.compare(changed)
            }
            Self.compare(Array(bytes[..<offset]))
            Self.compare(Array(bytes[offset...]))
            Self.compare(Array(bytes[..<offset] + bytes[(offset + 1)...]))
            Self.compare(Array(bytes[...offset] + bytes[offset...]))
        }
    }

    /// The number of rounds, which is eight times as large with `TVE_LONG_TESTS=1`.
    private static let rounds = LongTests.areOn ? 2_000 : 250

    /// Tags, references and text are inserted, removed, doubled and moved, several times in one document.
    @Test(arguments: 0..<8)
    func agreesOnChangesOfStructure(seed: UInt64) {
        var mutator = DocumentMutator(seed: seed)
        var scanned = 0
        for round in 0..<Self.rounds {
            let sample = ScannerSamples.scanned[round % ScannerSamples.scanned.count]
            if Self.compare(mutator.mutated(Array(sample.utf8))) { scanned += 1 }
        }
        // Most of these must be worth the comparison.
        #expect(scanned > Self.rounds / 10)
    }

    /// Long texts and names cross every boundary of eight bytes, and many elements exceed the memory that the tape
    /// retains.
    @Test func agreesOnEveryLength() {
        for count in 0...70 {
            let name = String(repeating: "n", count: count + 1)
            let text = String(repeating: "t", count: count)
            #expect(Self.compare(Array("<\(name)>\(text)</\(name)>".utf8)))
            #expect(Self.compare(Array("<\(name)><ttl>\(text)</ttl>\(text)é\(text)&lt;\(text)</\(name)>".utf8)))
        }
        #expect(Self.compare(Array("<a>\(String(repeating: "<b>&amp;</b>é", count: 10_000))</a>".utf8)))
        let long = String(repeating: "n", count: 256)
        #expect(!Self.compare(Array("<\(long)></\(long)>".utf8)))
    }
}
