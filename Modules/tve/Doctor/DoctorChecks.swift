import ArgumentParser
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import TVEDeviceBinding
import TVEFlowEngine
import TVEModels
import TVENetworking
import TVEStorage

/// The doctor's checks, each with advice for its findings.
struct DoctorChecks: Sendable {
    let options: SessionOptions
    let redirect: String?
    /// How long an exchange with the service may take.
    let limit: Duration

    /// How far two clocks may differ before dates are misread.
    private static let tolerance: TimeInterval = 120

    /// Service, statement, requestor and clock.
    ///
    /// - Returns: a failure when the options themselves are invalid.
    func service() async -> Result<[Finding], any Error> {
        do {
            let providers = try options.providers()
            guard let first = providers.first else { throw ValidationError("There is no service.") }
            let request = HTTPRequest(method: .get, url: first.root)
            let base = first.root.absoluteString
            do throws(TransportError) {
                let (answer, _) = try await URLSessionTransport(timeout: limit).send(request, body: nil)
                let reachable = Finding(
                    check: "service", state: .good, text: "\(base) answers with HTTP \(answer.status.code).")
                return .success([reachable] + (await application(first, answer)))
            } catch {
                return .success([
                    Finding(
                        check: "service", state: .bad, text: "\(base) does not answer: \(error).",
                        advice: "Look at the address, the network and a proxy; \"tve sandbox\" starts one here.")
                ])
            }
        } catch {
            return .failure(error)
        }
    }

    private func application(_ provider: ServiceProvider, _ answer: HTTPResponse) async -> [Finding] {
        let statement: String
        do {
            statement = try await options.softwareStatement(at: provider)
        } catch {
            return [
                Finding(
                    check: "statement", state: .bad, text: "There is no software statement: \(error)",
                    advice: "Name one with --statement or TVE_STATEMENT; \"@FILE\" reads a file.")
            ]
        }
        let environment = SessionEnvironment(
            storage: MemoryStorage(), transport: URLSessionTransport(timeout: limit),
            app: AppIdentity(bundleID: "org.example.tve", teamID: "TVE"),
            redirectURL: URL(string: "adobepass://ios.app") ?? URL(fileURLWithPath: "/"))
        do {
            let session = try await EntitlementSession(
                requestorID: options.requestorID, softwareStatement: statement, serviceProviders: [provider],
                service: try options.serviceDialect(), environment: environment)
            let configuration = try await session.start()
            return [
                Finding(check: "statement", state: .good, text: "The service accepts it."),
                Finding(
                    check: "requestor", state: .good,
                    text: "\(options.requestorID) works with \(configuration.requestor.providers.count) TV providers."),
                clock(configuration.serverTime, answer),
            ]
        } catch {
            return [refused(error)]
        }
    }

    private func refused(_ error: any Error) -> Finding {
        let failure = error as? TVEError
        let status = failure?.status.map { "\($0)" } ?? ""
        let text = "\(failure?.message ?? "\(error)")\(status.isEmpty ? "" : " [\(status)]")"
        switch status {
        case let status where status.hasPrefix("R4"):
            return Finding(
                check: "statement", state: .bad, text: text,
                advice: "The service does not accept the statement: is it this environment's, and whole?")
        case "CFG400":
            return Finding(
                check: "requestor", state: .bad, text: text,
                advice: "The service does not know the requestor \(options.requestorID): name yours with --requestor.")
        case "CFG429":
            return Finding(
                check: "service", state: .bad, text: text, advice: "The service throttles this address: wait a second.")
        default:
            return Finding(
                check: "requestor", state: .bad, text: text,
                advice: "Try again with --trace on \"tve providers\"; Documentation/Behaviour.md lists the codes.")
        }
    }

    private func clock(_ told: Date?, _ answer: HTTPResponse) -> Finding {
        let header = answer.headerFields[.date].flatMap(Self.date)
        guard let time = told ?? header else {
            return Finding(check: "clock", state: .note, text: "The service does not send its time.")
        }
        let seconds = Int(Date().timeIntervalSince(time).rounded())
        guard abs(TimeInterval(seconds)) > Self.tolerance else {
            return Finding(
                check: "clock", state: .good, text: "This machine's and the service's differ by \(abs(seconds)) s.")
        }
        return Finding(
            check: "clock", state: .bad,
            text: "This machine is \(abs(seconds)) s \(seconds > 0 ? "ahead of" : "behind") the service [CFG100].",
            advice: "Set the clock: tokens count by it as not yet or no longer valid.")
    }

    /// The date of an HTTP header, for example `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ header: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: header)
    }

    // MARK: - This machine

    func store() -> Finding {
        let url = options.storeURL
        guard FileManager.default.fileExists(atPath: url.path) else {
            return Finding(
                check: "store", state: .good, text: "There is none yet at \(url.path); the first login makes it.")
        }
        let key = FileStorage.sealingKey(in: url)
        guard FileManager.default.fileExists(atPath: key.path) else {
            return Finding(
                check: "store", state: .bad, text: "There is no sealing key at \(key.path).",
                advice:
                    "What is in the store cannot be opened without it: put it back, or remove the directory and log in again."
            )
        }
        let store = EntitlementStore(backend: SealedStorage.file(url), reader: .codec, fingerprint: "")
        let report = store.check(.report) { _, _ in }
        if case .unavailable(let error) = report.outcome {
            return Finding(
                check: "store", state: .bad, text: "\(url.path) cannot be used: \(error)",
                advice: "Look at its owner and rights: it must be this user's alone (0700).")
        }
        guard report.problems.isEmpty else {
            return Finding(
                check: "store", state: .bad, text: "\(report.problems.count) of \(report.checked) values are damaged.",
                advice: "\"tve storage check --mode repair\" moves them aside.")
        }
        return Finding(check: "store", state: .good, text: "\(report.checked) values, sealed and in order.")
    }

    func redirection() async -> Finding {
        if let redirect {
            let scheme = URL(string: redirect)?.scheme?.lowercased() ?? ""
            guard !scheme.isEmpty, !["javascript", "data", "file", "about", "blob"].contains(scheme) else {
                return Finding(
                    check: "redirect", state: .bad, text: "\(redirect) is no URL at which a login can end.",
                    advice:
                        "Use a scheme of your app, such as adbe.example://ios.app, and declare it in CFBundleURLTypes.")
            }
            if scheme == "http", URL(string: redirect)?.host != "127.0.0.1" {
                return Finding(
                    check: "redirect", state: .bad,
                    text: "\(redirect) sends the end of a login over the network in plain text.",
                    advice: "Use https, or a scheme of your app.")
            }
        }
        guard let loopback = try? await LoopbackRedirect() else {
            return Finding(
                check: "redirect", state: .bad, text: "No port of this machine can be listened at.",
                advice: "\"tve login\" needs one for the browser to come back; use --second-screen without.")
        }
        await loopback.stop()
        return Finding(check: "redirect", state: .good, text: "A browser can come back to a port of this machine.")
    }

    func browser() -> Finding {
        SystemBrowser.isThere
            ? Finding(check: "browser", state: .good, text: "This machine has one for login pages.")
            : Finding(
                check: "browser", state: .note, text: "There is none that this session can open.",
                advice:
                    "\"tve login\" prints the page's address then; --second-screen and --headless need no browser here."
            )
    }
}
