import FlyingFox
import Foundation
import TVEModels

/// The API behind the console's page; `/console/openapi.json` describes it, and scripts may use it as well.
struct ConsoleAPI {
    let router: SandboxRouter

    func answer(_ request: SandboxRequest) async -> SandboxReply {
        let path = Array(request.path.dropFirst(2))
        if request.method == "GET", path == ["events"] { return await EventFeed.reply(router.log) }
        return await SandboxReply(respond(request, path).guarded)
    }

    private func respond(_ request: SandboxRequest, _ path: [String]) -> HTTPResponse {
        let methods = Self.methods(path)
        guard !methods.isEmpty else { return .status(404) }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard methods.contains(method) else { return .notAllowed(methods) }
        switch (method, path.first) {
        case (_, "exchanges"), (_, "har"): return exchanges(method, path, request)
        case ("GET", "state"): return .json(StateReport(router.state))
        case (_, "world"), (_, "worlds"): return worlds(method, path, request)
        case (_, "faults"): return faults(method, path, request)
        case (_, "logins"), (_, "clients"), (_, "codes"): return logins(path)
        default: return .status(404)
        }
    }

    private static func methods(_ path: [String]) -> [String] {
        switch (path.first, path.count) {
        case ("exchanges", 1): ["DELETE", "GET"]
        case ("exchanges", 2): ["GET"]
        case ("exchanges", 3) where path[2] == "curl": ["GET"]
        case ("har", 1), ("state", 1), ("events", 1): ["GET"]
        case ("world", 1): ["GET", "PUT"]
        case ("world", 2) where path[1] == "check": ["POST"]
        case ("worlds", 1): ["GET"]
        case ("worlds", 2): ["POST"]
        case ("faults", 1): ["DELETE", "GET", "POST"]
        case ("faults", 2), ("clients", 2), ("codes", 2): ["DELETE"]
        case ("logins", 3) where ["end", "expire"].contains(path[2]): ["POST"]
        default: []
        }
    }

    // MARK: - Exchanges

    private func exchanges(_ method: String, _ path: [String], _ request: SandboxRequest) -> HTTPResponse {
        if method == "DELETE" {
            router.log.clear()
            return .status(204)
        }
        let problems = Self.problems(request.query)
        guard problems.isEmpty else { return .problems(problems, status: 400) }
        let masking = Masking(shows: request.query["secrets"] == "1")
        let host = SandboxInfo.host(request)
        if path.count > 1 {
            guard let exchange = Int(path[1]).flatMap(router.log.exchange) else {
                return .problems(["This exchange is not kept any more."], status: 404)
            }
            return path.count == 3
                ? .text(CurlCommand.text(exchange, host: host), type: "text/plain;charset=UTF-8")
                : .json(ExchangeReport(exchange, masking))
        }
        if path == ["har"] {
            var response = HTTPResponse.json(HARFile(router.log.exchanges, host: host, masking))
            response.headers[HTTPHeader("Content-Disposition")] = "attachment; filename=\"sandbox.har\""
            return response
        }
        let limit = Int(request.query["limit"] ?? "100") ?? 100
        let fits = router.log.exchanges.reversed().filter(ExchangeFilter(request.query).fits)
        return .json(ExchangeList(total: fits.count, exchanges: Array(fits.prefix(limit))))
    }

    /// The errors in the fields of a query.
    private static func problems(_ query: FormFields) -> [String] {
        let checks: [(String, String, (String) -> Bool)] = [
            ("secrets", "0 or 1", { ["0", "1"].contains($0) }),
            ("limit", "1 to 5000", { Int($0).map((1...ExchangeLog.maximumCount).contains) ?? false }),
            ("flow", "a number", { Int($0).map { $0 >= 0 } ?? false }),
            ("dialect", "one of the dialects", { $0.isEmpty || ServiceStep.Dialect(rawValue: $0) != nil }),
        ]
        return checks.compactMap { name, wanted, fits in
            guard let value = query[name], !fits(value) else { return nil }
            return "\(name) is \(wanted)."
        }
    }

