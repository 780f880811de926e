import Foundation
import TVEModels
import TVETestTraits
import TVETokenCodec
import Testing

struct ServiceAnswerReaderTests {
    private let reader = ServiceAnswerReader()

    @Test(
        .row("wire protocol, 4.5"),
        arguments: [
            ("<result><authnToken>&lt;a&gt;&amp;amp;</authnToken></result>", "<a>&amp;", String?.none),
            (
                "<result><authnToken><![CDATA[<a>]]></authnToken><userMeta>{\"a\":\"&lt;\"}</userMeta></result>", "<a>",
                "{\"a\":\"<\"}"
            ),
            (
                "<?xml version=\"1.0\"?><x:result xmlns:x=\"u\" v=\"1\"><userMeta/>"
                    + "<authnToken>t</authnToken></x:result>",
                "t", nil
            ),
            (
                "<result>\n <authnToken>\r\n\t<![CDATA[ &lt;a> ]]>\n</authnToken><userMeta> {} </userMeta></result>",
                "&lt;a>", "{}"
            ),
        ])
    func findsTheToken_unescapedOnce(text: String, token: String, metadata: String?) throws {
        #expect(try reader.session(Data(text.utf8)) == .token(TokenText(token), userMetadata: metadata))
    }

    /// XML allows white space before a root, and none before a declaration.
    @Test(arguments: ["", "\n", "\r\n\t ", "\u{FEFF}", "\u{FEFF}\r\n"], ["", "<?xml version=\"1.0\"?>"])
    func whiteSpaceBeforeAnAnswer_isSkipped(space: String, declaration: String) throws {
        func body(_ xml: String) -> Data { Data("\(space)\(declaration)\(xml)".utf8) }
        let token = ServiceAnswer.token(TokenText("t"), userMetadata: nil)
        #expect(try reader.session(body("<result><authnToken>t</authnToken></result>")) == token)
        #expect(try reader.authorization(body("<result><authzToken>t</authzToken></result>")) == token)
        let denied = ServiceAnswer.denied(AuthorizationDenial(code: "notAuthorized"))
        #expect(try reader.mediaToken(body("<error><notAuthorized/></error>")) == denied)
        #expect(try reader.preauthorization(body("<resources/>")) == .decisions([]))
        let configuration = body("<config><requestor><id>A</id></requestor></config>")
        #expect(try ConfigurationReader().configuration(configuration).requestor.id == "A")
    }

    /// A provider may name the viewer, or the viewer's plan, in its text.
    @Test(arguments: [
        ("<result><authnToken>s3cr3t</authnToken><userMeta>{\"zip\":\"s3cr3t\"}</userMeta></result>", "token"),
        ("<error><notAuthorized/><details>s3cr3t</details></error>", "denied(notAuthorized)"),
    ])
    func printsNothingAboutTheViewer(text: String, shown: String) throws {
        let answer = try reader.session(Data(text.utf8))
        var dumped = ""
        dump(answer, to: &dumped)
        dump([answer], to: &dumped)
        for text in [dumped, "\(answer)", String(reflecting: answer), String(describing: [answer])] {
            #expect(!text.contains("s3cr3t"))
        }
        #expect("\(answer)" == shown)
    }

    @Test(
        .row("wire protocol, 3.1"),
        arguments: [
            ("<result><pendingLogout reason=\"34764\">true</pendingLogout></result>", PendingLogout(reason: "34764")),
            ("<pendingLogout>true</pendingLogout>", PendingLogout()),
            (
                "<result><authnToken>t</authnToken><x><pendingLogout reason=\"1\">TRUE</pendingLogout></x></result>",
                PendingLogout(reason: "1")
            ),
            ("<error><a/><pendingLogout/></error>", PendingLogout()),
            ("<pendingLogout>\n true <!-- --></pendingLogout>", PendingLogout()),
        ])
    func findsPendingLogout_anywhere(text: String, signal: PendingLogout) throws {
        #expect(try reader.session(Data(text.utf8)) == .pendingLogout(signal))
        #expect(try reader.authorization(Data(text.utf8)) == .pendingLogout(signal))
        #expect(try reader.mediaToken(Data(text.utf8)) == .pendingLogout(signal))
    }

