public import Foundation
public import HTTPTypes

/// A transport that records its exchanges for a support request.
///
/// Without an ``ExchangeRecording``, an app records nothing. Pass this transport to the session in place of the one
/// that it wraps. Login pages that a browser opens are not recorded.
public struct RecordingTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let recording: ExchangeRecording

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - next: the transport that sends the requests.
    ///   - recording: the recording to which the exchanges are added, without secrets.
    public init(next: any HTTPTransport = URLSessionTransport(), into recording: ExchangeRecording) {
        self.next = next
        self.recording = recording
    }

    /// Sends a request, and records it with its answer.
    ///
    /// - Parameters:
    ///   - request: the method, URL and header fields.
    ///   - body: the bytes to send, or nil for none.
    /// - Returns: the answer of the wrapped transport, unchanged.
    /// - Throws: ``TransportError`` of the wrapped transport, which is recorded as well.
    public func send(_ request: HTTPRequest, body: Data?) async throws(TransportError) -> (HTTPResponse, Data) {
        let began = recording.now()
        do throws(TransportError) {
            let (response, answer) = try await next.send(request, body: body)
            recording.add(
                RecordedExchange(
                    request, body: body, began: began, ended: recording.now(), outcome: .success((response, answer))))
            return (response, answer)
        } catch {
            recording.add(
                RecordedExchange(
                    request, body: body, began: began, ended: recording.now(), outcome: .failure(error)))
            throw error
        }
    }
}
