import FlyingFox
import Foundation
import TVEModels
import TVESandbox

/// The API behind the console's pages; `/console/openapi.json` describes it, and scripts may use it as well.
struct ConsoleAPI {
    let routes: SandboxRoutes

    func answer(_ request: SandboxRequest) async -> SandboxReply {
        let path = Array(request.path.dropFirst(2))
        if request.method == "GET", path == ["events"] { return await EventFeed.reply(routes.log) }
        return await SandboxReply(respond(request, path).guarded)
    }

    private func respond(_ request: SandboxRequest, _ path: [String]) -> HTTPResponse {
        let handlers = handlers(path, request)
        guard !handlers.isEmpty else { return .status(404) }
        guard let handler = handlers[request.method == "HEAD" ? "GET" : request.method] else {
            return .notAllowed(handlers.keys.sorted())
        }
        return handler()
    }

    /// What answers at a path, by method.
    private func handlers(_ path: [String], _ request: SandboxRequest) -> [String: () -> HTTPResponse] {
        let last = path.last ?? ""
        return switch (path.first, path.count) {
        case ("exchanges", 1): ["GET": { exchanges(request) }, "DELETE": { clearExchanges() }]
        case ("exchanges", 2): ["GET": { exchange(path[1], request) { .json(ExchangeReport($0, $1)) } }]
        case ("exchanges", 3) where last == "curl":
            [
                "GET": {
                    exchange(path[1], request) { exchange, _ in
                        .text(CurlCommand.text(exchange, host: request.host), type: "text/plain;charset=UTF-8")
                    }
                }
            ]
        case ("har", 1): ["GET": { archive(request) }]
        case ("state", 1): ["GET": { .json(StateReport(routes.state)) }]
        // A stream answers GET before this.
        case ("events", 1): ["GET": { .status(404) }]
        case ("world", 1): ["GET": { world() }, "PUT": { read(request) { apply($0, "Another world was applied.") } }]
        case ("world", 2) where last == "check": ["POST": { read(request) { _ in .status(204) } }]
        case ("worlds", 1):
            ["GET": { .json(SandboxWorld.ready.map { ["name": $0.name, "title": $0.title, "about": $0.about] }) }]
        case ("worlds", 2): ["POST": { applyReady(last) }]
        case ("faults", 1): ["GET": { faults() }, "POST": { turnOn(request) }, "DELETE": { turnAllOff() }]
        case ("faults", 2): ["DELETE": { turnOff(last) }]
        case ("logins", 3) where last == "end":
            ["POST": { changed(routes.state.endLogin(path[1]), "A login was ended.") }]
        case ("logins", 3) where last == "expire":
            ["POST": { changed(routes.state.expireLogin(path[1]), "A login was ended.") }]
        case ("clients", 2): ["DELETE": { changed(routes.state.revokeClient(last), "An application was revoked.") }]
        case ("codes", 2): ["DELETE": { changed(routes.state.cancelCode(last), "A code was deleted.") }]
        default: [:]
        }
    }

    private func changed(_ isFound: Bool, _ sentence: String) -> HTTPResponse {
        guard isFound else { return .problems(["There is nothing with this name."], status: 404) }
        routes.log.note(sentence)
        return .status(204)
    }

    // MARK: - Exchanges

    private func exchanges(_ request: SandboxRequest) -> HTTPResponse {
        struct List: Encodable {
            let total: Int
            let exchanges: [SandboxExchange]
        }
        return checked(request.query) { _ in
            let limit = Int(request.query["limit"] ?? "100") ?? 100
            let found = routes.log.exchanges.reversed().filter(ExchangeFilter(request.query).fits)
            return .json(List(total: found.count, exchanges: Array(found.prefix(limit))))
        }
    }

    private func exchange(
        _ id: String, _ request: SandboxRequest, _ answer: (SandboxExchange, Masking) -> HTTPResponse
    ) -> HTTPResponse {
        checked(request.query) { masking in
            guard let exchange = Int(id).flatMap(routes.log.exchange) else {
                return .problems(["This exchange is no longer stored."], status: 404)
            }
            return answer(exchange, masking)
        }
    }

    private func archive(_ request: SandboxRequest) -> HTTPResponse {
        checked(request.query) { masking in
            var response = HTTPResponse.json(HARFile.json(routes.log.exchanges, host: request.host, masking))
            response.headers[HTTPHeader("Content-Disposition")] = "attachment; filename=\"sandbox.har\""
            return response
        }
    }

