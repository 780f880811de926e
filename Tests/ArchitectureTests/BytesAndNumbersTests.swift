import Foundation
import Testing

/// Text with delimiters is handled as bytes, numbers are converted where they are checked, and no script trusts a
/// folder that everyone can write to.
struct BytesAndNumbersTests {
    /// Expects that exactly the exceptions were found.
    ///
    /// An exception is a file, or a folder if its name ends with a slash.
    private static func expect(_ found: some Sequence<String>, areTheExceptions exceptions: [String: String]) {
        let found = found.map { $0.dropFirst("Modules/".count) }
        func covers(_ exception: String, _ file: Substring) -> Bool {
            exception.hasSuffix("/") ? file.hasPrefix(exception) : file == exception
        }
        #expect(found.filter { file in !exceptions.keys.contains { covers($0, file) } } == [], "These break the rule.")
        #expect(exceptions.keys.filter { key in !found.contains { covers(key, $0) } } == [], "These need no exception.")
    }

    // MARK: - Delimiters

    /// The files that search or split text as characters, with the reason for which that is correct or harmless.
    private static let characterSearches: [String: String] = [
        "TVEConformance/Findings/OldCall.swift": "a table that this module wrote",
        "TVEModels/Configuration/SoftwareStatement+Redirect.swift": "a JWT that does not decode has no redirect",
        "TVENetworking/Classic/ClassicXMLService.swift": "words in a sentence for people",
        "TVESandbox/World/DocumentReading.swift": "places that this module wrote",
        "VerificationService/TVERedisUses/Connection/RedisLink.swift": "what Redis says about itself",
        "VerificationService/TVERedisUses/Uses/RedisAddress.swift": "every byte is checked afterwards",
        "VerificationService/TVERedisUses/Uses/RedisMemory.swift": "four words that this module wrote",
        "VerificationService/TVERedisUses/Uses/RedisSpend.swift": "Base64 is ASCII",
        "VerificationService/TVEVerification/HTTP/BodyReader.swift":
            "a media type must be equal; names are those of our own fields",
        "VerificationService/TVEVerification/HTTP/CallerPolicy.swift": "the key must have a known digest",
        "VerificationService/TVEVerification/HTTP/RouteMeters.swift": "every byte is checked afterwards",
        "VerificationService/TVEVerification/HTTP/ServiceFrame.swift": "the result must be one of our own paths",
        "VerificationService/TVEVerification/Keys/KeyDirectory.swift": "the names of files that the operator wrote",
        "VerificationService/tve-verifier/Configuration/": "what the operator wrote",
    ]

    /// The expressions for sources that compare the delimiters of a text as characters.
    ///
    /// Creating them takes as long as a search in a source.
    private struct CharacterSearch {
        /// The arguments of these methods are always texts.
        private let methods = /\.(?:hasPrefix|hasSuffix|replacing|replacingOccurrences|trimmingPrefix)\b/
        private let splits = /\.components\(separatedBy|\.split\((?:whereSeparator|separator: (?!UInt8|0x))/
        /// Searching for a word without delimiters is permitted.
        private let searches = /\.(?:contains|firstRange|ranges|range)\((?:of: )?"[^"\n]*[^"A-Za-z0-9\n][^"\n]*"/
        private let places = /\.(?:firstIndex|lastIndex)\(of: "/
        private let comparisons = /(?:\$0|\.first|\.last) [!=]= "(?:\\.|[^"A-Za-z0-9\\])"/

        /// Texts of which every line that fits one of the expressions contains one.
        private static let hints = [
            "hasPrefix", "hasSuffix", "replacing", "trimmingPrefix", "components(", "split(", "contains(\"",
            "contains(of: \"", "ange(", "ranges(", "Index(of: \"", "= \"",
        ]

        /// Returns a Boolean value that indicates whether a source compares the delimiters of a text as characters.
        func isMade(in code: String) -> Bool {
            let lines = Repository.lines(in: code).filter { Self.hints.contains(where: $0.hasText) }
            guard !lines.isEmpty else { return false }
            let found = lines.joined(separator: "\n")
            return found.contains(methods) || found.contains(splits) || found.contains(searches)
                || found.contains(places) || found.contains(comparisons)
        }
    }

    @Test func onlyTheExceptionsSearchTextAsCharacters() throws {
        let files = try Repository.files("Modules")
        #expect(files.count > 200, "The reader of sources finds nothing.")
        let search = CharacterSearch()
        let found = try files.filter { search.isMade(in: try Repository.code(in: $0)) }
        Self.expect(found, areTheExceptions: Self.characterSearches)
    }

