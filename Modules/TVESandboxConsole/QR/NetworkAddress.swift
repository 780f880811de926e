package import Foundation
import TVEModels
import TVESandbox

/// The address of this machine that other devices of its network can reach.
package enum NetworkAddress {
    /// Returns the address at which a phone reaches a server of this machine.
    ///
    /// - Parameter host: the address at which the server listens; `0.0.0.0` listens on every network.
    /// - Returns: an address in the network, or `nil` if the server answers only this machine or there is no network.
    package static func forPhones(_ host: String) -> String? {
        if host == "0.0.0.0" { return own }
        return LoopbackName.isName(host) ? nil : host
    }

    /// Returns the address at which a phone can open a page.
    ///
    /// - Parameter page: the page, whose host may be `localhost` or an address of the loopback network.
    /// - Returns: the page at this machine's address in its network, the unchanged page if it is on another machine, or
    ///   `nil` if there is no network.
    package static func forPhones(_ page: URL) -> URL? {
        guard let host = page.host, LoopbackName.isName(host) else { return page }
        guard let own, var parts = URLComponents(url: page, resolvingAgainstBaseURL: true) else { return nil }
        parts.host = own
        return parts.url
    }

    /// The prefixes of the names of interfaces that no phone can reach, such as those to containers and tunnels.
    private static let virtual = ["docker", "br-", "veth", "virbr", "vmnet", "bridge", "utun", "tun", "tap"]

    /// The first IPv4 address of an interface that other devices can reach, or `nil` if there is none.
    static var own: String? {
        let reachable = InterfaceAddress.all.first { address in
            address.isIPv4 && !virtual.contains(where: address.interface.hasBytePrefix)
                && !address.text.hasBytePrefix("127.") && !address.text.hasBytePrefix("169.254.")
        }
        return reachable?.text
    }
}
