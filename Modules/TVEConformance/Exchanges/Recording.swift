import TVEModels

/// Exchanges in their order, grouped by application and by session.
struct Recording {
    /// All exchanges, in the order in which the requests began.
    private(set) var calls: [Call]
    /// The calls of each application on a device.
    ///
    /// Calls belong to the same application if they share credentials or, where the recording does not show these, a
    /// device id. Calls without any of these belong to the only application of the recording, if it has only one.
    private(set) var clients: [[Call]] = []
    private(set) var sessions: [Session] = []

    init(_ exchanges: [Exchange]) {
        let ordered = exchanges.sorted { ($0.began, $0.id) < ($1.began, $1.id) }
        let services = RecordedServices(ordered)
        calls = ordered.enumerated().map { Call($1, at: $0, isOfService: services.contain($1)) }
        var index = ClientIndex(calls)
        for place in calls.indices {
            calls[place].isOfServer = index.isOfServer(place)
            guard let client = index.client(of: place) else { continue }
            calls[place].client = client
            if index.knowsCredentials(of: place) { calls[place].clientOfCredentials = client }
            if clients.count <= client { clients.append([]) }
            clients[client].append(calls[place])
        }
        var sessions = SessionIndex()
        for call in calls { sessions.take(call) }
        self.sessions = sessions.sessions
    }

    /// Returns the reason why a rule that reads these bodies cannot be certain, or nil when all bodies are present.
    func note(
        missingAnswersOf answers: Set<DocumentedEndpoint>, requestBodiesOf requestBodies: Set<DocumentedEndpoint>
    ) -> String? {
        let missing = known.filter { call in
            guard let endpoint = call.endpoint, call.isSuccess else { return false }
            return answers.contains(endpoint) && call.answer == nil
                || requestBodies.contains(endpoint) && call.fields == nil
        }
        return missing.isEmpty ? nil : Self.note(aboutMissingBodiesOf: missing)
    }

    /// Returns the sentence that the recording lacks the bodies of these exchanges.
    static func note(aboutMissingBodiesOf missing: [Call]) -> String {
        let named = missing.prefix(10).map { "\($0.id)" }.joined(separator: ", ") + (missing.count > 10 ? ", …" : "")
        return "The recording does not have a body of these exchanges, or it cannot be read: \(named)."
    }

    /// The calls to documented endpoints.
    var known: some Sequence<Call> { calls.lazy.filter { $0.endpoint != nil } }
}

/// An index of the application that sent each call.
///
/// Credentials produce access tokens, which later calls contain. A report of a playback has none of them.
private struct ClientIndex {
    /// The credentials of each call, or nil where the recording does not show them.
    private let credentials: [ExactText?]
    private let keys: [ExactText?]
    /// A Boolean value for each call that indicates whether a server sent it for one of its devices.
    private let ofServers: [Bool]
    private var numbers: [ExactText: Int] = [:]

    init(_ calls: [Call]) {
        let masks = Self.masks(of: calls)
        var owners: [ExactText: ExactText] = [:]
        var found: [ExactText?] = []
        for call in calls {
            let id = Self.clientID(call).map { ExactText($0) }
            var key = id.flatMap { masks.contains($0) ? nil : ExactText("client \($0.text)") }
            switch call.endpoint {
            case .register: break
            case .token:
                if let token = call.answer?["access_token"]?.stringValue { owners[ExactText(token)] = key }
            default: key = call.bearer.flatMap { owners[ExactText($0)] }
            }
            found.append(key)
        }
        let servers = ForwardingServers(calls, credentials: found)
        let ofServers = zip(calls, found).map { servers.sent($0, with: $1) }
        var applications: [ExactText: Set<ExactText>] = [:]
        for (place, call) in calls.enumerated() {
            // A server sends requests for many devices with the same credentials.
            if ofServers[place] { found[place] = nil }
            guard call.endpoint != .register, call.endpoint != .token, let key = found[place], let device = call.device
            else { continue }
            applications[ExactText(device), default: []].insert(key)
        }
        credentials = found
        self.ofServers = ofServers
        var players = Players()
        var named: [ExactText?] = []
        for (place, call) in calls.enumerated() {
            let key = found[place]
            var name = key
            if key == nil, Self.isOfAClient(call), let device = call.device {
                let known = applications[ExactText(device)] ?? []
                let isServer = ofServers[place]
                if !isServer, known.count == 1 {
                    name = known.first
                } else if !isServer, let resource = Play.resource(call) {
                    name = players.application(thatPlays: resource, on: device)
                }
                name = name ?? ExactText("device \(device)")
            }
            if let name { players.take(call, of: name) }
            named.append(name)
        }
        if let owner = Self.ownerOfLostTokens(calls, credentials: found, named), applications.isEmpty {
            for place in named.indices where named[place] != nil { named[place] = owner }
        }
        let known = Set(named.compactMap(\.self))
        // The headers that a recorder has lost do not make a second client.
        let only = known.count == 1 ? known.first : nil
        keys = zip(calls, named).map { call, key in
            guard key == nil, Self.isOfAClient(call) else { return key }
            if let only, call.isUnidentified { return only }
            return ExactText("address \(call.header("x-forwarded-for") ?? call.exchange.address)")
        }
    }

