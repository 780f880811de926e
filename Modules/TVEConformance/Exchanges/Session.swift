import Foundation
import TVEModels

/// The requests that concern one registration code.
struct Session {
    /// The request that created the code, or nil when the recording began later.
    var created: Call?
    var polls: [Call] = []
    /// The `GET` and `POST` requests of the session.
    var checks: [Call] = []
    /// The request with which the viewer's browser opens the login page.
    var opened: Call?
    /// The request that shows that the browser has reached the redirect.
    var arrival: Call?
    /// A Boolean value that indicates whether a browser has reached the redirect, and it is unknown whether it was that
    /// of this session or that of another client.
    var isArrivalUnclear = false
    /// The request that created the next code of the same application.
    var replacement: Call?
    /// A Boolean value that indicates whether the code was entered on the sandbox's own page, which belongs to no
    /// client.
    var wasTypedAtTheSandbox = false
    fileprivate(set) var redirect: String?

    /// The parameters that the service reported as missing.
    var missing: [String] { created?.answer?["missingParameters"]?.arrayValue?.compactMap(\.stringValue) ?? [] }

    /// The time at which the code expires, by the recording's clock, or nil if the response does not state it.
    ///
    /// The service's own clock may differ.
    var end: Date? { created.flatMap { created in created.lifetime.map { created.ended.addingTimeInterval($0) } } }

    /// Returns a Boolean value that indicates whether a browser may still be on its way to the session's redirect.
    fileprivate func mayReachItsRedirect(at date: Date) -> Bool {
        arrival == nil && replacement == nil && polls.last.map(succeeds) != true && (end ?? .distantFuture) >= date
    }

    /// The polling requests of the application that created the code, up to the one that succeeds.
    var ownPolls: [Call] {
        let own = polls.filter { $0.client == created?.client }
        let success = own.firstIndex(where: succeeds)
        return success.map { Array(own[...$0]) } ?? own
    }

    /// Returns a Boolean value that indicates whether the response to a polling request has the profile of the login.
    ///
    /// A profile of another provider is the login's only if the response has none of the login's own provider, not even
    /// one that cannot be read.
    func succeeds(_ poll: Call) -> Bool {
        guard poll.hasProfile else { return false }
        let chosen = created?.mvpd ?? checks.lazy.compactMap(\.mvpd).first
        return chosen.flatMap { poll.hasProfile(of: $0) } ?? true
    }

    /// A Boolean value that indicates whether the recording shows which screen is which.
    ///
    /// The headers identify the devices.
    var hasKnownScreens: Bool { created?.isWithoutHeaders == false }

    /// A Boolean value that indicates whether the viewer logs in on another device.
    ///
    /// Certain signs are a request for the session from another client, and a parameter that the first device omitted
    /// and did not add itself. Without them, a redirect to an app means the first screen. A redirect to a web page can
    /// mean both. It then means the second screen if the client polls for the profile before any browser has opened the
    /// page, and if the viewer takes as long as entering a code takes. A browser that opens the page at once belongs to
    /// a first screen that polls too early.
    var isOnSecondScreen: Bool {
        if wasTypedAtTheSandbox || checks.contains(where: { $0.client != created?.client }) { return true }
        if !missing.isEmpty { return checks.isEmpty }
        guard let redirect, redirect.isWebAddress else { return false }
        guard let first = polls.first else { return false }
        guard let opened else { return true }
        let typing = created.map { opened.began.timeIntervalSince($0.ended) } ?? .infinity
        return opened.isAfter(first) && typing >= 1.5
    }
}

extension String {
    /// A Boolean value that indicates whether the text is an absolute web address.
    ///
    /// The scheme is not case-sensitive.
    var isWebAddress: Bool {
        let start = String(decoding: utf8.prefix(8), as: UTF8.self).lowercasedASCII
        return start.hasBytePrefix("http://") || start.hasBytePrefix("https://")
    }
}

/// A collector of sessions that receives the calls in their order.
struct SessionIndex {
    private(set) var sessions: [Session] = []
    private var byCode: [ExactText: Int] = [:]
    private var newest: [ExactText: Int] = [:]
    /// The sessions whose browsers may reach the redirect next, by redirect.
    private var waiting: [ExactText: [Int]] = [:]

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
            if let redirect = sessions[place].redirect {
                waiting[WebAddress(redirect).place, default: []].append(place)
            }
        default: sessions[place].wasTypedAtTheSandbox = true
        }
    }

    /// Records a browser that is sent to the redirect of a session, or that loads it.
    private mutating func noteArrival(_ call: Call) {
        guard !waiting.isEmpty else { return }
        let own = ["http", "https"].map { WebAddress(call.exchange, scheme: $0) }
        let location = call.exchange.answer.headers["location"]
        var places = own.compactMap { own in location.map { WebAddress($0, relativeTo: own).place } }
        if call.endpoint == nil { places += own.map(\.place) }
        for place in places {
            guard let numbers = waiting.removeValue(forKey: place), let last = numbers.last else { continue }
            let open = numbers.filter { sessions[$0].mayReachItsRedirect(at: call.began) }
            if Set(open.map { sessions[$0].created?.client }).count > 1 {
                for number in open { sessions[number].isArrivalUnclear = true }
            } else {
                let number = open.last ?? last
                sessions[number].arrival = sessions[number].arrival ?? call
            }
        }
    }
}
