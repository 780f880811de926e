package import FlyingFox
import Foundation
import TVEModels

/// The check that protects the sandbox's pages and `/sandbox/` from other machines and other web pages.
///
/// A request passes when it comes from this machine and was not forwarded from another one that a proxy names in its
/// headers, addresses the sandbox by a name of this machine, and comes from no web page except the sandbox's own. A
/// browser on this machine runs the pages of strangers. Such a page can send requests to the sandbox, read the answers
/// that allow it, and resolve its own host name to this machine's address.
///
/// A tunnel that passes bytes on, such as that of `ssh -L`, adds no header, and neither does nginx without settings for
/// it. Their requests are not recognized and pass.
package struct LocalGate: Sendable {
    static let tokenHeader = "X-Sandbox-Token"

    /// The token that every change must send.
    ///
    /// The sandbox's pages contain it.
    package let token: String
    /// The IPv4 address on which the sandbox listens.
    package let host: String

    /// Returns the answer that refuses a request; `nil` when the request passes.
    func refusal(_ head: RequestHead) -> HTTPResponse? {
        guard head.isFromThisMachine else {
            return Self.refused(403, "This path is open only to clients on the sandbox's own machine.")
        }
        guard !isForwarded(head) else {
            return Self.refused(403, "A proxy has forwarded this request from another machine, or for the host of one.")
        }
        guard let host = head.header("Host"), isExpected(host) else {
            return Self.refused(421, "This path answers only to names of the sandbox's own machine, such as localhost.")
        }
        if let origin = head.header("Origin"), origin.lowercased() != "http://\(host.lowercased())" {
            return Self.refused(403, "This path is open only to the sandbox's own web pages.")
        }
        let reads = head.method == "GET" || head.method == "HEAD"
        switch head.header("Sec-Fetch-Site") {
        case nil, "same-origin", "none": break
        // A link on another page leads here as well, and that page cannot see what the link opens.
        case _
        where reads && head.header("Sec-Fetch-Mode") == "navigate" && head.header("Sec-Fetch-Dest") == "document":
            break
        default: return Self.refused(403, "This path is open only to the sandbox's own web pages.")
        }
        if !reads, !token.isSameInConstantTime(as: head.header(Self.tokenHeader) ?? "") {
            return Self.refused(403, "A change needs the sandbox's token in the header \(Self.tokenHeader).")
        }
        return nil
    }

    /// The headers in which proxies name the sender of a request, and the proxies before them.
    private static let senders = ["X-Forwarded-For", "X-Real-IP", "CF-Connecting-IP", "True-Client-IP"]

    /// Returns a Boolean value that indicates whether a proxy on this machine names another one as the sender, or names
    /// a host of another one that the sender has reached.
    ///
    /// Programs that publish a local port on the internet can replace the name of the host by that of this machine.
    private func isForwarded(_ head: RequestHead) -> Bool {
        // An element has parameters, such as `for=192.0.2.7;proto=https` (RFC 7239, 4).
        let parameters = Self.elements(head.header("Forwarded")).flatMap { $0.parts(separatedBy: ";") }
        func named(_ wanted: String) -> [String] {
            parameters.compactMap { parameter in
                let (name, value) = parameter.divided(at: "=")
                return Self.plain(name).isSameBytesIgnoringASCIICase(as: wanted) ? value.map(Self.plain) : nil
            }
        }
        let senders = Self.senders.flatMap { Self.elements(head.header($0)) } + named("for")
        let hosts = Self.elements(head.header("X-Forwarded-Host")) + named("host")
        let isOfAnother = senders.contains { !$0.isEmpty && !LoopbackName.isName($0) }
        return isOfAnother || hosts.contains { !isExpected($0) && !LoopbackName.isName($0) }
    }

    private static func elements(_ list: String?) -> [String] {
        (list ?? "").parts(separatedBy: ",").map { plain($0) }.filter { !$0.isEmpty }
    }

    private static func plain(_ text: Substring) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }

    /// Returns a Boolean value that indicates whether the value of a `Host` header names this machine.
    ///
    /// The host of a stranger's page never does.
    private func isExpected(_ text: String) -> Bool {
        let (name, port) = text.divided(at: ":")
        guard port == nil || port.flatMap({ UInt16($0) }) != nil else { return false }
        // 0.0.0.0 is not a host name, and some browsers let the pages of strangers use it.
        let known = ["localhost", "127.0.0.1"] + (host == "0.0.0.0" ? [] : [host])
        return known.contains { $0.isSameBytesIgnoringASCIICase(as: String(name)) }
    }

    private static func refused(_ status: Int, _ reason: String) -> HTTPResponse {
        .json(["error": reason], status: status).objecting(reason).guarded
    }
}

extension HTTPResponse {
    /// The answer with the headers that restrict it to its own page and origin.
    package var guarded: HTTPResponse {
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
