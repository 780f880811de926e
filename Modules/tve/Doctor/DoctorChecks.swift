import Foundation
import HTTPTypes
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage

/// The checks of `tve doctor`, whose findings contain advice.
struct DoctorChecks: Sendable {
    let options: SessionOptions
    let redirect: String?
    /// The longest time that an exchange with the service may take.
    let limit: Duration
    /// The recording of the exchanges, or `nil` if none was requested.
    var recording: ExchangeRecording?
    /// The trace of the service's check, or `nil` if none was requested.
    var trace: Trace?

    private var transport: any HTTPTransport {
        let plain = ToolTransport.make(timeout: limit)
        let recorded: any HTTPTransport = recording.map { RecordingTransport(next: plain, into: $0) } ?? plain
        guard let trace else { return recorded }
        return ObservedTransport(next: recorded) { trace.note($0, from: .library) }
    }

    /// The largest difference of two clocks, in seconds, at which dates are still interpreted correctly.
    private static let tolerance: TimeInterval = 120
    /// The longest time in seconds for which a cache is expected to store an answer.
    private static let maximumAge = 31_536_000

    /// Checks the proxies, the service, the software statement, the requestor and the clock.
    ///
    /// - Returns: the findings, or a failure if the options themselves are invalid.
    func service() async -> Result<[Finding], any Error> {
        do {
            guard let provider = try options.providers().first else { return .success([]) }
            // A file that cannot be read, or a dialect that does not exist, is no finding about the set-up, and ends
            // this command as it ends others.
            let given = try options.readStatement()
            let dialect = try options.serviceDialect()
            let request = HTTPRequest(method: .get, url: provider.root)
            let proxies = proxy(provider).map { [$0] } ?? []
            do throws(TransportError) {
                let (answer, body) = try await transport.send(request, body: nil)
                let strange = StrangeAnswer(answer, body, to: provider.root)
                let findings = await judged(
                    provider, answer: answer, root: strange, statement: given, dialect: dialect)
                return .success(proxies + findings)
            } catch {
                let hint = ServiceHint(provider, error, proxies: ToolTransport.proxies)
                let fault = ServiceFault.noAnswer(provider.root.absoluteString, error, hint: hint)
                return .success(proxies + [DoctorFinding.service(fault).finding])
            }
        } catch {
            return .failure(error)
        }
    }

    /// Returns a finding about the proxies in the environment, or `nil` if there are none.
    private func proxy(_ provider: ServiceProvider) -> Finding? {
        let variables = ProxyVariables()
        guard let first = variables.all.first else { return nil }
        let named = "\(first.variable) names the proxy \(first.address)"
        let host = provider.root.host() ?? ""
        guard ToolTransport.usesProxyVariables else {
            return DoctorFinding.proxyUnused(first.address, variable: first.variable).finding
        }
        if let used = variables.proxy(for: provider.root) {
            if let unread = variables.unreadExemption(of: host) {
                return DoctorFinding.exemptionNotRead(
                    used.address, host: host, entry: unread.entry, form: unread.form
                ).finding
            }
            return DoctorFinding.proxyUsed(used.address, host: host, variable: used.variable).finding
        }
        if ProxyVariables.isThisMachine(host) {
            return .good("proxy", "\(named); what goes to this machine does not go through it.")
        }
        let reason = variables.isExempt(host) ? "no_proxy lists \(host)" : "it is not for \(host)"
        return .good("proxy", "\(named), and \(reason).")
    }

    /// Judges a service by the answer at its root and by the attempt to start a session.
    ///
    /// A service may have a web page at its root. Therefore, if the attempt does not prove that there is a service, the
    /// answer at a documented path decides.
    ///
    /// - Parameters:
    ///   - provider: the service.
    ///   - answer: the answer at the root.
    ///   - root: the explanation of an answer at the root that no service gives, or `nil` for any other answer.
    ///   - statement: the given statement, or `nil` to use the sandbox's own.
    ///   - dialect: the given dialect, or `nil` to use the application's.
    private func judged(
        _ provider: ServiceProvider, answer: HTTPResponse, root: StrangeAnswer?, statement: String?,
        dialect: ServiceDialect?
    ) async -> [Finding] {
        let base = provider.root.absoluteString
        let (findings, isService) = await application(provider, answer, statement: statement, dialect: dialect)
        let good = Finding.good("service", "\(base) answers with HTTP \(answer.status.code).")
        if isService { return [good] + findings }
        switch await probe(provider, root, dialect: dialect) {
        case .service: return [good] + findings
        case .strange(let strange): return [DoctorFinding.service(.strange(base, strange)).finding]
        case .unread(let error):
            return [DoctorFinding.service(.noAnswer(base, error, hint: nil)).finding]
        case .other(let status):
            return [DoctorFinding.service(.noService(base, status: status ?? answer.status.code)).finding] + findings
        }
    }

