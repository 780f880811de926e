package import Foundation
import TVEModels

/// The proxies that the environment variables name, interpreted as libcurl interprets them.
///
/// Foundation on Linux sends every request through such a proxy, even one to a server on the same machine. An office
/// proxy cannot reach that server, and should not receive its tokens.
package struct ProxyVariables: Sendable {
    /// A proxy and the variable that names it.
    package struct Proxy: Sendable, Equatable {
        /// The name of the variable.
        package let variable: String
        /// The address of the proxy, without user and password.
        package let address: String
    }

    /// The variables for which libcurl, or a common tool, uses a proxy.
    private static let names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    /// The two names of the list of hosts that are reached without a proxy, with the preferred name first.
    private static let exemptionNames = ["no_proxy", "NO_PROXY"]

    private let variables: [String: String]

    /// Reads the variables.
    ///
    /// - Parameter variables: the names and values. An empty value is ignored.
    package init(_ variables: [String: String] = ProcessInfo.processInfo.environment) {
        self.variables = variables.filter {
            !$0.value.isEmpty && (Self.names.contains($0.key) || Self.exemptionNames.contains($0.key))
        }
    }

    /// The proxies that the variables name, whether or not any request uses them.
    package var all: [Proxy] { Self.names.compactMap(proxy) }

    /// Returns the proxy that a request goes through.
    ///
    /// - Parameter url: the URL of the request.
    /// - Returns: the proxy, or nil if there is none for the URL or its host is exempt.
    package func proxy(for url: URL) -> Proxy? {
        guard let host = url.host(), !Self.isThisMachine(host), !isExempt(host) else { return nil }
        // In a CGI program, `HTTP_PROXY` may be a header of a request, so libcurl does not read it.
        let names = url.scheme?.lowercased() == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap(proxy).first
    }

    /// Returns a Boolean value that indicates whether `no_proxy` lists a host.
    ///
    /// - Parameter host: the name or address of the host.
    package func isExempt(_ host: String) -> Bool {
        guard let list = exemptions else { return false }
        if list == "*" { return true }
        let host = Self.plain(host)
        return Self.entries(of: list).contains { entry in
            if let network = IPv4Network(entry) { return network.contains(host) }
            let start = entry.hasBytePrefix(".") ? 1 : 0
            let name = Self.plain(String(decoding: entry.utf8.dropFirst(start), as: UTF8.self))
            return host.isSameBytes(as: name) || host.hasByteSuffix(".\(name)")
        }
    }

    /// Returns the entry of `no_proxy` that names a host in a form that libcurl does not read: with an asterisk before
    /// the name, with a scheme, a port or quotation marks around it, or with other signs than commas between names.
    ///
    /// - Parameter host: the name or address of the host.
    /// - Returns: the entry, and the form that libcurl reads; nil if there is no such entry.
    package func unreadExemption(of host: String) -> (entry: String, form: String)? {
        for entry in Self.entries(of: exemptions ?? "") {
            for name in entry.parts(separatedBy: ";").flatMap({ $0.parts(separatedBy: "|") }) {
                let form = Self.bare(String(name))
                guard form.utf8.count < entry.utf8.count else { continue }
                if ProxyVariables(["no_proxy": form]).isExempt(host) { return (entry, form) }
            }
        }
        return nil
    }

    /// Returns a name without the signs that libcurl does not read around it.
    private static func bare(_ entry: String) -> String {
        var text = entry.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
        if let url = text.dividedAtFirst("://") { text = String(url.after.divided(at: "/").before) }
        let name = String(decoding: text.utf8.dropFirst(text.hasBytePrefix("*") ? 1 : 0), as: UTF8.self)
        guard let parts = name.dividedAtLast(":"), UInt16(parts.after) != nil else { return name }
        return String(parts.before)
    }

    /// Returns a Boolean value that indicates whether a host is this machine.
    ///
    /// - Parameter host: a name or an address, in brackets or without.
    package static func isThisMachine(_ host: String) -> Bool {
        let host = plain(host)
        if host == "localhost" || host.hasByteSuffix(".localhost") || loopback.contains(host) { return true }
        return IPv4Network("127.0.0.0/8")?.contains(host) == true || ownNames.contains(host)
    }

    /// Returns a value of a variable such as `no_proxy` that also lists this machine.
    ///
    /// - Parameters:
    ///   - variable: the variable, whose own value takes precedence over that of its other spelling.
    ///   - names: the names and addresses of this machine.
    /// - Returns: the value, or nil if the variable need not change.
    package func exemptions(of variable: String, listing names: [String]) -> String? {
        let present = variables[variable] ?? exemptions ?? ""
        if present == "*" { return variables[variable] == nil ? present : nil }
        let listed = Set(Self.entries(of: present))
        let missing = names.filter { !listed.contains($0) }
        guard !missing.isEmpty || variables[variable] == nil else { return nil }
        return ((present.isEmpty ? [] : [present]) + missing).joined(separator: ",")
    }

    /// Exempts this machine from the proxies, for this process and its children.
    ///
    /// The function changes the environment, and only if it names a proxy. A program calls it before it starts threads.
    package static func exemptThisMachine() { exemptThisMachine(in: exemptionNames) }

    /// - Parameter variables: the variables to set. libcurl reads `no_proxy` first, and some tools read the other one.
    private static func exemptThisMachine(in variables: [String]) {
        let present = ProxyVariables()
        guard !present.all.isEmpty else { return }
        for variable in variables {
            if let value = present.exemptions(of: variable, listing: thisMachine) {
                SystemCall.setVariable(variable, value)
            }
        }
    }

    /// Exempts this machine once in a process, before the first request to this machine.
    ///
    /// The first change of an environment copies the list of variables and leaves the old list in memory, so a thread
    /// that reads the old list meanwhile is safe. The environment of an app that uses only a real service is not
    /// changed.
    ///
    /// - Parameter url: the URL of the request.
    static func exemptThisMachine(before url: URL?) {
        guard hasProxy, let host = url?.host(), isThisMachine(host) else { return }
        _ = isExempted
    }

    private static let hasProxy = !ProxyVariables().all.isEmpty
    private static let isExempted: Void = exemptThisMachine(in: ["no_proxy"])

    // MARK: - Names

    private static let loopback = ["127.0.0.1", "::1", "0.0.0.0"]

    /// The entries of `no_proxy` that name this machine.
    ///
    /// Single addresses are listed because some tools ignore networks.
    private static var thisMachine: [String] { ["localhost"] + loopback + ["127.0.0.0/8"] + ownNames }

    /// The addresses of this machine's interfaces and its name.
    private static let ownNames: [String] = {
        let found = InterfaceAddress.all.map(\.text) + [SystemCall.machineName()].compactMap(\.self)
        // A URL cannot contain the scope of a link-local address.
        return Set(found.map(plain)).filter {
            !$0.containsBytes(of: "%") && !loopback.contains($0) && $0 != "localhost"
        }
        .sorted()
    }()

    /// Returns a host in lower case, without brackets and a final dot.
    private static func plain(_ host: String) -> String {
        host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]")).withoutFinalDot
    }

    private static func entries(of list: String) -> [String] {
        list.parts(separatedBy: ",").flatMap { $0.parts(separatedBy: " ", keepsEmpty: false) }.map(String.init)
    }

    private var exemptions: String? { Self.exemptionNames.lazy.compactMap { variables[$0] }.first }

    private func proxy(_ name: String) -> Proxy? {
        variables[name].map { Proxy(variable: name, address: Self.address($0)) }
    }

    /// Returns the address in a variable without user, password and path.
    private static func address(_ value: String) -> String {
        var scheme = ""
        var rest = value
        // The text `://` may also be part of a password. A colon before it shows that it is.
        if let parts = value.dividedAtFirst("://"), !parts.before.utf8.contains(UInt8(ascii: ":")) {
            scheme = "\(parts.before)://"
            rest = String(parts.after)
        }
        // A password that is not encoded may contain the characters that end a host, so the host follows the last at
        // sign.
        let place = rest.dividedAtLast("@")?.after ?? rest[...]
        let ends: [Unicode.Scalar] = ["/", "?", "#"]
        return "\(scheme)\(ends.reduce(place) { $0.divided(at: $1).before })"
    }
}