    @Test(arguments: [
        (
            "<error><notAuthorized/><details>Buy &amp; watch</details></error>",
            AuthorizationDenial(code: "notAuthorized", details: "Buy & watch")
        ),
        ("<error><notAuthorized/><details></details></error>", AuthorizationDenial(code: "notAuthorized")),
        ("<error><other>x</other></error>", AuthorizationDenial(code: "other")),
        (
            "<error>\n<notAuthorized/><details>\n <![CDATA[Buy & watch]]>\n</details></error>",
            AuthorizationDenial(code: "notAuthorized", details: "Buy & watch")
        ),
        ("<error><notAuthorized/><details> \n </details></error>", AuthorizationDenial(code: "notAuthorized")),
    ])
    func readsADenial(text: String, denial: AuthorizationDenial) throws {
        #expect(try reader.authorization(Data(text.utf8)) == .denied(denial))
        #expect(try reader.mediaToken(Data(text.utf8)) == .denied(denial))
    }

    @Test(.row("wire protocol, 4.7")) func readsPreauthorizationDecisions_withEnhancedErrors() throws {
        let text = """
            <resources><resource><id>SBX-1</id><authorized>TRUE</authorized></resource><resource><id>&lt;rss/&gt;</id>\
            <authorized>false</authorized><error><status>403</status><code>denied</code><message>m</message>\
            <details>Buy &amp;lt;b&amp;gt; it</details><helpUrl>https://h</helpUrl><trace>t</trace><action>none</action>\
            </error></resource><resource><id>SBX-3</id><authorized>0</authorized><error/></resource></resources>
            """
        let error = EnhancedError(
            status: 403, code: "denied", message: "m", details: "Buy &lt;b&gt; it", helpURL: "https://h", trace: "t",
            action: "none")
        let decisions = [
            PreauthorizationDecision(resource: "SBX-1", isAuthorized: true),
            PreauthorizationDecision(resource: "<rss/>", isAuthorized: false, error: error),
            PreauthorizationDecision(resource: "SBX-3", isAuthorized: false, error: EnhancedError()),
        ]
        #expect(try reader.preauthorization(Data(text.utf8)) == .decisions(decisions))
        #expect(try reader.preauthorization(Data("<resources/>".utf8)) == .decisions([]))
    }

    @Test func readsPreauthorizationDecisions_withWhiteSpaceAroundValues() throws {
        let text = """
            <resources>
              <resource><id>
                <![CDATA[ A B ]]>
              </id><authorized> true\r\n</authorized></resource>
              <resource><id>C</id><authorized>\tfalse</authorized><error><status> 403 </status></error></resource>
            </resources>
            """
        let decisions = [
            PreauthorizationDecision(resource: "A B", isAuthorized: true),
            PreauthorizationDecision(resource: "C", isAuthorized: false, error: EnhancedError(status: 403)),
        ]
        #expect(try reader.preauthorization(Data(text.utf8)) == .decisions(decisions))
    }

    @Test(arguments: ["<id/>", "<id> \n</id>", ""])
    func leavesOutADecision_withoutAnID(id: String) throws {
        let text = """
            <resources><resource>\(id)<authorized>true</authorized></resource>\
            <resource><id>A</id><authorized>true</authorized></resource></resources>
            """
        let decision = PreauthorizationDecision(resource: "A", isAuthorized: true)
        #expect(try reader.preauthorization(Data(text.utf8)) == .decisions([decision]))
    }

