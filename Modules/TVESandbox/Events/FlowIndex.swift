package import TVEModels

/// An index that groups requests into flows.
///
/// A flow begins when an application on a device registers. The credentials, access tokens, codes and relay states that
/// it gets identify all its later requests.
package struct FlowIndex: Sendable {
    /// The requests of one application on one device.
    package struct Flow: Sendable, Codable {
        package let number: Int
        package internal(set) var device: String?
        package internal(set) var requestor: RequestorID?
        package internal(set) var count = 0
    }

    private(set) var flows: [Flow] = []
    /// The number of the flow by an id in a later request, with the kind of the id: client id, access token, code,
    /// relay state, device or session index.
    private var owners: [ExactText: Int] = [:]
    /// The largest number of ids.
    ///
    /// When there are more, all are removed, so that a run of weeks does not grow without end.
    private static let maximumOwners = 50_000
    private static let maximumFlows = 1_000

    /// Returns a Boolean value that indicates whether the answer at a step contains an id that later requests contain.
    static func links(_ step: String) -> Bool { linking.contains(step) }

    private static let linking: Set<String> = [
        "register", "token", "makeCode", "createSession", "resumeSession", "partnerSession", "authenticateSAML",
        "logoutClassic", "logout", "sessionWeb", "sessionDevice", "individualize",
    ]

    /// Returns the id of the device that has sent a request; `nil` when it is not known.
    func device(of request: RecordedRequest) -> String? {
        let ids = CorrelationIDs(request, request.step)
        if let device = ids.device { return device }
        let number = ids.inRequest.lazy.compactMap { owners[ExactText($0)] }.first
        return number.flatMap { number in flows.first { $0.number == number }?.device }
    }

    /// Returns the facts about a request without an answer.
    func facts(ofOpen exchange: SandboxExchange) -> SandboxExchange.Facts {
        let step = exchange.step
        let ids = CorrelationIDs(exchange, step)
        let device = ids.device.flatMap { owners[ExactText("device \($0)")] }
        let number = ids.inRequest.lazy.compactMap { owners[ExactText($0)] }.first ?? device
        let flow = number.flatMap { number in flows.first { $0.number == number } }
        return SandboxExchange.Facts(
            dialect: step.dialect.rawValue, step: step.id, title: step.title, device: ids.device ?? flow?.device,
            requestor: ids.requestor ?? flow?.requestor, flow: number)
    }

    /// Adds an exchange to the index.
    ///
    /// - Returns: the facts about the exchange, from its own messages and those of earlier exchanges.
    mutating func take(_ exchange: SandboxExchange) -> SandboxExchange.Facts {
        let step = exchange.step
        let ids = CorrelationIDs(exchange, step)
        var facts = SandboxExchange.Facts()
        facts.dialect = step.dialect.rawValue
        facts.step = step.id
        facts.title = step.title
        facts.requestor = ids.requestor
        facts.device = ids.device
        if owners.count > Self.maximumOwners { owners = [:] }
        var number = ids.inRequest.lazy.compactMap { [owners] in owners[ExactText($0)] }.first
        if number == nil, ids.beginsFlow { number = begin() }
        if number == nil, let device = ids.device { number = owners[ExactText("device \(device)")] }
        guard let number else { return facts }
        facts.flow = number
        for id in ids.inRequest + ids.inAnswer { owners[ExactText(id)] = number }
        if let device = ids.device { owners[ExactText("device \(device)")] = number }
        guard let place = flows.firstIndex(where: { $0.number == number }) else { return facts }
        flows[place].device = ids.device ?? flows[place].device
        flows[place].requestor = ids.requestor ?? flows[place].requestor
        flows[place].count += 1
        facts.device = flows[place].device
        facts.requestor = ids.requestor ?? flows[place].requestor
        return facts
    }

    /// The number of each application's flow, by the client id.
    var byClient: [ExactText: Int] {
        Dictionary(
            owners.compactMap { key, flow in
                let (kind, id) = key.text.divided(at: " ")
                return kind == "client" ? id.map { (ExactText(String($0)), flow) } : nil
            }, uniquingKeysWith: { $1 })
    }

    private mutating func begin() -> Int {
        let number = (flows.last?.number ?? 0) + 1
        if flows.count >= Self.maximumFlows { flows.removeFirst(Self.maximumFlows / 4) }
        flows.append(Flow(number: number))
        return number
    }
}

extension FlowIndex: Codable {
    private enum CodingKeys: CodingKey { case flows, owners }

    /// An id and its flow as an element of an array.
    ///
    /// An id may be long, so it is not the name of a JSON member.
    private struct Owner: Codable {
        let id: ExactText
        let flow: Int
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        flows = try values.decode([Flow].self, forKey: .flows)
        for owner in try values.decode([Owner].self, forKey: .owners) { owners[owner.id] = owner.flow }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(flows, forKey: .flows)
        try values.encode(owners.map { Owner(id: $0, flow: $1) }, forKey: .owners)
    }
}
