import Foundation
import TVEModels

/// A mistake in a world whose fields can all be read.
struct WorldMistake {
    /// The path of keys, for example `providers[0].id`.
    let place: String
    let error: SandboxWorldError
    /// A phrase for the allowed values; `nil` if only the documentation lists them.
    var allowed: String?

    /// A Boolean value that indicates whether the mistake is the name of a provider that does not exist.
    var namesProvider: Bool {
        if case .unknownProvider = error { return true }
        // Of the fields with this name, only that of a fault can be wrong.
        return place.hasByteSuffix("].provider")
    }

    /// The sentences about the mistake with its place, and about what to do.
    var sentence: String {
        switch error {
        case .badID, .unknownProvider: "\(place): \(error)"
        case .outOfRange:
            if let allowed {
                "The value of \(place) is not allowed. Use \(allowed)."
            } else {
                "\(SandboxWorldError.outOfRange(place))"
            }
        }
    }
}

extension SandboxWorld {
    /// All mistakes: ids that are not unique, references to nothing, and numbers out of their ranges.
    var mistakes: [WorldMistake] {
        idMistakes + referenceMistakes + behaviorMistakes + faultMistakes + expectationMistakes
    }

    private var idMistakes: [WorldMistake] {
        var found: [WorldMistake] = []
        func check(_ ids: [String], _ place: (Int) -> String) {
            var seen: Set<ExactText> = []
            for (index, id) in ids.enumerated() where id.isUnusable || !seen.insert(ExactText(id)).inserted {
                found.append(WorldMistake(place: place(index), error: .badID(id)))
            }
        }
        check(requestors.map(\.id.text)) { "requestors[\($0)].id" }
        check(viewers.map(\.name)) { "viewers[\($0)].name" }
        // The ids of providers compare as strings, because they are keys of JSON answers, and the JSON encoder treats
        // two keys that look alike as one.
        var seen: Set<String> = []
        for (index, id) in providers.map(\.id.text).enumerated() where id.isUnusable || !seen.insert(id).inserted {
            found.append(WorldMistake(place: "providers[\(index)].id", error: .badID(id)))
        }
        return found
    }

    private var referenceMistakes: [WorldMistake] {
        let known = Set(providers.map(\.id))
        return requestors.enumerated().flatMap { index, requestor in
            requestor.providers.enumerated().filter { !known.contains($0.element) }.map { place, id in
                WorldMistake(
                    place: "requestors[\(index)].providers[\(place)]",
                    error: .unknownProvider(id, requestor: requestor.id))
            }
        }
    }

