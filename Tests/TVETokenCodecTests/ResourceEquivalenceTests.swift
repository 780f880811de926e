import TVEModels
import TVETestTraits
import TVETokenCodec
import Testing

struct ResourceEquivalenceTests {
    @Test(
        .row("wire protocol, 7"),
        arguments: [
            ("A", "A", true), ("A", "a", false), ("", "", true), ("A", "", false),
            ("A", Resource.mrss(channel: "A"), true), (Resource.mrss(channel: "A&B"), "A&B", true),
            ("A", Resource.mrss(channel: "A", item: .init()), true), ("A", Resource.mrss(channel: "B"), false),
            (Resource.mrss(channel: "A"), Resource.mrss(channel: "A", item: .init()), true),
            ("A", Resource.mrss(channel: "A", item: .init(title: "Show")), false),
            (
                Resource.mrss(channel: "A", item: .init(title: "x")),
                Resource.mrss(channel: "A", item: .init(title: "x")), true
            ),
            ("A", "<rss><channel><title>A</title><title>A</title></channel></rss>", false),
            ("A", "<rss><channel><title>A</title></channel><more/></rss>", false),
            ("A", "<feed><title>A</title></feed>", false),
            ("<rss", "<rss", true), ("<rss", "A", false),
            ("K", "\u{212A}", false), ("\u{E9}", "e\u{301}", false),
            ("K", Resource.mrss(channel: "\u{212A}"), false),
            (Resource.mrss(channel: "\u{E9}"), Resource.mrss(channel: "e\u{301}"), false),
        ] as [(Resource, Resource, Bool)])
    func comparesAsThePlatformDoes(first: Resource, second: Resource, isEquivalent: Bool) {
        #expect(first.isEquivalent(to: second) == isEquivalent)
        #expect(second.isEquivalent(to: first) == isEquivalent)
    }
}
