public import Foundation

/// An authority with a server's and a client's certificate, which the system's `openssl` creates.
///
/// The server's certificate is for `localhost` and `127.0.0.1`. Neither certificate can be used for the other purpose.
public struct Certificates: Sendable {
    private let folder: URL

    /// The authority's certificate.
    public var authority: URL { folder.appendingPathComponent("ca.pem") }
    /// The server's certificate.
    public var server: URL { folder.appendingPathComponent("server.pem") }
    /// The private key of the server's certificate.
    public var serverKey: URL { folder.appendingPathComponent("server.key") }
    /// The client's certificate.
    public var client: URL { folder.appendingPathComponent("client.pem") }
    /// The private key of the client's certificate.
    public var clientKey: URL { folder.appendingPathComponent("client.key") }

    /// Creates the certificates.
    ///
    /// - Parameters:
    ///   - folder: the folder for the files.
    ///   - days: the number of days for which the server's and the client's certificates are valid; 0 for certificates
    ///     that have expired.
    public init(in folder: URL, days: Int = 2) throws {
        self.folder = folder
        let extensions = [
            "server": "subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n",
            "client": "extendedKeyUsage=clientAuth\n",
        ]
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        let files = ["-keyout", "ca.key", "-out", "ca.pem"]
        try openssl(["req", "-x509", "-days", "2", "-subj", "/CN=ca"] + newKey + files)
        for (name, lines) in extensions {
            try Data(lines.utf8).write(to: folder.appendingPathComponent("\(name).extensions"))
            try openssl(["req"] + newKey + ["-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)"])
            try openssl(
                [
                    "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                    "-days", "\(days)", "-out", "\(name).pem", "-extfile", "\(name).extensions",
                ])
        }
    }

    private func openssl(_ arguments: [String]) throws {
        // The arguments after these options are names of files in the folder.
        let files: Set = ["-keyout", "-out", "-in", "-CA", "-CAkey", "-extfile"]
        var whole: [String] = []
        for argument in arguments {
            let isFile = whole.last.map(files.contains) ?? false
            whole.append(isFile ? folder.appendingPathComponent(argument).path : argument)
        }
        let log = folder.appendingPathComponent("openssl.log")
        guard try Child("/usr/bin/openssl", whole, output: log).ended() == 0 else {
            throw FixtureError("openssl: \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
        }
    }
}