    /// The sender of an answer at a documented path of a service.
    private enum Probe {
        case service
        case strange(StrangeAnswer)
        /// An answer that cannot be read at all, such as a compressed one, with the error.
        case unread(TransportError)
        /// An answer in no form of a service, with its status; `nil` for no answer.
        case other(Int?)
    }

    /// Sends a request to a path at which every service answers, even without an access token.
    ///
    /// - Parameters:
    ///   - provider: the service.
    ///   - root: the explanation of the answer at the root, which is returned if there is no answer now.
    ///   - dialect: the given dialect, or `nil` to use the application's.
    private func probe(
        _ provider: ServiceProvider, _ root: StrangeAnswer?, dialect: ServiceDialect?
    ) async -> Probe {
        let id = options.requestorID.text
        let path = dialect == .classic ? "adobe-services/config/\(id)" : "api/v2/\(id)/configuration"
        let request = HTTPRequest(method: .get, url: provider.root.appending(path: path))
        let (answer, body): (HTTPResponse, Data)
        do throws(TransportError) {
            (answer, body) = try await transport.send(request, body: nil)
        } catch {
            // The address was read at its root, so the answer is at fault.
            return error == .invalid ? .unread(error) : root.map { .strange($0) } ?? .other(nil)
        }
        if let strange = StrangeAnswer(answer, body, to: provider.root, mayRedirect: false) { return .strange(strange) }
        // The classic services end with this status, which another server has no reason to send.
        let isEnd = answer.status.code == 410
        let isRefusal = RefusalWithoutToken.isPossible(
            status: answer.status.code, challenge: answer.headerFields[.wwwAuthenticate], body: body)
        return isEnd || isRefusal ? .service : .other(answer.status.code)
    }

    /// Starts a session and judges the statement, the requestor and the clock.
    ///
    /// - Parameters:
    ///   - provider: the service.
    ///   - answer: the answer at the root.
    ///   - given: the given statement, or `nil` to use the sandbox's own.
    ///   - dialect: the given dialect, or `nil` to use the application's.
    /// - Returns: the findings, and a Boolean value that indicates whether a service has provably answered.
    private func application(
        _ provider: ServiceProvider, _ answer: HTTPResponse, statement given: String?, dialect: ServiceDialect?
    ) async -> (findings: [Finding], isService: Bool) {
        let statement: String
        do {
            statement = if let given { given } else { try await options.softwareStatement(at: provider) }
        } catch {
            return ([DoctorFinding.noStatement("\(error)").finding], false)
        }
        let memory = MemoryStorage()
        let outages = ServiceOutages()
        do {
            let session = try await EntitlementSession(
                requestorID: options.requestorID, softwareStatement: statement, serviceProviders: [provider],
                service: dialect,
                environment: options.environment(
                    storage: trace?.observed(memory) ?? memory, transport: outages.watched(transport)))
            trace?.note("start()", from: .app, to: .library)
            try await session.start()
            let configuration = try await session.configuration()
            let count = configuration.requestor.providers.count
            let requestor =
                count == 0
                ? DoctorFinding.noProviders(options.requestorID).finding
                : Finding.good(
                    "requestor", "\(options.requestorID) works with \(Printer.count(count, "TV provider")).")
            let findings: [Finding] = [
                .good("statement", "The service accepts the statement."), requestor,
                clock(configuration.serverTime, answer),
            ]
            // A session also starts if the service does not answer who is logged in, so that failure is a separate
            // finding.
            let logins = outages.current.map { [DoctorFinding.noLogins($0).finding] } ?? []
            return (findings + logins, true)
        } catch {
            return ([refused(error)], error.isWordOfService)
        }
    }

    private func refused(_ error: any Error) -> Finding {
        let failure = error as? TVEError
        let status = failure?.status.map { "\($0)" } ?? ""
        let text =
            "\(failure?.providerMessage ?? failure?.message ?? "\(error)")\(status.isEmpty ? "" : " [\(status)]")"
        if let cause = failure?.underlying as? ServiceError, case .unusableStatement = cause {
            return DoctorFinding.unusableStatement(text).finding
        }
        switch status {
        case let status where status.hasBytePrefix("R4"):
            return DoctorFinding.refusedStatement(text).finding
        case "CFG400":
            return DoctorFinding.unknownRequestor(options.requestorID, status: status).finding
        case "CFG429":
            return DoctorFinding.throttled(text).finding
        default:
            return DoctorFinding.noSession(text).finding
        }
    }

