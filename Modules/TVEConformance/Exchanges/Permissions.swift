import Foundation
import TVEModels

/// The permissions of one application, each of which is for one playback.
struct Permissions {
    /// The decisions about a resource.
    struct Resource {
        var preauthorized: Call?
        /// The authorization for the next playback or, if nothing is left to play, that of the last one.
        private(set) var authorized: Call?
        /// The authorizations with which nothing has been played, by service provider and TV provider.
        ///
        /// A report of a playback names neither, so an app with several brands may have one of each.
        private var unused: [ExactText: Call] = [:]
        /// The authorization that the last playback has used up, which may have been one of another brand instead.
        private var guess: Guess?

        /// An authorization that a playback has used up, with the keys of those that it may have used up instead.
        private struct Guess {
            let used: Call
            let others: Set<ExactText>
        }

        /// A Boolean value that indicates whether nothing has been played with an authorization.
        var isFresh: Bool { !unused.isEmpty }

        /// Returns a Boolean value that indicates whether nothing has been played with an authorization.
        func isUnused(_ place: Int) -> Bool { unused.values.contains { $0.place == place } }

        fileprivate mutating func authorize(_ call: Call) {
            drop(Self.key(call))
            unused[Self.key(call)] = call
            authorized = call
        }

        /// Uses up the newest authorization, together with those of other TV providers for the same brand.
        ///
        /// A brand plays with one TV provider at a time, and the newest authorization shows which one.
        fileprivate mutating func play() {
            guard let used = newest else { return }
            let brand = Self.brand(used)
            unused = unused.filter { Self.brand($0.value) != brand }
            guess = Guess(used: used, others: Set(unused.keys))
            authorized = newest ?? used
        }

        /// Drops a permission with which nothing was played, because of a later decision or logout of its provider.
        fileprivate mutating func dropUnused(after call: Call) {
            if drop(Self.key(call)) { authorized = newest }
        }

        /// Drops an authorization with which nothing was played.
        ///
        /// If the last playback may have used it up, the authorization of the other brand is left to play.
        ///
        /// - Returns: a Boolean value that indicates whether there was such an authorization.
        @discardableResult
        private mutating func drop(_ key: ExactText) -> Bool {
            if let guess, Self.key(guess.used) == key { self.guess = nil }
            guard unused.removeValue(forKey: key) != nil else { return false }
            if let guess, guess.others.contains(key) {
                unused[Self.key(guess.used)] = guess.used
                self.guess = nil
            }
            return true
        }

        private var newest: Call? { unused.values.max { $1.isAfter($0) } }

        private static func brand(_ call: Call) -> ExactText { ExactText(call.serviceProvider ?? "") }

        private static func key(_ call: Call) -> ExactText {
            ExactText("\(call.serviceProvider ?? "")\n\(call.mvpd ?? "")")
        }
    }

    private var resources: [String: Resource] = [:]

    /// Returns what is known about a resource.
    subscript(name: String) -> Resource { resources[name] ?? Resource() }

    /// Adds the next call of the application.
    mutating func take(_ call: Call) {
        if let name = Play.resource(call) {
            resources[name]?.play()
        } else if call.endpoint == .logout {
            guard call.isSuccess else { return }
            for name in resources.keys { resources[name]?.dropUnused(after: call) }
        } else if call.endpoint?.decides == true {
            // A failure of the service is no decision, and its action is to try again. A permit follows below.
            for decision in call.decisions where call.endpoint == .authorize && decision.error?.action != "retry" {
                resources[decision.resource]?.dropUnused(after: call)
            }
            for name in call.permits {
                if call.endpoint == .preauthorize {
                    resources[name, default: Resource()].preauthorized = call
                } else {
                    resources[name, default: Resource()].authorize(call)
                }
            }
        }
    }
}

/// The applications of each device that may have sent a report of a playback, which names the device alone.
struct Players {
    private var permissions: [ExactText: Permissions] = [:]
    /// The permits of decisions, by device and resource, with the newest one last.
    private var permits: [ExactText: [(application: ExactText, place: Int)]] = [:]
    /// The application that sent the newest request of each device.
    private var newest: [ExactText: ExactText] = [:]
    /// The application of each device with an authorization about whose resources the recording says nothing.
    private var unseen: [ExactText: ExactText] = [:]

    /// Adds the next call of an application.
    mutating func take(_ call: Call, of application: ExactText) {
        permissions[application, default: Permissions()].take(call)
        guard let device = call.device else { return }
        newest[ExactText(device)] = application
        if call.hidesItsDecision { unseen[ExactText(device)] = application }
        for name in call.permits { permits[Self.key(name, device), default: []].append((application, call.place)) }
    }

    /// Returns the application that begins a playback on a device, or nil when no call of the device came before.
    ///
    /// It is the one with the newest permission with which nothing has been played.
    mutating func application(thatPlays resource: String, on device: String) -> ExactText? {
        let key = Self.key(resource, device)
        while let (application, place) = permits[key]?.popLast() {
            if permissions[application]?[resource].isUnused(place) == true { return application }
        }
        return unseen[ExactText(device)] ?? newest[ExactText(device)]
    }

    private static func key(_ resource: String, _ device: String) -> ExactText { ExactText("\(device)\n\(resource)") }
}

extension Call {
    /// The resources that the response permits, or all requested resources if the recording does not show it.
    ///
    /// A tool may have masked a response that cannot be read, unless that is the web page of a network.
    fileprivate var permits: [String] {
        if answer == nil, isSuccess, !isWebPage {
            return requestBody?["resources"]?.arrayValue?.compactMap(\.stringValue) ?? []
        }
        return decisions.filter(\.isPermit).map(\.resource)
    }

    /// A Boolean value that indicates whether the response is a web page.
    var isWebPage: Bool {
        guard let body = exchange.answer.body else { return false }
        let start = JSONCursor.trimmed(String(decoding: body.prefix(200), as: UTF8.self)).lowercasedASCII
        return start.hasBytePrefix("<!doctype") || start.hasBytePrefix("<html")
    }

    /// A Boolean value that indicates whether the call is about decisions and the recording lacks both of its bodies.
    var hidesItsDecision: Bool { endpoint?.decides == true && requestBody == nil && answer == nil }
}