    private func clearExchanges() -> HTTPResponse {
        routes.log.clear()
        return .status(204)
    }

    /// Answers with the errors in the fields of a query, if there are any.
    private func checked(_ query: FormFields, _ answer: (Masking) -> HTTPResponse) -> HTTPResponse {
        let checks: [(String, String, (String) -> Bool)] = [
            ("secrets", "0 or 1", { ["0", "1"].contains($0) }),
            ("limit", "1 to 5000", { Int($0).map((1...ExchangeLog.maximumCount).contains) ?? false }),
            ("flow", "a number", { Int($0).map { $0 >= 0 } ?? false }),
            ("dialect", "one of the dialects", { $0.isEmpty || ServiceStep.Dialect(rawValue: $0) != nil }),
        ]
        let problems = checks.compactMap { name, wanted, fits -> String? in
            guard let value = query[name], !fits(value) else { return nil }
            return "\(name) must be \(wanted)."
        }
        guard problems.isEmpty else { return .problems(problems, status: 400) }
        return answer(Masking(shows: query["secrets"] == "1"))
    }

    // MARK: - Worlds

    private func world() -> HTTPResponse {
        var response = HTTPResponse.text(routes.current.world.json + "\n", type: "application/json;charset=UTF-8")
        response.headers[HTTPHeader("Content-Disposition")] = "inline; filename=\"world.json\""
        return response
    }

    private func read(_ request: SandboxRequest, _ answer: (SandboxWorld) -> HTTPResponse) -> HTTPResponse {
        do throws(SandboxWorldDocumentError) {
            return answer(try SandboxWorld(json: request.body))
        } catch {
            return .problems(error.problems, status: 400)
        }
    }

    private func applyReady(_ name: String) -> HTTPResponse {
        guard let ready = SandboxWorld.ready.first(where: { $0.name == name }) else {
            return .problems(["There is no ready world with this name."], status: 404)
        }
        return apply(ready.world, "The world \(ready.title) was applied.")
    }

    private func apply(_ world: SandboxWorld, _ sentence: String) -> HTTPResponse {
        do throws(SandboxWorldError) { try routes.current.apply(world) } catch {
            return .problems(["\(error)"], status: 400)
        }
        routes.log.note(sentence)
        return .status(204)
    }

    // MARK: - Faults

    private struct FaultReport: Encodable {
        let key: String
        let fault: SandboxWorld.Fault

        init(_ fault: SandboxWorld.Fault) {
            key = fault.key
            self.fault = fault
        }
    }

    private func faults() -> HTTPResponse { .json(routes.current.world.faults.map(FaultReport.init)) }

    private func turnOn(_ request: SandboxRequest) -> HTTPResponse {
        let fault: SandboxWorld.Fault
        do throws(UntrustedJSONError) {
            fault = try UntrustedJSON.decode(SandboxWorld.Fault.self, from: request.body, .small)
        } catch {
            return .problems(["This is not a fault: it needs a kind, and fields of the right types."], status: 400)
        }
        if let field = routes.current.world.problem(fault) {
            return .problems(["The value of \(field) is not valid."], status: 400)
        }
        do throws(SandboxWorldError) { try routes.current.change { $0.faults.append(fault) } } catch {
            return .problems(["\(error)"], status: 400)
        }
        routes.log.note("\(FaultDescription(fault.kind).title): turned on.")
        return .json(FaultReport(fault), status: 201)
    }

    private func turnAllOff() -> HTTPResponse {
        // The world was valid with its faults, so it is valid without them.
        try? routes.current.change { $0.faults = [] }
        return changed(true, "All faults were turned off.")
    }

    private func turnOff(_ key: String) -> HTTPResponse {
        let count = routes.current.world.faults.count
        try? routes.current.change { world in
            if let index = world.faults.firstIndex(where: { $0.key == key }) { world.faults.remove(at: index) }
        }
        guard routes.current.world.faults.count < count else {
            return .problems(["This fault is not turned on."], status: 404)
        }
        return changed(true, "A fault was turned off.")
    }
}

extension HTTPResponse {
    /// An answer with the errors as sentences.
    fileprivate static func problems(_ sentences: [String], status: Int) -> HTTPResponse {
        .json(["problems": sentences], status: status)
    }
}
