/// Configurations in the format of the service.
public enum ConfigurationPopulation {
    /// Returns the configuration of a requestor with a number of providers, each of which has about 330 bytes.
    public static func text(providers: Int) -> String {
        let entries = (0..<providers).map { number in
            """
            <mvpd><id>provider-\(number)</id><displayName>Provider number \(number) of Somewhere</displayName>\
            <logoUrl>https://images.example.com/logos/provider-\(number).png</logoUrl>\
            <iFrameRequired>\(number % 2 == 0)</iFrameRequired><iFrameWidth>600</iFrameWidth>\
            <iFrameHeight>500</iFrameHeight><enablePlatformServices>true</enablePlatformServices>\
            <boardingStatus>SUPPORTED</boardingStatus></mvpd>
            """
        }
        return """
            <ns2:config xmlns:ns2="http://pass.adobe.com/config"><time>1795219200000</time><device>mobile</device>\
            <clientType>ios</clientType><os>iOS</os><requestor><id>DEMO</id><name>Demo TV</name><domains>\
            <domain>demo.example</domain></domains><channels><channel>DEMO-1</channel></channels>\
            <mvpds>\(entries.joined())</mvpds></requestor></ns2:config>
            """
    }
}
