/// The parts of the service's documents, and texts that could occur between them.
enum Vocabulary {
    static let names = lines(
        """
        simpleAuthenticationToken simpleTokenAuthenticationGuid simpleTokenRequestorID simpleTokenExpires ttl
        simpleTokenDeviceID simpleTokenFingerprint simpleAuthorizedResources simpleAuthorizedResource
        simpleAuthorizationToken simpleTokenResourceID simpleTokenTTL authToken resourceID issueTime mvpdId
        config time requestor id name domains domain channels mvpds mvpd displayName logoUrl iFrameWidth
        result authnToken authzToken userMeta pendingLogout error details notAuthorized
        resources resource authorized status code message a b-.0 _ xml ns2:config q:a é
        """)

    static let attributes = [
        #" reason="1""#, #" simpleResourceID="a b""#, #" reason='1'"#, #" reason="&amp;""#, #" a="1""#, #" xmlns="u""#,
        #" xmlns:q="u""#, #" xmlns:ns2="http://pass.adobe.com/config""#, #" reason="1" reason="2""#, #" q:reason="1""#,
    ].map { Array($0.utf8) }

    static let texts = [
        "a", "text of sixteen b", "2026/12/21 09:30:00 GMT -0800", "2026-11-21 09:30:00 -0800", "true", "420000", "=",
        "\n",
        "\t", " ", "]", "]]", ">", "é", "\u{1F600}", "\u{2028}", "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#65;",
        "&#x41;",
        "&#xe9;", "&#x1F600;", "&#13;", "&#9;",
    ].map { Array($0.utf8) }

    static let pieces =
        texts
        + [
            "<", ">", "/", "</", "/>", "&", ";", "&#", "&#x", "&#0;", "&#xFFFE;", "&#xD800;", "&#x110000;", "&x;",
            "]]>",
            "\r", "\r\n", "\u{0}", "\u{1}", "\u{7F}", "\u{FFFE}", "\u{FFFF}", "\u{FEFF}", "<a>", "</a>", "<a/>", "<a >",
            "</a >", "<![CDATA[", "<![CDATA[x]]>", "<!--", "<!-- x -->", "-->", "<?x y?>", "<!DOCTYPE a>",
            "<!DOCTYPE a [",
            "<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", " standalone=\"yes\"",
            "<signatureInfo>AAEC<signatureInfo>", "\"", "'", "=\"", "=",
        ].map { Array($0.utf8) } + [
            [0x80], [0xC3], [0xED, 0xA0, 0x80], [0xEF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xFF],
        ]

    static let documents = [
        """
        <simpleAuthenticationToken><simpleTokenAuthenticationGuid>g</simpleTokenAuthenticationGuid>\
        <ttl>1</ttl></simpleAuthenticationToken>
        """,
        "<authToken><sessionGUID>s</sessionGUID><resourceID>&lt;rss&gt;</resourceID></authToken>",
        """
        <ns2:config xmlns:ns2="http://pass.adobe.com/config"><requestor><id>a</id>\
        <mvpds><mvpd><id>m</id></mvpd></mvpds></requestor></ns2:config>
        """,
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <result><authnToken>&lt;a&gt;</authnToken></result>

        """,
        "<resources><resource><id>a</id><authorized>true</authorized></resource></resources>",
        "<result><pendingLogout reason=\"1\">true</pendingLogout></result>",
    ].map { Array($0.utf8) }

    private static func lines(_ text: String) -> [[UInt8]] {
        text.split { $0 == " " || $0 == "\n" }.map { Array($0.utf8) }
    }
}