    /// Returns the client id in the response to a registration or in a request for an access token.
    private static func clientID(_ call: Call) -> String? {
        switch call.endpoint {
        case .register: call.answer?["client_id"]?.stringValue
        case .token: call.field("client_id")
        default: nil
        }
    }

    /// Returns the texts that a tool has put in the place of the client ids of several devices, or of an unknown number
    /// of them.
    ///
    /// The requests of all devices would otherwise be those of one application. No two registrations have the same id.
    private static func masks(of calls: [Call]) -> Set<ExactText> {
        let devices = Set(calls.compactMap { call in call.device.map { ExactText($0) } })
        guard devices.count != 1 else { return [] }
        var registered: Set<ExactText> = []
        var masks: Set<ExactText> = []
        for call in calls {
            guard let text = clientID(call) else { continue }
            let id = ExactText(text)
            let isRepeated = call.endpoint == .register && call.isSuccess && !registered.insert(id).inserted
            if isRepeated || text.isEmpty || Exchange.Message.isMask(text) { masks.insert(id) }
        }
        return masks
    }

    /// Returns the only credentials of a recording from which the access tokens of its only device were removed, or nil
    /// for any other recording.
    ///
    /// Browsers remove the header with the token if they save a recording without sensitive data. No service answers
    /// without a token, so a successful request had one.
    private static func ownerOfLostTokens(
        _ calls: [Call], credentials: [ExactText?], _ named: [ExactText?]
    ) -> ExactText? {
        let owners = Set(credentials.compactMap(\.self))
        let devices = Set(named.compactMap(\.self)).subtracting(owners)
        guard owners.count == 1, devices.count == 1 else { return nil }
        let sent = zip(calls, named).compactMap { call, name in name.map(devices.contains) == true ? call : nil }
        guard sent.allSatisfy({ $0.header("authorization")?.isEmpty != false }),
            sent.contains(where: { $0.endpoint?.isAPI == true && $0.isSuccess })
        else { return nil }
        return owners.first
    }

    func knowsCredentials(of place: Int) -> Bool { credentials[place] != nil }

    func isOfServer(_ place: Int) -> Bool { ofServers[place] }

    private static func isOfAClient(_ call: Call) -> Bool {
        call.endpoint?.isAPI == true || call.endpoint == .register || Play.resource(call) != nil
    }

    mutating func client(of place: Int) -> Int? {
        guard let key = keys[place] else { return nil }
        if let number = numbers[key] { return number }
        numbers[key] = numbers.count
        return numbers.count - 1
    }
}

/// A client's report that it starts a playback: `POST /conformance/plays/{resource}` with its device id.
///
/// No service can observe a playback. The sandbox accepts such reports, so that the rows about playback can be judged.
enum Play {
    static func resource(_ call: Call) -> String? { resource(call.exchange.method, call.path) }

    static func resource(_ method: String, _ path: [String]) -> String? {
        guard path.count == 3, path[0] == "conformance", path[1] == "plays", method == "POST" else { return nil }
        return path[2]
    }
}
