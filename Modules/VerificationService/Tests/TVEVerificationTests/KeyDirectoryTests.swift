import Foundation
import Logging
import TVEFleetFixture
import TVEModels
import TVETestTraits
import TVETokenVerification
import TVEVerification
import Testing

/// The keys that one reading of a directory adds and removes.
struct KeyDirectoryTests {
    private let fleet: Fleet
    private let folder: URL
    private let keys = MediaTokenKeySet()

    init() throws {
        fleet = try Fleet()
        folder = fleet.folder.appendingPathComponent("keys")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    private var names: [String] { keys.keys.map(\.name) }

    private func place(_ name: String) -> URL { folder.appendingPathComponent(name) }

    private func directory(fixed: [MediaTokenKey] = [], allows1024Bits: Bool = false) -> KeyDirectory {
        KeyDirectory(
            path: folder.path, fixed: fixed, keys: keys, allows1024Bits: allows1024Bits, requestor: "DEMO",
            logger: Logger(label: "", factory: { _ in SwiftLogNoOpLogHandler() }), metrics: PrometheusRegistry())
    }

    /// A revoked key must not remain because its file was replaced by something large.
    @Test(.row("VP16")) func aFile_isAKeyUpTo64KiB_andNoneBeyond() throws {
        let key = Data(fleet.mint.publicKey.utf8)
        let directory = directory()
        for (length, isKey) in [(65_536, true), (65_537, false)] {
            try (key + Data(repeating: 0x20, count: length - key.count)).write(to: place("demo.pem"))
            #expect(directory.load() == (isKey ? [] : [.tooLong(file: "demo.pem")]))
            #expect(names == (isKey ? ["demo"] : []))
        }
    }

    @Test(.row("VP16")) func aKeyOfTheConfiguration_stays_whateverTheDirectoryHas() throws {
        let own = fleet.mint
        // Creating a longer key is slow.
        let other = try Mint(bits: 1_024)
        let fixed = MediaTokenKey(name: "demo", key: try TokenVerificationKey(content: Data(own.publicKey.utf8)))
        let directory = directory(fixed: [fixed], allows1024Bits: true)
        let verifier = MediaTokenVerifier(keys: keys, requestorID: "DEMO")
        func signers() throws -> [String?] {
            try [own, other].map { verifier.verify(try $0.token()).keyName }
        }
        try Data(other.publicKey.utf8).write(to: place("demo.pem"))
        #expect(directory.load() == [.sameName("demo", files: ["demo.pem"])])
        #expect(try signers() == ["demo", "demo.pem"])
        // The case of an ending has no meaning.
        try FileManager.default.moveItem(at: place("demo.pem"), to: place("other.PEM"))
        #expect(directory.load() == [])
        #expect(try signers() == ["demo", "other"])
        try FileManager.default.removeItem(at: folder)
        #expect(directory.load() == [.missing])
        #expect(try signers() == ["demo", nil])
    }

    /// A requestor that has lost its keys is a warning, and one that never had any keeps the service from being ready.
    @Test(.row("VP16")) func aSet_hasHadKeys_fromItsFirstKeyOn() throws {
        let directory = directory()
        directory.load()
        #expect(!directory.hasHadKeys)
        try Data(fleet.mint.publicKey.utf8).write(to: place("demo.pem"))
        directory.load()
        #expect(directory.hasHadKeys)
        try FileManager.default.removeItem(at: place("demo.pem"))
        for _ in 0..<2 {
            directory.load()
            #expect(directory.hasHadKeys && names.isEmpty)
        }
        try FileManager.default.removeItem(at: folder)
        directory.load()
        #expect(directory.hasHadKeys)
    }

    @Test(.row("VP16")) func aNameThatIsTaken_getsAnEnding_untilItIsFree() throws {
        let key = try TokenVerificationKey(content: Data(fleet.mint.publicKey.utf8))
        let fixed = ["demo", "demo.pem", "demo.pem+"].map { MediaTokenKey(name: $0, key: key) }
        try Data(fleet.mint.publicKey.utf8).write(to: place("demo.pem"))
        #expect(directory(fixed: fixed).load() == [.sameName("demo", files: ["demo.pem"])])
        #expect(names == ["demo", "demo.pem", "demo.pem+", "demo.pem++"])
    }

    @Test(arguments: [true, false]) func aShortKey_isOne_onlyWhereItIsAllowed(isAllowed: Bool) throws {
        try Data(Mint(bits: 1_024).publicKey.utf8).write(to: place("demo.pem"))
        let fault = TokenKeyFault.shortKey(bits: 1_024, least: 2_048)
        let problems = directory(allows1024Bits: isAllowed).load()
        #expect(problems == (isAllowed ? [] : [.notAKey(file: "demo.pem", fault: fault)]))
        #expect(names == (isAllowed ? ["demo"] : []))
        let path = place("demo.pem").path
        if isAllowed {
            _ = try KeyDirectory.key(file: path, allows1024Bits: true)
        } else {
            #expect(throws: KeyDirectory.Problem.notAKey(file: path, fault: fault)) {
                try KeyDirectory.key(file: path, allows1024Bits: false)
            }
        }
    }
}
