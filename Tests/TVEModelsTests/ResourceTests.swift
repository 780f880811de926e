import TVEModels
import TVETestTraits
import Testing

struct ResourceTests {
    @Test(.row("wire protocol, 7")) func escapesEveryValue_whenBuildingMRSS() {
        let resource = Resource.mrss(
            channel: "A&B",
            item: .init(title: "Show <Tell>", guid: "\"1'", rating: .init(scheme: "urn:v-chip", value: "TV-PG")))
        #expect(
            resource.text == """
                <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>A&amp;B</title>\
                <item><title>Show &lt;Tell&gt;</title><guid>&quot;1&#39;</guid>\
                <media:rating scheme="urn:v-chip">TV-PG</media:rating></item></channel></rss>
                """)
    }

    @Test func leavesOut_whatIsNil() {
        #expect(Resource.mrss(channel: "A").text.hasSuffix("<channel><title>A</title></channel></rss>"))
        #expect(Resource.mrss(channel: "A", item: .init()).text.contains("<item></item>"))
    }

    @Test func equalsByText() {
        #expect(Resource("A") == "A")
        #expect(Resource("A") != "a")
    }
}
