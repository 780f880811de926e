import FlyingFox
import Foundation
import TVEModels
import TVESandbox

extension ConsoleAPI {
    func exchanges(_ request: SandboxRequest) -> HTTPResponse {
        struct List: Encodable {
            let total: Int
            let exchanges: [SandboxExchange]
        }
        return checked(request.query, takes: ExchangeFilter.names + ["limit", "before"]) { _ in
            let limit = Int(request.query["limit"] ?? "100") ?? 100
            let before = request.query["before"].flatMap { Int($0) } ?? .max
            let found = found(request)
            let newest = found.reversed().lazy.filter { $0.id < before }.prefix(limit)
            return .json(List(total: found.count, exchanges: Array(newest)))
        }
    }

    func exchange(
        _ id: String, for request: SandboxRequest, answer: (SandboxExchange, Masking) -> HTTPResponse
    ) -> HTTPResponse {
        checked(request.query, takes: ["secrets"]) { masking in
            guard let exchange = Int(id).flatMap(routes.log.exchange) else { return Self.gone }
            return answer(exchange, masking)
        }
    }

    /// Returns a document with the exchanges that match the filter of the query, or `nil` if the name is unknown.
    ///
    /// The document is sent in pieces while it is being generated.
    func document(_ name: String, _ request: SandboxRequest) async -> SandboxReply? {
        guard ["har", "session"].contains(name) else { return nil }
        let names = ExchangeFilter.names + (name == "har" ? ["secrets"] : [])
        if let problems = problems(request.query, takes: names) { return await SandboxReply(problems.guarded) }
        if name == "har" {
            let masking = Masking(shows: request.query["secrets"] == "1")
            return await HARFile.document(found(request), host: request.host, masking)
                .reply(type: "application/json;charset=UTF-8", savedAs: "sandbox.har")
        }
        let file = SessionFile(
            exchanges: found(request), filter: ExchangeFilter(request.query), host: request.host,
            note: routes.notes.withLock(\.text), date: routes.state.now, names: DeviceNames(routes))
        return await file.document.reply(type: "text/html;charset=UTF-8", savedAs: "session.html")
    }

    func clearExchanges() -> HTTPResponse {
        routes.log.clear()
        return changed(true, "All exchanges were removed.")
    }

    func restoreExchanges() -> HTTPResponse {
        routes.log.restore()
        return changed(true, "The removed exchanges are back.")
    }

    /// Returns the command that sends a request again, or an error if a part of its body is not stored.
    func curl(_ exchange: SandboxExchange, host: String) -> HTTPResponse {
        guard exchange.request.isWhole else {
            return .problems(["The whole body is not stored, so there is no command for it."], status: 400)
        }
        return .text(CurlCommand.text(exchange, host: host), type: "text/plain;charset=UTF-8")
    }

    /// Sends a recorded request again, unchanged or with the edits in the body of the API call.
    func replay(_ id: String, _ request: SandboxRequest) async throws(JSONFormError) -> HTTPResponse {
        guard let exchange = Int(id).flatMap(routes.log.exchange) else { return Self.gone }
        let edit = try request.body.isEmpty ? nil : RequestEdit(form: request.body, .answer)
        guard edit?.body != nil || exchange.request.isWhole else {
            return .problems(["The whole body is not stored. Send another one in its place."], status: 400)
        }
        let sent = await routes.replay(
            exchange, method: edit?.method, target: edit?.target,
            headers: edit?.headers.map { $0.map { ($0.name, $0.value) } }, body: edit?.body.map { Data($0.utf8) })
        guard let sent else { return .problems(["Only requests to the service can be sent again."], status: 400) }
        return .json(["id": sent], status: 201)
    }

    private static var gone: HTTPResponse {
        .problems(["There is no exchange with this number, or it is no longer stored."], status: 404)
    }

    /// Returns the answered exchanges that match the filter of a query, oldest first.
    private func found(_ request: SandboxRequest) -> [SandboxExchange] {
        ExchangeFilter(request.query).matches(in: routes.log.exchanges.sorted { $0.id < $1.id }, index: index)
    }

    /// Returns an error for a query with invalid fields, and otherwise the answer from the closure.
    private func checked(
        _ query: FormFields, takes names: [String], _ answer: (Masking) -> HTTPResponse
    ) -> HTTPResponse {
        problems(query, takes: names) ?? answer(Masking(shows: query["secrets"] == "1"))
    }

    /// Returns an answer that lists the unknown and the invalid fields of a query, or `nil` if there are none.
    private func problems(_ query: FormFields, takes names: [String]) -> HTTPResponse? {
        let checks: [(field: String, wanted: String, isValid: (String) -> Bool)] = [
            ("secrets", "0 or 1", { ["0", "1"].contains($0) }),
            ("limit", "1 to 5000", { Int($0).map((1...ExchangeLog.maximumCount).contains) ?? false }),
            ("before", "a number", { Int($0).map { $0 >= 0 } ?? false }),
            ("flow", "a number", { Int($0).map { $0 >= 0 } ?? false }),
            ("dialect", "one of the dialects", { $0.isEmpty || ServiceStep.Dialect(rawValue: $0) != nil }),
            ("status", "an outcome or an HTTP status", ExchangeFilter.isStatus),
        ]
        let unknown = query.fields.map(\.name).filter { name in !names.contains { $0.isSameBytes(as: name) } }
            .map { "\($0) is not a known field." }
        let invalid = checks.compactMap { name, wanted, isValid -> String? in
            guard let value = query[name], !isValid(value) else { return nil }
            return "\(name) must be \(wanted)."
        }
        let problems = unknown + invalid
        return problems.isEmpty ? nil : .problems(problems, status: 400)
    }
}

/// The changed parts of a request that is sent again.
private struct RequestEdit: JSONForm {
    static let shape = JSONShape(
        RequestEdit(method: "GET", target: "/", body: "body", headers: [Header(name: "name", value: "value")]))

    struct Header: Codable {
        let name, value: String
    }

    let method, target, body: String?
    let headers: [Header]?
}
