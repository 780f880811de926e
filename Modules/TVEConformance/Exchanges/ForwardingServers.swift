import TVEModels

/// The servers of programmers in a recording, each of which sends the requests of many devices.
///
/// A server names the address of each device in `X-Forwarded-For`. A reverse proxy that records the requests of clients
/// adds an address to the same header of every request, so only further addresses make a server of a sender.
struct ForwardingServers {
    /// The credentials and the access tokens of the servers.
    private let keys: Set<ExactText>
    private let devices: Set<ExactText>
    /// The number of addresses that proxies have added to the header of each request.
    private let added: Int

    /// The devices and the addresses in the forwarded requests that have the same credentials or access token.
    private struct Sender {
        var devices: Set<ExactText> = []
        var addresses: Set<ExactText> = []

        /// A Boolean value that indicates whether this is the server of several devices.
        ///
        /// A single device has several addresses if it changes its network, and the devices of one home have the same
        /// address.
        var isServer: Bool { devices.count > 1 || devices.isEmpty && addresses.count > 1 }
    }

    /// - Parameters:
    ///   - calls: all calls of a recording.
    ///   - credentials: the credentials of each call, or nil where the recording does not show them.
    init(_ calls: [Call], credentials: [ExactText?]) {
        added = Self.addressesOfProxies(calls)
        var senders: [ExactText: Sender] = [:]
        for (call, known) in zip(calls, credentials) {
            let addresses = Self.addresses(in: call)
            guard addresses.count > added, let key = Self.key(of: call, known) else { continue }
            senders[key, default: Sender()].addresses.insert(addresses[0])
            if let device = call.device { senders[key, default: Sender()].devices.insert(ExactText(device)) }
        }
        let servers = senders.filter(\.value.isServer)
        keys = Set(servers.keys)
        devices = servers.values.reduce(into: []) { $0.formUnion($1.devices) }
    }

    /// Returns a Boolean value that indicates whether a server sent a call for one of its devices.
    func sent(_ call: Call, with credentials: ExactText?) -> Bool {
        guard !keys.isEmpty, call.endpoint != .register, call.endpoint != .token,
            Self.addresses(in: call).count > added
        else { return false }
        if let key = Self.key(of: call, credentials) { return keys.contains(key) }
        return call.device.map { devices.contains(ExactText($0)) } ?? false
    }

    private static func key(of call: Call, _ credentials: ExactText?) -> ExactText? {
        credentials ?? call.bearer.map { ExactText("token \($0)") }
    }

    /// Returns the address of the client, followed by those that the proxies on the way have added.
    private static func addresses(in call: Call) -> [ExactText] {
        call.header("x-forwarded-for")?.parts(separatedBy: ",").map { ExactText(JSONCursor.trimmed(String($0))) } ?? []
    }

    /// Returns the number of addresses in each request that no server sends for a device.
    ///
    /// A login page is loaded by the viewer's browser, and a server registers for itself.
    private static func addressesOfProxies(_ calls: [Call]) -> Int {
        let others = calls.filter { $0.endpoint?.isAPI == false && !$0.isWithoutHeaders }
        return others.map { addresses(in: $0).count }.min() ?? 0
    }
}
