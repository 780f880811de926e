import Foundation
import TVEModels

/// The requests about one registration code.
struct Session {
    /// The request that made the code; nil when the recording began later.
    var created: Call?
    var polls: [Call] = []
    /// `GET` and `POST` of the session.
    var checks: [Call] = []
    /// The viewer's browser begins.
    var opened: Call?
    /// The browser has reached the redirect.
    var arrival: Call?
    /// The next code of the same application.
    var replacement: Call?
    /// Whether the code was typed at the sandbox's own page, which is nobody's client.
    var wasTypedAtTheSandbox = false
    fileprivate(set) var redirect: String?

    /// What the service said that it still needs.
    var missing: [String] { created?.answer?["missingParameters"]?.arrayValue?.compactMap(\.stringValue) ?? [] }

    /// When the code ends, by the recording's clock; the service's own may differ.
    var end: Date? {
        guard let created, let answer = created.answer else { return nil }
        guard let first = Self.milliseconds(answer["notBefore"]), let last = Self.milliseconds(answer["notAfter"])
        else { return nil }
        return created.ended.addingTimeInterval((last - first) / 1_000)
    }

    /// Texts in sessions, numbers elsewhere.
    private static func milliseconds(_ value: MetadataValue?) -> Double? {
        value?.doubleValue ?? value?.stringValue.flatMap(Double.init)
    }

    /// The questions of the application that made the code, up to the one that was answered with a profile.
    var ownPolls: [Call] {
        let own = polls.filter { $0.client == created?.client }
        let success = own.firstIndex { $0.hasProfile }
        return success.map { Array(own[...$0]) } ?? own
    }

    /// Whether the recording shows which screen is which: the devices stand in the headers.
    var hasKnownScreens: Bool { created?.isWithoutHeaders == false }

    /// Whether the viewer logs in on another device.
    ///
    /// Sure signs are a look at the session by another client, and a parameter that the first device left out and did
    /// not add itself. Without them a redirect to an app means the first screen. A redirect to a web page can mean both;
    /// then the second screen is where the client looks for the profile before any browser has begun, and where that takes
    /// as long as a viewer needs for a code. A browser that begins at once is one of a first screen that looks too early.
    var isOnSecondScreen: Bool {
        if wasTypedAtTheSandbox || checks.contains(where: { $0.client != created?.client }) { return true }
        if !missing.isEmpty { return checks.isEmpty }
        guard let redirect, redirect.isWebAddress else { return false }
        guard let first = polls.first else { return false }
        guard let opened else { return true }
        let typing = created.map { opened.began.timeIntervalSince($0.ended) } ?? .infinity
        return first.place < opened.place && typing >= 1.5
    }
}

extension String {
    /// Whether the text is an absolute address of the web; a scheme in capitals is the same scheme.
    var isWebAddress: Bool {
        let start = String(decoding: utf8.prefix(8), as: UTF8.self).lowercasedASCII
        return start.hasBytePrefix("http://") || start.hasBytePrefix("https://")
    }
}

/// Collects sessions from calls in their order.
struct SessionIndex {
    private(set) var sessions: [Session] = []
    private var byCode: [ExactText: Int] = [:]
    private var newest: [ExactText: Int] = [:]
    /// The session whose browser may arrive next, by redirect.
    private var waiting: [ExactText: Int] = [:]

    mutating func take(_ call: Call) {
        noteArrival(call)
        guard let code = call.code, call.path.first != "activate" || call.exchange.method == "POST" else { return }
        let key = ExactText("\(call.serviceProvider ?? "") \(code.uppercased())")
        switch call.endpoint {
        case .createSession, .partnerSession:
            guard call.isSuccess else { return }
            var session = Session(created: call)
            session.redirect = call.field("redirectUrl")
            sessions.append(session)
            byCode[key] = sessions.count - 1
            // The sandbox's page does not know the service provider.
            byCode[ExactText(" \(code.uppercased())")] = sessions.count - 1
            let owner = ExactText("\(call.client ?? -1) \(call.serviceProvider ?? "")")
            if let last = newest[owner] { sessions[last].replacement = call }
            newest[owner] = sessions.count - 1
        default:
            if byCode[key] == nil {
                sessions.append(Session())
                byCode[key] = sessions.count - 1
            }
            if let place = byCode[key] { add(call, to: place) }
        }
    }

    private mutating func add(_ call: Call, to place: Int) {
        switch call.endpoint {
        case .profileOfCode: sessions[place].polls.append(call)
        case .session, .resumeSession:
            sessions[place].checks.append(call)
            if let redirect = call.field("redirectUrl") { sessions[place].redirect = redirect }
        case .authenticate:
            if sessions[place].opened == nil { sessions[place].opened = call }
            if let redirect = sessions[place].redirect { waiting[Self.place(redirect)] = place }
        default: sessions[place].wasTypedAtTheSandbox = true
        }
    }

    /// A browser that is sent to the redirect of a session, or loads it.
    private mutating func noteArrival(_ call: Call) {
        guard !waiting.isEmpty else { return }
        var texts = [call.exchange.answer.headers["location"]].compactMap(\.self)
        if call.endpoint == nil, let host = call.exchange.request.headers["host"] {
            texts += ["http://\(host)\(call.exchange.path)", "https://\(host)\(call.exchange.path)"]
        }
        for text in texts {
            guard let place = waiting.removeValue(forKey: Self.place(text)) else { continue }
            sessions[place].arrival = sessions[place].arrival ?? call
        }
    }

    /// A URL without its query and without a slash at its end.
    private static func place(_ url: String) -> ExactText {
        let path = url.divided(at: "?").before
        return ExactText(String(path.hasByteSuffix("/") ? path.dropLast() : path))
    }
}
