import Foundation
import HTTPTypes
import TVENetworking

/// A transport that notes each exchange in the timeline: method, path and status, never a query, header or body.
struct RecordingTransport: HTTPTransport {
    let next: any HTTPTransport
    let kind: TimelineStep.Entry.Kind
    let timeline: Timeline

    func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let began = ContinuousClock.now
        let path = request.path?.prefix { $0 != "?" } ?? "/"
        do throws(TransportError) {
            let (response, answer) = try await next.send(request, body: body)
            timeline.note(
                kind, "\(request.method.rawValue) \(path)  \(response.status.code)",
                milliseconds: Timeline.milliseconds(since: began))
            return (response, answer)
        } catch {
            timeline.note(
                kind, "\(request.method.rawValue) \(path)  no answer: \(error)",
                milliseconds: Timeline.milliseconds(since: began))
            throw error
        }
    }
}
