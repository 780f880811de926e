package import TVEModels
import TVETokenCodec

extension ServiceError: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do; without tokens, codes and texts of the service.
    ///
    /// Of the service's own, only names of errors, actions and parameters appear, if they are words.
    public var description: String {
        switch self {
        case .transport(let error): "\(error)"
        case .status(let status): Self.sentences(about: status)
        case .webPage(let status, let type):
            "A web page came in place of the service's answer (HTTP \(status), \(type)). "
                + (Self.remedy(ofUnexplained: status)
                    ?? "A network or a proxy may require a login: open any page in a browser, then try again.")
        case .unreadable(let error):
            "The answer of the service cannot be read. \(error.finding). "
                + "Check the address of the service, or ask its operator."
        case .unreadableJSON:
            "The answer of the service is not the expected JSON. "
                + "Check the address of the service, or ask its operator."
        case .unusableStatement(let reason): reason
        case .registrationRefused(let name):
            "The service refused the software statement (\(name)). "
                + "Check that the statement is for this service, or ask the service for a new one."
        case .accessTokenRefused(let name):
            "The service gave the application no access token (\(name)). "
                + "Ask the service whether the application is still registered."
        case .registrationCodeRefused(let status)
        where Self.isOfNetworkOrPlace(status) || [404, 405].contains(status):
            "The service gave no registration code. \(Self.sentences(about: status))"
        case .registrationCodeRefused(let status):
            "The service gave no registration code (status \(status)). Try again later."
        case .loginParametersMissing([]):
            "The service cannot begin a login, and does not name what is missing. "
                + "Pass the TV provider and the redirect, and begin again."
        case .loginParametersMissing(let names):
            "The service cannot begin a login because of missing parameters: "
                + "\(names.map(\.orUnknown).joined(separator: ", ")). Set what is missing, and begin again."
        case .notLoggedIn:
            "The login page was closed, or its code was not used yet. Finish the login, or begin a new one."
        case .denied(let denial) where denial.code.isEmpty:
            "The TV provider denied the request and named no reason. Show the viewer the provider's own words, if any."
        case .denied(let denial):
            "The TV provider denied the request (\(denial.code.orUnknown)). Show the viewer the provider's own words."
        case .pendingLogout(let signal) where signal.isDeviceMismatch:
            "The service says that the login belongs to another device. Let the viewer log in on this one."
        case .pendingLogout: "The service has ended the login. Let the viewer log in again."
        case .loginNotProven:
            "The service returns this login only for a valid service token or platform status, and there was none. "
                + "Try again later, or join the household again with a new code."
        case .viewerIdentityMissing:
            "A promotional TempPass needs the viewer's id. Pass it as the data of the call."
        case .refused(let error):
            "The service refused the request (\(error.code?.orUnknown ?? "no code")). "
                + (Self.recommendation(of: error).map { "It recommends the action \"\($0.orUnknown)\"." }
                    ?? "It recommends no action.")
        case .cannotKeepRegistration(let reason): "The registration cannot be read or stored. \(reason)"
        }
    }

    /// Returns a Boolean value that indicates whether the usual cause of a status is something between the device and
    /// the service, or the place where the device is.
    package static func isOfNetworkOrPlace(_ status: Int) -> Bool {
        [301, 302, 303, 307, 308, 403, 407, 451, 511].contains(status)
    }

    /// Returns the action that an error recommends, or nil for none, for which the service also has a word.
    private static func recommendation(of error: EnhancedError) -> String? {
        error.action.flatMap { $0.isEmpty || $0 == "none" ? nil : $0 }
    }

    /// Returns the usual cause of an HTTP status that came without an explanation, and what to do, or nil if the status
    /// itself is the explanation, or has many causes.
    private static func remedy(ofUnexplained status: Int) -> String? {
        switch status {
        case 401:
            "A web server or a proxy in front of the service may require a user name and a password: ask its operator "
                + "for an address that needs none."
        case 403:
            "A firewall, or a rule about the device's network or country, usually refuses such a request: try another "
                + "network."
        case 400, 404, 405: "Check the address of the service, where another server may have answered."
        default: nil
        }
    }

    /// Returns sentences about an HTTP status: its usual cause, and what to do.
    private static func sentences(about status: Int) -> String {
        let answer = "The service answered HTTP \(status)"
        if let remedy = remedy(ofUnexplained: status) { return "\(answer) without an explanation. \(remedy)" }
        return switch status {
        case 301, 302, 303, 307, 308:
            "\(answer), a redirect, which no service sends here. Check the address of the service, which may begin "
                + "with https. Otherwise a network or a proxy may require a login: open any page in a browser, then "
                + "try again."
        case 407:
            "\(answer): a proxy requires a login. Put the user name and the password into the address of the proxy."
        case 511: "\(answer): the network requires a login. Open any page in a browser, then try again."
        case 410:
            "\(answer): it has ended what was asked for. An application of the classic services needs a registration "
                + "for REST API v2, any other one a newer version of this library."
        case 451: "\(answer): for legal reasons it is not offered where the device is. Try it elsewhere."
        default: "\(answer) and gave no reason. Try again later."
        }
    }
}

extension AuthorizationDenial {
    /// A description of the reason, for developers, if the service sent none.
    package var sentence: String {
        switch reason {
        case .provider: "The TV provider does not allow this viewer to watch this resource."
        case .repetition: "The TV provider has denied several requests in a row, so it was not asked again."
        case .network: "The service could not reach the TV provider."
        case .invalidResource: "The resource is empty or malformed."
        case .degradation: "The TV provider is degraded so that everything is denied."
        case .temporaryAccessOver where isAboutResourcesOfTempPass: "The resources of the TempPass are used up."
        case .temporaryAccessOver: "The TempPass has expired."
        }
    }
}