    private var behaviorMistakes: [WorldMistake] {
        var found: [WorldMistake] = []
        func check(_ isAllowed: Bool, _ name: String, at place: String, use allowed: String) {
            guard !isAllowed else { return }
            found.append(WorldMistake(place: place, error: .outOfRange(name), allowed: allowed))
        }
        let seconds = 1...Behavior.Households.longest
        let someSeconds = "seconds from 1 to 315360000, which are ten years"
        let lifetimes = [
            ("authenticationLifetime", behavior.authenticationLifetime),
            ("authorizationLifetime", behavior.authorizationLifetime), ("mediaLifetime", behavior.mediaLifetime),
            ("registrationCodeLifetime", behavior.registrationCodeLifetime),
            ("accessTokenLifetime", behavior.accessTokenLifetime),
            ("households.tokenLifetime", behavior.households.tokenLifetime),
        ]
        for (name, value) in lifetimes {
            check(seconds.contains(value), name, at: "behavior.\(name)", use: someSeconds)
        }
        let households = behavior.households
        let others = [
            ("households.renewalLifetime", households.renewalLifetime),
            ("households.codeLifetime", households.codeLifetime),
        ]
        for (name, value) in others {
            check(value == 0 || seconds.contains(value), name, at: "behavior.\(name)", use: "0, or \(someSeconds)")
        }
        check(
            households.tries >= 0, "households.tries", at: "behavior.households.tries", use: "a number from 0")
        check(
            (-1_080...1_080).contains(behavior.tokenUTCOffsetMinutes), "tokenUTCOffsetMinutes",
            at: "behavior.tokenUTCOffsetMinutes", use: "minutes from -1080 to 1080")
        check(
            [200, 400, 403].contains(behavior.denialStatus), "denialStatus", at: "behavior.denialStatus",
            use: "200, 400 or 403")
        for (index, provider) in providers.enumerated() {
            let name = "a number of provider \(provider.id)"
            let place = "providers[\(index)]"
            check(
                seconds.contains(provider.temporaryAccess?.seconds ?? 1), name, at: "\(place).temporaryAccess.seconds",
                use: someSeconds)
            check(
                provider.temporaryAccess?.identityKey?.isEmpty != true, "identityKey",
                at: "\(place).temporaryAccess.identityKey", use: "a name, or leave it out")
            let isShared = providers.prefix(index).contains { other in
                other.platformID.map { $0.isSameBytes(as: provider.platformID ?? "") } ?? false
            }
            check(!isShared, "platformID", at: "\(place).platformID", use: "an id that no other provider has")
            check(
                provider.denialsBeforeRefusal ?? 1 > 0, name, at: "\(place).denialsBeforeRefusal",
                use: "a number from 1")
            check(
                provider.temporaryAccess?.resourceLimit ?? 1 > 0, name, at: "\(place).temporaryAccess.resourceLimit",
                use: "a number from 1")
        }
        check(
            behavior.preauthorizationLimit > 0, "preauthorizationLimit", at: "behavior.preauthorizationLimit",
            use: "a number from 1")
        for (index, redirect) in behavior.restV2.redirectURLs.enumerated() {
            check(
                URL(string: redirect)?.scheme != nil, "redirectURLs: \(redirect)",
                at: "behavior.restV2.redirectURLs[\(index)]", use: "a URL with a scheme, such as app.demo://")
        }
        for (endpoint, code) in behavior.restV2.forcedErrors.sorted(by: { $0.key < $1.key }) {
            let place = "behavior.restV2.forcedErrors.\(endpoint)"
            let isEndpoint = Behavior.RESTv2.Endpoint(rawValue: endpoint) != nil
            let names = Behavior.RESTv2.Endpoint.allCases.map(\.rawValue).joined(separator: ", ")
            check(
                isEndpoint && EnhancedErrorRow.of(code) != nil, "forcedErrors: \(endpoint)", at: place,
                use: isEndpoint ? "an error code of REST API v2" : "the name of an endpoint: \(names)")
        }
        return found
    }

    private var faultMistakes: [WorldMistake] {
        let limit = 100
        var found: [WorldMistake] = []
        if faults.count > limit {
            found.append(
                WorldMistake(
                    place: "faults", error: .outOfRange("the number of faults"), allowed: "at most \(limit) faults"))
        }
        for (index, fault) in faults.prefix(limit).enumerated() {
            for field in problems(fault) {
                let place = "faults[\(index)].\(field)"
                found.append(WorldMistake(place: place, error: .outOfRange(place)))
            }
        }
        return found
    }

    private var expectationMistakes: [WorldMistake] {
        let limit = 100
        var found: [WorldMistake] = []
        if expectations.count > limit {
            found.append(
                WorldMistake(
                    place: "expectations", error: .outOfRange("the number of expectations"),
                    allowed: "at most \(limit) expectations"))
        }
        var names: Set<ExactText> = []
        for (index, expectation) in expectations.prefix(limit).enumerated() {
            for field in expectation.problems {
                let place = "expectations[\(index)].\(field)"
                found.append(WorldMistake(place: place, error: .outOfRange(place)))
            }
            if !names.insert(ExactText(expectation.name)).inserted {
                found.append(WorldMistake(place: "expectations[\(index)].name", error: .badID(expectation.name)))
            }
        }
        return found
    }
}

extension String {
    /// A Boolean value that indicates whether the text cannot be an id, because clients remove blanks at its ends.
    fileprivate var isUnusable: Bool { isEmpty || trimmingCharacters(in: .whitespacesAndNewlines) != self }
}
