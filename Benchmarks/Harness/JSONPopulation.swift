/// Answers of REST API v2 in the format of the service's samples.
public enum JSONPopulation {
    /// Returns the configuration of a requestor with a number of TV providers, each of which has about 190 bytes.
    public static func configuration(providers: Int) -> String {
        let entries = (0..<providers).map { number in
            let platform =
                number % 4 == 0
                ? """
                ,"enablePlatformServices":true,"boardingStatus":"SUPPORTED","displayInPlatformPicker":true,\
                "platformMappingId":"p\(number)"
                """ : ""
            return """
                {"id":"mvpd-\(number)","displayName":"Provider \(number)",\
                "logoUrl":"https://logos.example/\(number).png","authPerAggregator":\(number % 2 == 0)\(platform)}
                """
        }
        return """
            {"device":"unknown","clientType":"html5","os":"Unknown","requestor":{"id":"DEMO","name":"Demo",\
            "domains":[{"name":"d.example","mvpdInitiated":false}],"mvpds":[\(entries.joined(separator: ","))]}}
            """
    }

    /// The profile of a viewer with the usual attributes.
    public static let profile = """
        {"profiles":{"demo-cable":{"notBefore":1797832900000,"notAfter":1805608900000,"issuer":"demo-cable",\
        "type":"regular","attributes":{"userID":{"value":"BgSdasfsdk348jdsf923r84hjsdfkj","state":"plain"},\
        "householdID":{"value":"3456798734","state":"plain"},"zip":{"value":["12345","34567"],"state":"plain"},\
        "parental-controls":{"value":{"MPAA":"PG-13","TV":"TV-14"},"state":"plain"},\
        "upstreamUserID":{"value":"BgSdasfsdk348jdsf923r84hjsdfkj","state":"plain"},\
        "channelID":{"value":["DEMO-1","DEMO-2","DEMO-PLUS"],"state":"plain"}}}}}
        """

    /// A decision about one resource, with its media token.
    public static let decision = """
        {"decisions":[{"resource":"DEMO-1","serviceProvider":"DEMO","mvpd":"demo-cable","source":"mvpd",\
        "authorized":true,"token":{"notBefore":1797832900000,"notAfter":1797833320000,\
        "serializedToken":"\(String(repeating: "PHNpZ25hdHVyZUluZm8+", count: 60))"},\
        "notBefore":1797832900000,"notAfter":1797919300000}]}
        """
}