    @Test(arguments: [
        (#"a.hasPrefix("x")"#, true), ("names.contains(where: place.hasSuffix)", true),
        (#"text.replacing("'", with: "x")"#, true), (#"text.split(separator: ";")"#, true),
        ("text.split(whereSeparator: \\.isNewline)", true), (#"text.components(separatedBy: "--")"#, true),
        (#"path.contains("?")"#, true), (#"path.firstIndex(of: "/")"#, true), (#"prefix { $0 != "?" }"#, true),
        (#"name.allSatisfy { $0 == "." }"#, true), (#"if rest.first == ":" {"#, true),
        (#"// a.hasPrefix("x")"#, false), (#"a.hasBytePrefix("x/")"#, false), (#"text.contains("iPhone")"#, false),
        (#"text.utf8.split(separator: UInt8(ascii: "?"))"#, false), ("bytes.split(separator: 0x20)", false),
        (#"text.replacingBytes(of: "'", with: "x")"#, false), (#"$0 == "domainName""#, false),
        (#"path.first == "api""#, false), (#"text.utf8.contains(UInt8(ascii: "<"))"#, false),
    ])
    func findsASearchForCharacters(source: String, isOne: Bool) {
        #expect(CharacterSearch().isMade(in: Repository.code(of: source)) == isOne)
    }

    // MARK: - Numbers

    /// The files that convert a `Double` without `init(bounded:)`, with the reason for which that cannot end the
    /// process.
    private static let conversions: [String: String] = [
        "VerificationService/TVERedisUses/Uses/RedisSpend.swift": "bounded in the same line",
        "VerificationService/TVERedisUses/Worker/RedisWaiting.swift": "bounded in the same line",
        "VerificationService/TVEVerification/Judging/VerificationAnswer.swift": "bounded in the same line",
        "VerificationService/TVEVerification/Metrics/PrometheusHandlers.swift": "bounded in the same line",
        "VerificationService/tve-verifier/Service/VerifierService.swift":
            "sums of values that the configuration bounds",
    ]

    /// Returns the names that a source declares as floating point.
    private static func doubles(_ code: String) -> Set<String> {
        // A quick search comes first, because the expression tries every word of a source.
        guard ["Double", "TimeInterval"].contains(where: code.hasText) else { return [] }
        return Set(code.matches(of: /\b(\w+)\s*:\s*(?:Double|TimeInterval)\b/).map { String($0.1) })
    }

    /// Returns the names that get a floating-point value without a declared type, which are private to their source.
    private static func inferred(_ code: String) -> Set<String> {
        let pattern = /(?:let|var) (\w+) = .*(?:timeInterval|\/ \.(?:milli)?seconds\(1\)|\.rounded\()/
        return Set(code.matches(of: pattern).map { String($0.1) })
    }

    /// Returns the names that a source declares as integers, strings or durations.
    private static func others(_ code: String) -> Set<String> {
        Set(code.matches(of: /\b(\w+)\s*:\s*(?:U?Int\w*|String|Duration)\b/).map { String($0.1) })
    }

    /// Returns the conversions of floating point in a source.
    ///
    /// They are found by names and operations, because types are unknown here.
    ///
    /// - Parameters:
    ///   - code: the source.
    ///   - known: the names that other sources of the module declare as floating point.
    private static func conversions(_ code: String, known: Set<String>) -> [Substring] {
        // A quick search comes first, because most sources convert nothing.
        guard ["Int(", "Int8(", "Int16(", "Int32(", "Int64("].contains(where: code.hasText) else { return [] }
        let candidates = code.matches(of: /\bU?Int(?:8|16|32|64)?\((?!\w+:)/)
        guard !candidates.isEmpty else { return [] }
        let names = known.subtracting(others(code)).union(doubles(code)).union(inferred(code))
        // Creating an expression takes as long as a search in a source.
        let values = /timeInterval|Double\(|\.rounded\(|\/ \.\w*seconds\(|\d\.\d|\de\d|\$0 \*/
        let words = /\w+/
        return candidates.compactMap { match in
            var depth = 1
            var end = match.range.upperBound
            while depth > 0, end < code.endIndex {
                if code.utf8[end] == UInt8(ascii: "(") { depth += 1 }
                if code.utf8[end] == UInt8(ascii: ")") { depth -= 1 }
                end = code.utf8.index(after: end)
            }
            let argument = code[match.range.upperBound..<end]
            let isDouble =
                argument.contains(values) || argument.matches(of: words).contains { names.contains(String($0.0)) }
            return isDouble ? argument : nil
        }
    }

    @Test func onlyTheExceptionsConvertFloatingPoint() throws {
        var modules: [String: [String: String]] = [:]
        for file in try Repository.files("Modules") {
            let module = file.split(separator: "/")[1]
            modules[String(module), default: [:]][file] = try Repository.code(in: file)
        }
        var found: Set<String> = []
        for sources in modules.values {
            let known = sources.values.reduce(into: Set()) { $0.formUnion(Self.doubles($1)) }
            for (file, code) in sources where !Self.conversions(code, known: known).isEmpty { found.insert(file) }
        }
        Self.expect(found, areTheExceptions: Self.conversions)
    }

    @Test(arguments: [
        ("Int64((date.timeIntervalSince1970 * 1000).rounded())", true), ("Int(lifetime * 2)", true),
        ("let x: TimeInterval = 1\nInt64(x)", true), ("let y = (a / .seconds(1))\nInt(y)", true), ("Int(1.5)", true),
        ("a.map { Int64($0 * 1000) }", true),
        ("Int(bounded: date.timeIntervalSince1970)", false), ("Int64(exactly: lifetime)", false),
        ("let lifetime: Int = 1\nInt64(lifetime)", false), ("Int(count)", false), ("Int(text) ?? 0", false),
    ])
    func findsAConversionOfFloatingPoint(source: String, isOne: Bool) {
        #expect(Self.conversions(source, known: ["lifetime"]).isEmpty != isOne)
    }

    // MARK: - Shared folders

    /// Texts of which every line that names such a folder contains one.
    private static let sharedFolders = ["/tmp", "/dev/shm", "TMPDIR", "gettempdir"]

    /// Returns a Boolean value that indicates whether a line names a file in a folder to which every user may write.
    private static func trustsASharedFolder(_ line: String) -> Bool {
        // A quick search comes first, because an expression for each line takes long.
        guard sharedFolders.contains(where: line.hasText) else { return false }
        // `mktemp` creates a name that nobody can guess, and a folder that only its owner may enter.
        if line.contains(/mktemp|mkdtemp|TemporaryDirectory\(/) { return false }
        return line.contains(/(?:^|[^\w.])\/(?:tmp|var\/tmp|dev\/shm)\b|\$\{?TMPDIR\b[^}]*\}?\/|gettempdir\(\)/)
    }

    /// Returns a Boolean value that indicates whether a line of a script sources a file from outside the repository.
    private static func sourcesAFile(_ line: String) -> Bool {
        (line.hasText(". ") || line.hasText("source "))
            && line.contains(/^\s*(?:\.|source) +(?!"?\$\(dirname "\$0"\)|\.ci\/|"?\.ci\/)/)
    }

    @Test(arguments: ["", ".ci", ".github", "Documentation", "Benchmarks"])
    func nothingTrustsASharedFolder(folder: String) throws {
        let files =
            folder.isEmpty
            ? ["README.md", "SECURITY.md"]
            : try Repository.files(folder, "").filter {
                $0.contains(/\.(?:md|ya?ml|py|sh|swift|toml)$/) || !$0.contains(/\.\w+$/)
            }
        #expect(!files.isEmpty)
        for file in files {
            // Folders and pictures cannot be read as text.
            guard let text = try? Repository.text(file) else { continue }
            // A quick search comes first, because an expression for each line of each file takes seconds.
            let isScript = text.hasPrefix("#!") && text.prefix(40).contains("sh\n")
            guard isScript || Self.sharedFolders.contains(where: text.hasText) else { continue }
            let lines = Repository.lines(in: text)
            #expect(lines.filter(Self.trustsASharedFolder) == [], "\(file)")
            if isScript { #expect(lines.filter(Self.sourcesAFile) == [], "\(file)") }
        }
    }

    @Test(arguments: [
        ("place=/tmp/demo-$(id -u)", true), ("work=${TMPDIR:-/tmp}/x", true), ("log=$TMPDIR/x", true),
        ("-max_len=1 /tmp/found Corpus", true), ("work=$(mktemp -d)", false),
        ("work=$(mktemp -d /tmp/x.XXXXXX)", false),
        ("env TMPDIR=\"$work\" run", false), ("cp a Documentation/tmp", false),
    ])
    func findsASharedFolder(line: String, isOne: Bool) {
        #expect(Self.trustsASharedFolder(line) == isOne)
    }

    @Test(arguments: [
        (". \"$place/ready\"", true), ("    source \"$x\"", true), ("    . /etc/x", true), (". .ci/names", false),
        (". \"$(dirname \"$0\")/names\"", false), ("cp . x", false), ("./run", false),
    ])
    func findsASourcedFile(line: String, isOne: Bool) {
        #expect(Self.sourcesAFile(line) == isOne)
    }
}
