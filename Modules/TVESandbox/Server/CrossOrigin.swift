import FlyingFox

/// The headers that let a web page on another origin use the service (wire protocol, CORS); ``ConsoleGate`` protects
/// the paths without them.
enum CrossOrigin {
    static func allow(_ response: HTTPResponse, _ origin: String?) -> HTTPResponse {
        // A browser sends an origin without control characters; anything else is not echoed.
        guard let origin, origin.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return response }
        var response = response
        for (name, value) in fields { response.headers[HTTPHeader(name)] = value }
        response.headers[HTTPHeader("Access-Control-Allow-Origin")] = origin
        response.headers[HTTPHeader("Vary")] = "Origin"
        return response
    }

    private static let fields = [
        ("Access-Control-Allow-Credentials", "true"),
        ("Access-Control-Allow-Methods", "POST,GET,OPTIONS,DELETE"),
        (
            "Access-Control-Allow-Headers",
            "ap_11,ap_42,ap_z,ap_19,ap_21,ap_23,authorization,content-type,pass_sfp,"
                + "AP-Session-Identifier,AP-Device-Identifier,AP-SDK-Identifier,X-Device-Info,"
                + "AP-Visitor-Identifier,AP-TempPass-Identity,AP-Partner-Framework-Status,AD-Service-Token"
        ),
        (
            "Access-Control-Expose-Headers",
            "pass_sfp,Authzf-Error-Code,Authzf-Sub-Error-Code,Authzf-Error-Details"
        ),
    ]
}
