import TVEModels

extension ServiceError: CustomStringConvertible {
    /// A sentence about what was found, and one about what to do; without tokens, codes and texts of the service.
    ///
    /// Of the service's own, only names of errors, actions and parameters appear, if they are words.
    public var description: String {
        switch self {
        case .transport(let error): "\(error)"
        case .status(let status):
            "The service answered with the status \(status) and gave no reason. Try again later."
        case .webPage(let status, let type):
            "A web page (\(type), status \(status)) came in place of the service's answer. "
                + "Log in to this network, or ask its operator to let the service through."
        case .unreadable(let error): "The answer of the service cannot be read. \(error)"
        case .unreadableJSON:
            "The answer of the service is not the expected JSON. Check the address of the service."
        case .unusableStatement(let reason): reason
        case .registrationRefused(let name):
            "The service refused the software statement (\(name)). "
                + "Check that the statement is for this service, or ask the service for a new one."
        case .accessTokenRefused(let name):
            "The service gave the application no access token (\(name)). "
                + "Ask the service whether the application is still registered."
        case .registrationCodeRefused(let status):
            "The service gave no registration code (status \(status)). Try again later."
        case .loginParametersMissing(let names):
            "The service cannot begin a login without \(names.map(Self.word).joined(separator: ", ")). "
                + "Set them, and begin again."
        case .notLoggedIn:
            "The registration code has not been used to log in yet. Finish the login, or request a new code."
        case .denied(let denial):
            "The TV provider denied the request (\(Self.word(denial.code))). Show the viewer the provider's own words."
        case .pendingLogout: "The service has ended the session. Let the viewer log in again."
        case .loginNotProven:
            "Only a proof can show whether the viewer is logged in, and there was no valid one. "
                + "Obtain the proof of the platform or the household again."
        case .viewerIdentityMissing:
            "A promotional TempPass needs the viewer's identity. Pass it as the data of the call."
        case .refused(let error):
            "The service refused the request (\(error.code.map(Self.word) ?? "no code")). "
                + (error.action.map { "Its advice is \"\(Self.word($0))\"." } ?? "It gives no advice; try again later.")
        case .cannotKeepRegistration(let reason): "The registration cannot be read or stored. \(reason)"
        }
    }
    /// Returns a name as it is written if it is a word, because a name of the service must not forge a line of a log.
    private static func word(_ name: String) -> String { name.isEmpty || name.isWord ? name : "unknown" }
}