/// The addresses of one network, written as `127.0.0.0/8`.
private struct IPv4Network {
    let address: UInt32
    let mask: UInt32

    init?(_ text: String) {
        let (address, length) = text.divided(at: "/")
        guard let length = length.flatMap({ UInt32($0) }), length <= 32, let number = Self.number(address) else {
            return nil
        }
        self.address = number
        mask = length == 0 ? 0 : .max << (32 - length)
    }

    func contains(_ host: String) -> Bool { Self.number(host).map { $0 & mask == address & mask } ?? false }

    private static func number(_ text: some StringProtocol) -> UInt32? {
        let parts = text.parts(separatedBy: ".").compactMap { UInt8($0) }
        guard parts.count == 4, text.parts(separatedBy: ".").count == 4 else { return nil }
        return parts.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension String {
    fileprivate var withoutFinalDot: String {
        hasByteSuffix(".") ? String(decoding: utf8.dropLast(), as: UTF8.self) : self
    }

    /// Returns the text before a pattern and the text after it, or nil if the pattern does not occur.
    fileprivate func dividedAtFirst(_ pattern: String) -> (before: Substring, after: Substring)? {
        guard let found = utf8.indices.first(where: { utf8[$0...].starts(with: pattern.utf8) }) else { return nil }
        return (self[..<found], self[utf8.index(found, offsetBy: pattern.utf8.count)...])
    }
}