    private func clock(_ serverTime: Date?, _ answer: HTTPResponse) -> Finding {
        Self.clock(serverTime.map { [$0] } ?? Self.times(of: answer), at: Date())
    }

    /// Judges this machine's clock by the times that there may be at the service, which must agree.
    static func clock(_ times: [Date], at now: Date) -> Finding {
        let differences = times.map { Int(bounded: now.timeIntervalSince($0).rounded()) }
        let signs = Set(differences.map { abs(TimeInterval($0)) > tolerance ? $0.signum() : 0 })
        guard let seconds = differences.last, signs.count == 1 else { return DoctorFinding.noTime.finding }
        guard !signs.contains(0) else {
            return .good("clock", "This machine's clock and the service's differ by \(abs(seconds)) s.")
        }
        let wrong: DoctorFinding = seconds > 0 ? .clockAhead(seconds: seconds) : .clockBehind(seconds: -seconds)
        return wrong.finding
    }

    /// Returns the times that there may be at the service according to an answer, or none if it has no date.
    ///
    /// A cache repeats the date of the answer that it has stored, and says how long ago that was (RFC 9111, 4.2.3). But
    /// some caches send the current date with this age.
    static func times(of answer: HTTPResponse) -> [Date] {
        guard let sent = answer.headerFields[.date].flatMap(Date.init(httpText:)) else {
            return []
        }
        guard let age = answer.headerFields[.age].flatMap({ Int($0) }), age > 0 else { return [sent] }
        return [sent, sent.addingTimeInterval(TimeInterval(min(age, maximumAge)))]
    }

    // MARK: - This machine

    func store() -> Finding {
        let url = options.store.url
        let places = StorePlaces(url)
        let bad = { (error: StorageError) in
            let problem = StoreProblem(error, at: places)
            return Finding.bad("store", problem.cause, advice: problem.nextStep)
        }
        if let obstacle = places.obstacle { return bad(obstacle) }
        if let failure = StoreTrial(directory: url).failure() { return bad(failure) }
        guard FileManager.default.fileExists(atPath: url.path + "/entitlements.store") else {
            return .good("store", "There is no store at \(url.path) yet; the first login creates it.")
        }
        let key = FileStorage.sealingKey(in: url)
        guard FileManager.default.fileExists(atPath: key.path) else {
            do throws(StorageError) {
                if try FileStorage(directory: url).needsKey { return DoctorFinding.noSealingKey(key.path).finding }
            } catch {
                return bad(error)
            }
            return .good("store", "There is nothing in the store at \(url.path) yet; the first login makes its key.")
        }
        let store = EntitlementStore(backend: SealedStorage.file(url), reader: .codec, fingerprint: "")
        let report = store.check(.report) { _, _ in }
        if case .unavailable(let error) = report.outcome {
            return bad(error)
        }
        let values = Printer.count(report.checked, "value")
        guard report.problems.isEmpty else {
            return DoctorFinding.damagedStore(problems: report.problems.count, values: report.checked).finding
        }
        return .good("store", "\(values), sealed and undamaged.")
    }

    func redirection() async -> Finding {
        if let redirect {
            let url = URL(string: redirect)
            let scheme = url?.scheme?.lowercased() ?? ""
            // A web address needs a host, and any other URL needs text after its scheme.
            let isWeb = ["http", "https"].contains(scheme)
            let target = isWeb ? url?.host() : redirect.divided(at: ":").after.map(String.init)
            guard !scheme.isEmpty, target?.isEmpty == false,
                !["javascript", "data", "file", "about", "blob"].contains(scheme)
            else {
                return DoctorFinding.impossibleRedirect(redirect).finding
            }
            // A request to this machine does not reach the network.
            if scheme == "http", url?.host().map(ProxyVariables.isThisMachine) != true {
                return DoctorFinding.plainRedirect(redirect).finding
            }
        }
        guard let loopback = try? await LoopbackRedirect() else {
            return DoctorFinding.noPort.finding
        }
        await loopback.stop()
        return .good("redirect", "A browser can come back to a port of this machine.")
    }

    func browser() -> Finding {
        SystemBrowser.isThere
            ? .good("browser", "This machine has a browser for login pages.")
            : DoctorFinding.noBrowser.finding
    }
}

extension TVEError {
    /// A Boolean value that indicates whether the error contains an answer that only a service itself can give.
    fileprivate var isWordOfService: Bool {
        switch underlying as? ServiceError {
        // A proxy or a network may also answer with this status, without an error of the service.
        case .registrationRefused("HTTP 400"): false
        case .registrationRefused, .accessTokenRefused, .refused, .denied, .pendingLogout, .viewerIdentityMissing: true
        default: false
        }
    }
}
