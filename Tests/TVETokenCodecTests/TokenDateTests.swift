import TVEModels
import TVETestTraits
import TVETokenCodec
import Testing

struct TokenDateTests {
    // These are the check vectors (wire protocol, 16), and others computed with `date -d`.
    @Test(
        .row("wire protocol, 6.5", "wire protocol, 16"),
        arguments: [
            ("2026/12/21 09:30:00 GMT -0800", 1_797_874_200, -480),
            ("2026/12/21 09:30:00_GMT -0800", 1_797_874_200, -480),
            ("1970/01/01 00:00:00 GMT +0000", 0, 0), ("2011/03/19 01:22:54 GMT +0200", 1_300_490_574, 120),
            ("2024/02/29 23:59:59 GMT +0530", 1_709_231_399, 330), ("2000/02/29 00:00:00 GMT +0000", 951_782_400, 0),
            ("1969/12/31 23:59:59 GMT +0000", -1, 0), ("0000/03/01 00:00:00 GMT +0000", -62_162_035_200, 0),
            ("9999/12/31 23:59:59 GMT +0000", 253_402_300_799, 0),
        ] as [(String, Int64, Int)])
    func readsTheInstant_andPrintsItBack(text: String, seconds: Int64, offset: Int) {
        let date = TokenDateFormat.entitlement.parse(text)
        #expect(date == TokenDate(secondsSince1970: seconds, utcOffsetMinutes: offset))
        #expect(date.map(TokenDateFormat.entitlement.print) == text.replacing("_GMT", with: " GMT"))
    }

    @Test func readsAndPrintsMediaTokenDates() {
        let date = TokenDateFormat.media.parse("2026-12-21 09:30:00 -0800")
        #expect(date == TokenDate(secondsSince1970: 1_797_874_200, utcOffsetMinutes: -480))
        #expect(date.map(TokenDateFormat.media.print) == "2026-12-21 09:30:00 -0800")
        for text in [
            "2026/12-21 09:30:00 -0800", "2026-12/21 09:30:00 -0800", "2026-12-21T09:30:00 -0800",
            "2026-12-21 09:30:00-08000", "2026-12-21 09:30:00 GMT -0800", "2026-12-21 09:30:00 -080",
        ] {
            #expect(TokenDateFormat.media.parse(text) == nil, "\(text)")
        }
    }

    @Test(
        arguments: [
            (.max, 1, "9999/12/31 23:59:59 GMT +0001"), (.min, -1, "0000/01/01 00:00:00 GMT -0001"),
            (.max, .min, "9999/12/31 23:59:59 GMT -1859"), (.min, .max, "0000/01/01 00:00:00 GMT +1859"),
            (0, 1_140, "1970/01/01 18:59:00 GMT +1859"),
            // The local time decides.
            (253_402_300_800, -60, "9999/12/31 23:00:00 GMT -0100"),
            (253_402_300_740, 60, "9999/12/31 23:59:59 GMT +0100"),
        ] as [(Int64, Int, String)])
    func printsTheNearestDate_forWhatNoDateCanSay(seconds: Int64, offset: Int, text: String) {
        let date = TokenDate(secondsSince1970: seconds, utcOffsetMinutes: offset)
        #expect(TokenDateFormat.entitlement.print(date) == text)
        #expect(TokenDateFormat.entitlement.parse(text) != nil)
    }

    @Test(arguments: [
        "", "2026/12/21", "2026/12/21 09:30:00 GMT", "2026/12/21 09:30:00 GMT -080", "2026/12/21 09:30:00 GMT -08000",
        "2026/13/21 09:30:00 GMT -0800", "2026/00/21 09:30:00 GMT -0800", "2026/12/32 09:30:00 GMT -0800",
        "2026/12/00 09:30:00 GMT -0800", "2026/02/29 09:30:00 GMT -0800", "1900/02/29 09:30:00 GMT -0800",
        "2026/04/31 09:30:00 GMT -0800", "2026/12/21 24:30:00 GMT -0800", "2026/12/21 09:60:00 GMT -0800",
        "2026/12/21 09:30:60 GMT -0800", "2026/12/21 09:30:00 GMT -1900", "2026/12/21 09:30:00 GMT -0860",
        "2026/12/21 09:30:00 UTC -0800", "2026/12/21 09:30:00 GMT  0800", "2026-12-21 09:30:00 GMT -0800",
        "+026/12/21 09:30:00 GMT -0800", "2026/12/21T09:30:00 GMT -0800", "２026/12/21 09:30:00 GMT -0800",
        "2026/12/21 09:30:00 GMT -08:0", "2026-12-21 09:30:00 -0800", "2026/12/21 09:30:00 GMT GMT -0800",
        // Each column has its own character.
        "2026-12/21 09:30:00 GMT -0800", "2026/12-21 09:30:00 GMT -0800", "2026/12/21 09.30:00 GMT -0800",
        "2026/12/21 09:30.00 GMT -0800", "2026/12/21 09:30:00-GMT -0800", "2026/12/21 09:30:00 XMT -0800",
        "2026/12/21 09:30:00 GXT -0800", "2026/12/21 09:30:00 GMX -0800", "2026/12/21 09:30:00 GMT_-0800",
    ])
    func refuses(text: String) {
        #expect(TokenDateFormat.entitlement.parse(text) == nil)
    }

    @Test(.row("wire protocol, 6.5")) func agreesWithItself_onEveryDayOfFourCenturies() {
        let wrong = stride(from: Int64(-73_048), through: 73_048, by: 1).filter { day in
            let date = TokenDate(secondsSince1970: day * 86_400 + 43_200)
            return TokenDateFormat.media.parse(TokenDateFormat.media.print(date)) != date
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(10))")
    }
}
