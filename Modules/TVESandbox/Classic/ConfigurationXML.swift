import FlyingFox
import TVEModels

/// The configuration of a requestor as XML, on one line because old clients need that.
enum ConfigurationXML {
    static func respond(_ state: SandboxState, _ request: SandboxRequest) throws(SandboxRefusal) -> HTTPResponse {
        try ClientRegistration.authorize(state, request)
        guard request.path.count == 3, let requestor = state.requestor(RequestorID(request.path[2])) else {
            return .text("", type: "text/plain", status: 400)
        }
        let agent = Agent(request.header("User-Agent") ?? "")
        let channels = requestor.channels.map { "<channel>\($0.escapedForXML)</channel>" }.joined()
        let providers = requestor.providers.compactMap { state.provider($0, of: requestor.id) }.map(provider).joined()
        return .xml(
            "<ns2:config xmlns:ns2=\"http://pass.adobe.com/config\">"
                + "<time>\(state.now.milliseconds)</time>"
                + "<device>\(agent.device)</device><clientType>\(agent.clientType)</clientType><os>\(agent.system)</os>"
                + "<requestor><id>\(requestor.id.text.escapedForXML)</id><name>\(requestor.name.escapedForXML)</name>"
                + "<domains><domain>localhost</domain></domains><channels>\(channels)</channels>"
                + "<mvpds>\(providers)</mvpds></requestor></ns2:config>")
    }

    private static func provider(_ provider: SandboxWorld.Provider) -> String {
        let id = provider.id.text.escapedForXML
        var flags = provider.authenticatesPerRequestor == true ? "<authPerAggregator>true</authPerAggregator>" : ""
        if provider.allowsPassiveAuthentication == false { flags += "<passiveAuthnEnabled>false</passiveAuthnEnabled>" }
        if provider.login == .none { flags += "<tempPass>true</tempPass>" }
        if provider.usesSafari == true { flags += "<useSVC>true</useSVC>" }
        if let platformID = provider.platformID {
            let status = provider.boardingStatus ?? "SUPPORTED"
            if !status.isEmpty { flags += "<boardingStatus>\(status.escapedForXML)</boardingStatus>" }
            flags +=
                "<enablePlatformServices>true</enablePlatformServices>"
                + "<displayInPlatformPicker>true</displayInPlatformPicker>"
                + "<platformMappingId>\(platformID.escapedForXML)</platformMappingId>"
        }
        return "<mvpd><id>\(id)</id><displayName>\(provider.displayName.escapedForXML)</displayName>"
            + "<logoUrl>http://localhost/\(id).png</logoUrl>\(flags)</mvpd>"
    }

    /// The kind of device that a user agent describes.
    private struct Agent {
        let device: String
        let clientType: String
        let system: String

        init(_ text: String) {
            if text.containsBytes(of: "iPhone") || text.containsBytes(of: "iPad") {
                device = text.containsBytes(of: "iPad") ? "tablet" : "mobile"
                clientType = "ios"
                system = "iOS"
            } else if text.containsBytes(of: "Android") {
                device = "mobile"
                clientType = "android"
                system = "Android"
            } else {
                device = "computer"
                clientType = "html5"
                system = text.containsBytes(of: "Mac") ? "Mac OS" : "Linux"
            }
        }
    }
}
