import Foundation
import TVEModels

/// An address in the form in which two addresses are compared.
///
/// Services, clients, browsers and recorders write the same address in different ways: with other percent escapes, with
/// a default port or a user's name, and relative to another address. Its fragment is sent to nobody.
struct WebAddress {
    /// The scheme in lower case, or an empty text where it is not known.
    private let scheme: String
    /// The host in lower case, with a port that is not the default one, or nil for an address without a host.
    let host: String?
    /// The path and the query as they are written.
    private let path: String
    private let query: String

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - text: the address as it is written.
    ///   - base: the address to which the text may be relative.
    init(_ text: String, relativeTo base: WebAddress? = nil) {
        let (place, query) = text.divided(at: "#").before.divided(at: "?")
        let (name, rest) = place.divided(at: ":")
        let isAbsolute = rest != nil && Self.isScheme(name)
        let scheme = isAbsolute ? String(name).lowercasedASCII : base?.scheme ?? ""
        let hierarchy = isAbsolute ? rest ?? "" : place
        self.scheme = scheme
        self.query = query.map { String($0) } ?? (place.isEmpty ? base?.query ?? "" : "")
        if hierarchy.hasBytePrefix("//") {
            let parts = hierarchy.parts(separatedBy: "/", most: 3)
            host = Self.host(parts[2], of: scheme)
            path = parts.count > 3 ? "/\(parts[3])" : "/"
        } else if isAbsolute {
            host = nil
            path = String(hierarchy)
        } else {
            host = base?.host
            let known = base?.path ?? "/"
            path =
                hierarchy.isEmpty
                ? known
                : hierarchy.hasBytePrefix("/")
                    ? String(hierarchy) : "\(known.dividedAtLast("/")?.before ?? "")/\(hierarchy)"
        }
    }

    /// Creates the address of a request, whose scheme no exchange contains.
    init(_ exchange: Exchange, scheme: String) {
        let host = exchange.request.headers["host"] ?? ""
        self.init("\(scheme)://\(host)\(exchange.path)?\(exchange.query)")
    }

    /// The key of an address without its query and a slash at its end.
    var place: ExactText {
        let path = decodedPath
        let shown = path.hasByteSuffix("/") ? String(decoding: path.utf8.dropLast(), as: UTF8.self) : path
        return ExactText(host.map { "\(scheme)://\($0)\(shown)" } ?? "\(scheme):\(shown)")
    }

    /// The key of the path and the query.
    var target: ExactText { ExactText("\(decodedPath)?\(Self.decoded(query))") }

    /// The decoded path without the segments `.` and `..`.
    private var decodedPath: String {
        let path = Self.decoded(self.path)
        let all = path.parts(separatedBy: "/")
        guard host != nil, let last = all.last else { return path }
        var segments: [Substring] = []
        for segment in all where segment != "." {
            if segment != ".." {
                segments.append(segment)
            } else if segments.count > 1 {
                segments.removeLast()
            }
        }
        if last == "." || last == ".." { segments.append("") }
        return segments.joined(separator: "/")
    }

    /// Returns a text without its percent escapes.
    ///
    /// The escapes of what is no text may still be written in two ways.
    private static func decoded(_ text: String) -> String { text.removingPercentEncoding ?? text.lowercasedASCII }

    private static func isScheme(_ name: Substring) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func host(_ authority: Substring, of scheme: String) -> String {
        let host = String(authority.dividedAtLast("@")?.after ?? authority).lowercasedASCII
        let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ":"
        for end in [port, ":"] where host.hasByteSuffix(end) {
            return String(decoding: host.utf8.dropLast(end.utf8.count), as: UTF8.self)
        }
        return host
    }
}