    /// An answer that states no decision about a resource must not look like a denial, which is stored.
    @Test(
        arguments: [
            ("<authorized>1</authorized>", true), ("<authorized> 0 </authorized>", false),
            ("<authorized>False</authorized>", false), ("<authorized>yes</authorized>", nil),
            ("<authorized>no</authorized>", nil), ("<authorized>truer</authorized>", nil),
            ("<authorized>2</authorized>", nil), ("<authorized/>", nil), ("", nil),
            ("<error><message>Later.</message></error>", nil), ("<error><code>denied</code></error>", false),
        ] as [(String, Bool?)])
    func leavesOutADecision_thatCannotBeRead(entry: String, isAuthorized: Bool?) throws {
        let text = """
            <resources><resource><id>A</id>\(entry)</resource>\
            <resource><id>B</id><authorized>true</authorized></resource></resources>
            """
        guard case .decisions(let decisions) = try reader.preauthorization(Data(text.utf8)) else {
            Issue.record("The answer has no decisions.")
            return
        }
        let permits = Dictionary(uniqueKeysWithValues: decisions.map { ($0.resource, $0.isAuthorized) })
        #expect(permits["A"] == isAuthorized && permits["B"] == true && decisions.allSatisfy(\.isDecided))
    }

    @Test func seesThatAPreauthorizationFailedAsAWhole() throws {
        let signal = Data("<resources><pendingLogout reason=\"1\">true</pendingLogout></resources>".utf8)
        #expect(try reader.preauthorization(signal) == .pendingLogout(PendingLogout(reason: "1")))
        let denial = Data("<error><tooManyResources/></error>".utf8)
        #expect(try reader.preauthorization(denial) == .denied(AuthorizationDenial(code: "tooManyResources")))
    }

    @Test(arguments: [
        ("<result/>", TokenCodecError.missingElement("resources")),
        ("<resources><resource><id>a</id></resource></resources>", .missingElement("authorized")),
        (
            "<resources><resource><id>a</id><authorized>yes</authorized></resource></resources>",
            .missingElement("authorized")
        ),
    ])
    func refusesWhatIsNoPreauthorization(text: String, error: TokenCodecError) {
        #expect(throws: error) { try reader.preauthorization(Data(text.utf8)) }
    }

    @Test(
        .row("wire protocol, 4.6"), arguments: [("", ""), ("", "\n"), ("", "\r\n"), ("\n", " \t\r\n")])
    func takesABareMediaToken_withoutWhatIsAround(before: String, behind: String) throws {
        let answer = try reader.mediaToken(Data((before + TokenSamples.media + behind).utf8))
        #expect(answer == .token(TokenText(TokenSamples.media), userMetadata: nil))
        let wrapped = "<result><mediaToken>\(before)<![CDATA[\(TokenSamples.media)]]>\(behind)</mediaToken></result>"
        #expect(
            try reader.mediaToken(Data(wrapped.utf8)) == .token(TokenText(TokenSamples.media), userMetadata: nil))
    }

    /// Some servers write one before each text.
    @Test(arguments: ["", "\r\n"]) func takesABareMediaToken_afterAByteOrderMark(space: String) throws {
        let answer = try reader.mediaToken(Data("\u{FEFF}\(space)\(TokenSamples.media)\n".utf8))
        #expect(answer == .token(TokenText(TokenSamples.media), userMetadata: nil))
        let wrapped = "\u{FEFF}<result><mediaToken><![CDATA[\(TokenSamples.media)]]></mediaToken></result>"
        #expect(
            try reader.mediaToken(Data(wrapped.utf8)) == .token(TokenText(TokenSamples.media), userMetadata: nil))
    }

    @Test(arguments: [
        ("<result/>", TokenCodecError.missingElement("authzToken")), ("<error/>", .missingElement("authzToken")),
        ("<result><pendingLogout>false</pendingLogout></result>", .missingElement("authzToken")),
        ("<result><pendingLogout> 0 </pendingLogout></result>", .missingElement("authzToken")),
        ("<result><authzToken/></result>", .missingElement("authzToken")),
        ("<result><authzToken>\n</authzToken></result>", .missingElement("authzToken")), ("", .empty),
    ])
    func refusesAnAnswerThatSaysNothing(text: String, error: TokenCodecError) {
        #expect(throws: error) { try reader.authorization(Data(text.utf8)) }
    }

    @Test(.row("wire protocol, 3.1")) func tellsDeviceMismatches_fromOtherReasons() {
        #expect(PendingLogout(reason: "34764").isDeviceMismatch && PendingLogout(reason: "58772").isDeviceMismatch)
        #expect(!PendingLogout(reason: "34763").isDeviceMismatch && !PendingLogout().isDeviceMismatch)
    }
}
