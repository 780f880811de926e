import Foundation
import TVEFleetFixture
import TVETestTraits
import Testing

@testable import tve_verifier

/// Certificates for TLS that have expired, or are not valid yet.
@Suite(.fourAtATime, .needs("openssl"))
struct CertificateDatesTests {
    private let fleet: Fleet
    private let file: URL

    init() throws {
        fleet = try Fleet()
        file = fleet.folder.appendingPathComponent("verifier.yaml")
    }

    private func write(_ section: String, days: Int = 2) throws -> Certificates {
        let certificates = try Certificates(in: fleet.folder, days: days)
        try writeSecret(String(contentsOf: certificates.serverKey, encoding: .utf8), to: certificates.serverKey)
        let requestors = "requestors: [{ id: DEMO, keys: [demo.pem] }]\ncallers: { anyone: true }\n"
        try Data("\(requestors)\(section)\n".utf8).write(to: file)
        return certificates
    }

    private func notes(after days: Double) throws -> [String] {
        let now = Date(timeIntervalSinceNow: days * 86_400)
        return try VerifierConfiguration(file: file.path, environment: [:], now: now).notes.map {
            $0.description.replacingOccurrences(of: fleet.folder.path + "/", with: "")
        }
    }

    @Test(arguments: [
        ("tls: { ", " }", "tls", "clientAuthority"),
        ("memory: { redis: { servers: [a], tls: { ", " } } }", "memory.redis.tls", "authority"),
    ])
    func aDateThatIsNotNow_isNoted_andIsNoMistake(
        start: String, end: String, field: String, authority: String
    ) throws {
        _ = try write("\(start)certificate: server.pem, key: server.key, \(authority): ca.pem\(end)")
        #expect(try notes(after: 0) == [])
        for (days, text) in [(3, "contains a certificate that expired at "), (-1, "is not valid before ")] {
            let found = try notes(after: Double(days))
            #expect(found.count == 2, "\(found)")
            for place in ["certificate: server.pem ", "\(authority): ca.pem "] {
                #expect(found.contains { $0.hasPrefix("verifier.yaml:3: \(field).\(place)") }, "\(found)")
            }
            #expect(found.allSatisfy { $0.contains(text) }, "\(found)")
        }
    }

    /// A file of authorities keeps old certificates for a while, and each one of a chain is sent.
    @Test func anOldCertificateBesideAValidOne_isNotedInAChainAlone() throws {
        let certificates = try write(
            "tls: { certificate: both.pem, key: server.key, clientAuthority: both.pem }", days: 0)
        let both = try [certificates.server, certificates.authority].map { try String(contentsOf: $0, encoding: .utf8) }
        try Data(both.joined().utf8).write(to: fleet.folder.appendingPathComponent("both.pem"))
        let found = try notes(after: 0)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains(": tls.certificate: both.pem contains a certificate that expired") == true)
    }

    @Test(.timeLimit(.hanging)) func anExpiredCertificate_isReportedByTheCheck_andInTheLogOfTheStart() throws {
        _ = try write("tls: { certificate: server.pem, key: server.key }", days: 0)
        let output = fleet.folder.appendingPathComponent("output")
        let check = try Child(Verifier.executable, ["--config", file.path, "--check-config"], output: output)
        #expect(check.ended() == 0)
        let text = try String(contentsOf: output, encoding: .utf8)
        #expect(text.contains("contains a certificate that expired at ") && text.contains("is valid."), "\(text)")
        let verifier = try Verifier(String(contentsOf: file, encoding: .utf8), in: fleet.folder)
        let lines = verifier.logged.split(separator: "\n").filter { $0.contains("a certificate that expired at ") }
        #expect(lines.count == 1 && lines[0].contains("\"level\":\"warning\""), "\(lines)")
    }

    /// The certificates are read at the start alone, so an operator must know when to restart the service.
    ///
    /// The authority's certificate expires after two days, before the one that it has signed.
    @Test(.timeLimit(.hanging), .needs("curl")) func theEndsOfTheCertificates_areMetrics() throws {
        let certificates = try write(
            "tls: { certificate: both.pem, key: server.key, clientAuthority: both.pem }", days: 5)
        let both = try [certificates.server, certificates.authority].map { try String(contentsOf: $0, encoding: .utf8) }
        try Data(both.joined().utf8).write(to: fleet.folder.appendingPathComponent("both.pem"))
        let verifier = try Verifier(String(contentsOf: file, encoding: .utf8), in: fleet.folder)
        let output = fleet.folder.appendingPathComponent("output")
        let arguments = [
            "-sS", "--cacert", certificates.authority.path, "--cert", certificates.client.path, "--key",
            certificates.clientKey.path, "https://127.0.0.1:\(verifier.port)/metrics",
        ]
        #expect(try Child("/usr/bin/curl", arguments, output: output).ended() == 0)
        let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
        for (field, days) in [("certificate", 1...2), ("clientAuthority", 4...5)] as [(String, ClosedRange<Double>)] {
            let start = "tve_tls_certificate_end_seconds{field=\"tls.\(field)\"} "
            let line = try #require(lines.first { $0.hasPrefix(start) }, "\(lines)")
            let end = try #require(Double(line.dropFirst(start.count)))
            #expect(days.contains((end - Date().timeIntervalSince1970) / 86_400), "\(field): \(end)")
        }
    }
}
