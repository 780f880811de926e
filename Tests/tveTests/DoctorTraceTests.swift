import Foundation
import TVESandbox
import TVETestTraits
import Testing

@testable import tve

/// The trace of the doctor's exchanges with a service.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct DoctorTraceTests {
    @Test(arguments: ["classic", "v2"])
    func showsTheCheckOfTheService_withoutSecrets(dialect: String) async throws {
        let desk = try await Desk(dialect)
        let file = desk.folder.path("trace.html")
        let tool = try await desk.run("doctor", "--trace", file)
        #expect(tool.status == 0 && tool.output.contains("The trace is in \(file)."), "\(tool.output)")
        let page = try String(contentsOfFile: file, encoding: .utf8)
        for text in ["<h1>tve doctor</h1>", "start()", "POST /o/client/register", "POST /o/client/token", "put …/"] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!page.contains("Bearer") && !page.contains(desk.sandbox.softwareStatement))
    }

    @Test func showsAServiceThatDoesNotAnswer() async throws {
        let folder = try Folder()
        let page = folder.path("trace.html")
        let tool = try await Tool.run(["doctor", "--service", "http://127.0.0.1:1", "--trace", page])
        #expect(tool.status == 1 && tool.output.contains("The trace is in \(page)."), "\(tool.output)")
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("no answer"))
    }

    @Test(arguments: [
        (0, "0 exchanges with the service, 0 writes, "), (1, "1 exchange with the service, 1 write, "),
        (2, "2 exchanges with the service, 2 writes, "),
    ])
    func thePageCountsItsLines(count: Int, summary: String) {
        let entries = (0..<count).flatMap { _ in
            [
                Trace.Entry(from: .library, to: .service, text: "GET", began: 0),
                Trace.Entry(from: .library, to: .storage, text: "put", began: 0),
            ]
        }
        let page = TracePage(title: "title", date: Date(), service: "service", entries: entries)
        #expect(page.html.contains(". \(summary)"))
    }
}