    private struct ExchangeList: Encodable {
        let total: Int
        let exchanges: [SandboxExchange]
    }

    // MARK: - Worlds

    private func worlds(_ method: String, _ path: [String], _ request: SandboxRequest) -> HTTPResponse {
        switch (method, path.first, path.count) {
        case ("GET", "world", _):
            var response = HTTPResponse.text(router.board.world.json + "\n", type: "application/json;charset=UTF-8")
            response.headers[HTTPHeader("Content-Disposition")] = "inline; filename=\"world.json\""
            return response
        case ("GET", _, _):
            return .json(SandboxWorld.ready.map { ["name": $0.name, "title": $0.title, "about": $0.about] })
        case ("POST", "worlds", _):
            guard let ready = SandboxWorld.ready.first(where: { $0.name == path[1] }) else {
                return .problems(["There is no ready world of this name."], status: 404)
            }
            return apply(ready.world, "The world \(ready.title) was applied.")
        default:
            do throws(SandboxWorldDocumentError) {
                let world = try SandboxWorld(json: request.body)
                return path.count == 2 ? .status(204) : apply(world, "Another world was applied.")
            } catch {
                return .problems(error.problems, status: 400)
            }
        }
    }

    private func apply(_ world: SandboxWorld, _ sentence: String) -> HTTPResponse {
        do throws(SandboxWorldError) { try router.board.apply(world) } catch {
            return .problems(["\(error)"], status: 400)
        }
        router.log.note(sentence)
        return .status(204)
    }

    // MARK: - Faults

    private func faults(_ method: String, _ path: [String], _ request: SandboxRequest) -> HTTPResponse {
        switch (method, path.count) {
        case ("GET", _):
            return .json(router.board.world.faults.map(FaultReport.init))
        case ("POST", _):
            let fault: SandboxWorld.Fault
            do throws(OutsideJSONError) {
                fault = try OutsideJSON.decode(SandboxWorld.Fault.self, from: request.body, .small)
            } catch {
                return .problems(["This is no fault: it needs a kind, and its fields their types."], status: 400)
            }
            if let field = router.board.world.problem(fault) {
                return .problems(["The value of \(field) does not fit."], status: 400)
            }
            do throws(SandboxWorldError) { try router.board.change { $0.faults.append(fault) } } catch {
                return .problems(["\(error)"], status: 400)
            }
            router.log.note("\(FaultRow.of(fault.kind).title) is on.")
            return .json(FaultReport(fault), status: 201)
        default:
            let key = path.count > 1 ? path[1] : nil
            let count = router.board.world.faults.count
            // The board was valid with the fault, so it is valid without it.
            try? router.board.change { world in
                guard let key else { return world.faults = [] }
                if let index = world.faults.firstIndex(where: { $0.key == key }) { world.faults.remove(at: index) }
            }
            guard key == nil || router.board.world.faults.count < count else {
                return .problems(["This fault is not on."], status: 404)
            }
            router.log.note(key == nil ? "All faults are off." : "A fault is off.")
            return .status(204)
        }
    }

    private struct FaultReport: Encodable {
        let key: String
        let fault: SandboxWorld.Fault

        init(_ fault: SandboxWorld.Fault) {
            key = fault.key
            self.fault = fault
        }
    }

    // MARK: - Logins

    private func logins(_ path: [String]) -> HTTPResponse {
        let done =
            switch path[0] {
            case "logins":
                path[2] == "end" ? StateChanges.end(path[1], router.state) : StateChanges.expire(path[1], router.state)
            case "clients": StateChanges.revoke(path[1], router.state)
            default: StateChanges.void(path[1], router.state)
            }
        guard done else { return .problems(["There is nothing of this name."], status: 404) }
        router.log.note(
            path[0] == "logins"
                ? "A login was ended." : path[0] == "codes" ? "A code was made void." : "An application was revoked.")
        return .status(204)
    }
}

extension HTTPResponse {
    /// An answer with the errors as sentences.
    static func problems(_ sentences: [String], status: Int) -> HTTPResponse {
        .json(["problems": sentences], status: status)
    }
}
