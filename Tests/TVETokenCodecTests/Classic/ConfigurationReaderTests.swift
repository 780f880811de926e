import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import Testing

@Suite(.row("wire protocol, 5"), .fewAtATime)
struct ConfigurationReaderTests {
    @Test(arguments: ["", "\n \t", "\r\n"]) func readsEveryElement(space: String) throws {
        let text = """
            <ns2:config xmlns:ns2="http://pass.adobe.com/config"><time>1795219200000</time><device>mobile</device>\
            <clientType>ios</clientType><os>iOS</os><requestor><id>SBX</id><name>Sandbox &amp; TV</name><domains><domain>\
            a.example</domain><domain>b.example</domain></domains><channels><channel>SBX-1</channel></channels><mvpds>\
            <mvpd><id>one</id><displayName>One</displayName><logoUrl>l</logoUrl><foregroundLogout>TRUE</foregroundLogout>\
            <iFrameRequired>true</iFrameRequired><iFrameWidth>600</iFrameWidth><iFrameHeight>500</iFrameHeight>\
            <isProxy>1</isProxy><authPerAggregator>true</authPerAggregator><passiveAuthnEnabled>false\
            </passiveAuthnEnabled><authPerBrowserSession>true</authPerBrowserSession><tempPass>true</tempPass>\
            <enablePlatformServices>true</enablePlatformServices><boardingStatus>SUPPORTED</boardingStatus>\
            <displayInPlatformPicker>true</displayInPlatformPicker><platformMappingId>p</platformMappingId>\
            <requiredMetadataFields><field>zip</field></requiredMetadataFields><unknown/></mvpd>\
            <mvpd><id>two</id><displayName>Two</displayName><logoUrl>l</logoUrl><isTempPass>true</isTempPass></mvpd>\
            <mvpd><id>broken</id></mvpd></mvpds></requestor></ns2:config>
            """
        // White space around a value is not part of it.
        let xml = text.replacing(/>([^<]+)</) { match in ">\(space)\(match.1)\(space)<" }
            .replacing("Two", with: "<![CDATA[ Two ]]>")
        let configuration = try ConfigurationReader().configuration(Data(xml.utf8))
        #expect(configuration.serverTime == Date(timeIntervalSince1970: 1_795_219_200))
        #expect(configuration.deviceType == "mobile" && configuration.clientType == "ios")
        #expect(configuration.operatingSystem == "iOS")
        let requestor = configuration.requestor
        #expect(requestor.id == "SBX" && requestor.name == "Sandbox & TV")
        #expect(requestor.domains == ["a.example", "b.example"] && requestor.channels == ["SBX-1"])
        #expect(requestor.providers.map(\.id) == ["one", "two"])
        var one = TVProvider(id: "one", displayName: "One", logoURL: "l")
        one.needsForegroundLogout = true
        one.requiresIFrame = true
        one.iFrameWidth = 600
        one.iFrameHeight = 500
        one.isProxy = true
        one.authenticatesPerRequestor = true
        one.allowsPassiveAuthentication = false
        one.authenticatesPerBrowserSession = true
        one.isTempPass = true
        one.allowsPlatformSignOn = true
        one.boardingStatus = "SUPPORTED"
        one.isShownInPlatformPicker = true
        one.platformMappingID = "p"
        one.requiredMetadataFields = ["zip"]
        #expect(requestor.provider("one") == one)
        #expect(requestor.provider("two")?.displayName == "Two")
        #expect(requestor.provider("two")?.isTempPass == true)
        #expect(requestor.provider("two")?.allowsPassiveAuthentication == true)
    }

    @Test(arguments: [
        ("<other/>", TokenCodecError.unexpectedRoot(expected: "config")), ("<config/>", .missingElement("requestor")),
        ("<config><requestor><id/></requestor></config>", .missingElement("id")),
    ])
    func refusesAnotherDocument(xml: String, error: TokenCodecError) {
        #expect(throws: error) { try ConfigurationReader().configuration(Data(xml.utf8)) }
    }

    @Test func takesSmallTimesForSeconds() throws {
        let xml = "<config><time>1795219200</time><requestor><id>a</id></requestor></config>"
        let configuration = try ConfigurationReader().configuration(Data(xml.utf8))
        #expect(configuration.serverTime == Date(timeIntervalSince1970: 1_795_219_200))
    }

    @Test func readsAFlag_withoutAValue_andInTwoSpellings() throws {
        let xml = """
            <config><requestor><id>a</id><mvpds><mvpd><id>m</id><displayName>n</displayName><logoUrl>l</logoUrl>\
            <passiveAuthnEnabled/><tempPass>true</tempPass><isTempPass>false</isTempPass></mvpd></mvpds></requestor>\
            </config>
            """
        let provider = try ConfigurationReader().configuration(Data(xml.utf8)).requestor.provider("m")
        #expect(provider?.allowsPassiveAuthentication == true && provider?.isTempPass == true)
    }

    @Test func readsAThousandProviders() throws {
        let providers = (0..<1_000).map {
            "<mvpd><id>\($0)</id><displayName>n</displayName><logoUrl>l</logoUrl></mvpd>"
        }
        let xml = "<config><requestor><id>a</id><mvpds>\(providers.joined())</mvpds></requestor></config>"
        #expect(try ConfigurationReader().configuration(Data(xml.utf8)).requestor.providers.count == 1_000)
    }
}
