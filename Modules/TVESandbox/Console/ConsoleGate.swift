import FlyingFox
import Foundation
import TVEModels

/// Lets requests to the console and to `/sandbox/` pass only when they come from this machine, for a name of this machine, and from
/// no web page but the console's own.
///
/// A browser on the same desk runs the pages of strangers: they may send requests here, read answers that allow it, and point names
/// of their own at this machine's address.
struct ConsoleGate: Sendable {
    /// The header that carries the token of a change.
    static let tokenHeader = "X-Sandbox-Token"

    /// What the console's page holds and every change must show.
    let token: String
    /// The address that the sandbox was told to listen at.
    let host: String

    /// Why a request does not pass; nil when it does.
    func refusal(_ head: RequestHead) -> HTTPResponse? {
        guard head.isFromThisMachine else { return Self.refused(403, "The console answers on its own machine only.") }
        guard let host = head.header("Host"), isExpected(host) else {
            return Self.refused(421, "The console answers to the names of its own machine only, such as localhost.")
        }
        if let origin = head.header("Origin"), origin.lowercased() != "http://\(host.lowercased())" {
            return Self.refused(403, "The console answers to its own pages only.")
        }
        let reads = head.method == "GET" || head.method == "HEAD"
        switch head.header("Sec-Fetch-Site") {
        case nil, "same-origin", "none": break
        // A link on another page leads here as well; that page sees nothing of what opens.
        case _
        where reads && head.header("Sec-Fetch-Mode") == "navigate" && head.header("Sec-Fetch-Dest") == "document":
            break
        default: return Self.refused(403, "The console answers to its own pages only.")
        }
        if !reads, !isToken(head.header(Self.tokenHeader) ?? "") {
            return Self.refused(403, "A change needs the token of the console's page in \(Self.tokenHeader).")
        }
        return nil
    }

    /// Whether a name means this machine: what a stranger's page was loaded from never does.
    private func isExpected(_ text: String) -> Bool {
        let name = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard name.count == 1 || UInt16(name[1]) != nil else { return false }
        // That address is no name, and some browsers let pages of strangers use it.
        let known = ["localhost", "127.0.0.1"] + (host == "0.0.0.0" ? [] : [host])
        return known.contains { $0.isSameBytesIgnoringASCIICase(as: String(name[0])) }
    }

    /// Compares in the same time wherever they differ.
    private func isToken(_ text: String) -> Bool {
        let (expected, given) = (Array(token.utf8), Array(text.utf8))
        return expected.count == given.count && zip(expected, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func refused(_ status: Int, _ reason: String) -> HTTPResponse {
        .json(["error": reason], status: status).guarded
    }
}

extension HTTPResponse {
    /// The answer with the headers that keep it to its own page and its own origin.
    var guarded: HTTPResponse {
        var response = self
        for (name, value) in Self.guards { response.headers[HTTPHeader(name)] = value }
        return response
    }

    private static let guards = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ]
}
