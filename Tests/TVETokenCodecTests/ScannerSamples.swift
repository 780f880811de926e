/// Documents that the scanner must parse, and documents that it must leave to libxml2.
enum ScannerSamples {
    static let configuration = """
        <ns2:config xmlns:ns2="http://pass.adobe.com/config"><time>1795219200000</time><requestor><id>a</id><mvpds><mvpd>\
        <id>m</id><displayName>M &amp; N</displayName><logoUrl>l</logoUrl></mvpd><mvpd><id>n</id></mvpd></mvpds>\
        </requestor></ns2:config>
        """

    static let session = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <result>
        \t<authnToken>&lt;a&gt;b&#x41;&#246;&lt;/a&gt;</authnToken>
        \t<userMeta>{"updated":1}</userMeta>
        </result>

        """

    static let decisions = """
        <resources><resource><id>a</id><authorized>false</authorized><error><status>403</status><code>c</code></error>\
        </resource></resources>
        """

    private static let lineUp = """
        <simpleAuthenticationToken><simpleAuthorizedResources><simpleAuthorizedResource simpleResourceID="a b"/>\
        <simpleAuthorizedResource simpleResourceID=""></simpleAuthorizedResource></simpleAuthorizedResources>\
        </simpleAuthenticationToken>
        """

    /// Small documents that together contain everything that the scanner understands.
    static let small = [
        "<a>x]>é&#xe9;&amp;y<ttl>1</ttl>z<b/>\t\n</a>\n", "<?xml version=\"1.0\"?><a reason=\"1\"><ttl>1</ttl></a>",
        "<ns2:config xmlns:ns2=\"http://pass.adobe.com/config\"><id>m</id></ns2:config>",
    ]

    static let scanned =
        small + [
            TokenSamples.authenticationBody, TokenSamples.authorizationBody, TokenSamples.mediaBody, configuration,
            session, decisions, lineUp, "<result><pendingLogout reason=\"34764\">true</pendingLogout></result>",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<error>\n  <notAuthorized/>\n  <details>Buy it</details>\n</error>",
            "<a/>", " <a></a> ", "<a>]]&gt;]]]</a>", "<a>\u{1F600}\u{D7FF}\u{E000}\u{FFFD}\u{10FFFF}\u{85}\u{7F}</a>",
            "<a>&#9;&#10;&#13;&#32;&#xD7FF;&#xE000;&#xFFFD;&#x10000;&#x10FFFF;&quot;&apos;</a>",
            "<a><b>x</b>y<b>z</b><a-._0><a>&lt;</a></a-._0></a>",
        ]

    static let givenUp = [
        // Documents that libxml2 understands and the scanner does not.
        "<a><![CDATA[x]]></a>", "<a><!-- c --></a>", "<!-- c --><a/>", "<a/><!-- c -->", "<a>x\r\ny</a>", "<a>\r</a>",
        "<a/>\r\n", "<a b=\"1\"/>", "<a reason='1'/>", "<a reason=\"&amp;\"/>", "<a reason=\"é\"/>",
        "<a reason=\"\t\"/>", "<a  reason=\"1\"/>", "<a reason=\"1\" />", "<a reason=\"1\" simpleResourceID=\"2\"/>",
        "<a xmlns=\"u\"/>", "<q:a xmlns:q=\"u\"/>", "<a xmlns:q=\"u\"><q:b/></a>", "<é/>", "<a >x</a>", "<a>x</a >",
        "<a />", "<?xml version='1.0'?><a/>", "<?xml version=\"1.0\" encoding=\"utf-8\"?><a/>", "\u{FEFF}<a/>",
        "<a>&#00000065;</a>",
        "<ns2:config xmlns:ns2=\"http://pass.adobe.com/config\"><ns2:id>m</ns2:id></ns2:config>",
        "<a><ns2:config xmlns:ns2=\"http://pass.adobe.com/config\"></ns2:config></a>",
        // Documents that libxml2 refuses.
        "<!DOCTYPE a><a/>", "<?php x?><a/>", "", " ", "<", "</", "<a", "<a>", "<a><", "<a></", "<a></a", "<a></b>",
        "<a></ab>", "<ab></a>", "<a></a><b/>", "<a/>x", "x<a/>", "<a>&x;</a>", "<a>&amp</a>", "<a>&", "<a>&#0;</a>",
        "<a>&#;</a>", "<a>&#x;</a>", "<a>&#8;</a>", "<a>&#xD800;</a>", "<a>&#xFFFE;</a>", "<a>&#x110000;</a>",
        "<a>&#4294967361;</a>", "<a>]]></a>", "<a>é]]></a>", "<a>x]]]></a>", "<a>\u{0}</a>", "<a/>\u{0}",
        "<a>\u{B}</a>",
        "<a>\u{FFFE}</a>", "<a>\u{FFFF}</a>", "<1/>", "<-a/>", "<a&/>", "<a/ >", "<a reason=\"<\"/>",
        "<a reason=\"1\"reason=\"2\"/>", "<ns2:config></ns2:config>",
        "<ns2:config xmlns:ns2=\"http://pass.adobe.com/config\"></config>",
    ]

    static let givenUpBytes: [[UInt8]] = [
        [0x3C, 0x61, 0x3E, 0xC3], [0x3C, 0x61, 0x3E, 0xC3, 0x28, 0x3C, 0x2F, 0x61, 0x3E],
        [0x3C, 0x61, 0x3E, 0xED, 0xA0, 0x80, 0x3C, 0x2F, 0x61, 0x3E], [0x3C, 0x61, 0x3E, 0xC0, 0xAF, 0x3C],
        [0x3C, 0x61, 0x3E, 0xF4, 0x90, 0x80, 0x80, 0x3C, 0x2F, 0x61, 0x3E], [0xFF, 0xFE, 0x3C],
    ]
}
