#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HTTPTypes
import HTTPTypesFoundation
import TVEModels

/// The methods with which Foundation on Linux differs from Apple systems, where an answer could otherwise end the
/// program.
extension URLSessionExchanges {
    /// Writes header values as Foundation sends them, and requests an answer without compression, unless the request
    /// states the encodings it accepts.
    ///
    /// `HTTPTypesFoundation` makes a character of Latin-1 of every byte of a value, as Apple's Foundation expects it.
    /// Foundation on Linux sends UTF-8, and would encode the bytes of other characters a second time.
    ///
    /// Without the second step, Foundation accepts every encoding that its library can decompress, and continues
    /// decompressing after a task was cancelled. A megabyte can become a gigabyte.
    static func prepare(_ request: inout URLRequest, with fields: HTTPFields) {
        // `setValue(_:forHTTPHeaderField:)` would change the case of names.
        request.allHTTPHeaderFields?.merge(fields.map { ($0.name.rawName, fields[$0.name] ?? "") }) { $1 }
        guard request.value(forHTTPHeaderField: acceptance) == nil else { return }
        request.setValue(plain, forHTTPHeaderField: acceptance)
    }

    /// Returns the head of an answer.
    ///
    /// Foundation on Linux has read its header values as UTF-8. `HTTPTypesFoundation` expects Latin-1, as on Apple
    /// systems, and replaces other characters by spaces.
    static func head(of response: HTTPURLResponse) -> HTTPResponse? {
        guard var head = response.httpResponse else { return nil }
        head.headerFields = [:]
        for (name, value) in response.allHeaderFields {
            guard let name = HTTPField.Name("\(name)") else { continue }
            head.headerFields.append(HTTPField(name: name, value: "\(value)"))
        }
        return head
    }

    /// Refuses an answer that is compressed although the request asked for none, before its body arrives.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
        guard dataTask.originalRequest?.value(forHTTPHeaderField: Self.acceptance) == Self.plain,
            let head = response as? HTTPURLResponse, Self.isCompressed(head)
        else { return }
        fail(dataTask, with: .invalid)
    }

    /// Returns a Boolean value that indicates whether Foundation decompresses the body of an answer.
    ///
    /// If the names of several fields differ only in case, Foundation retains an arbitrary one of them. So a service
    /// can hide an encoding from this method, and then the limit of the length ends the answer.
    private static func isCompressed(_ head: HTTPURLResponse) -> Bool {
        head.allHeaderFields.contains { name, value in
            switch "\(name)".lowercasedASCII {
            case "content-encoding", "transfer-encoding":
                // For an unencoded body, some servers and frameworks send an empty header or `none`.
                !"\(value)".parts(separatedBy: ",").allSatisfy { coding in
                    let coding = coding.trimmingCharacters(in: .whitespaces).lowercasedASCII
                    return ["", plain, "none", "chunked"].contains(coding)
                }
            default: false
            }
        }
    }

    /// Accepts a 401 as an ordinary answer.
    ///
    /// Without this method Foundation looks for a user and a password, finds none, and never ends the task. After the
    /// refusal it ends the task as cancelled.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        complete(task)
        completionHandler(.rejectProtectionSpace, nil)
    }

    /// Ends an exchange whose connection was closed before an answer came.
    ///
    /// If the connection had been used before, libcurl sends the request again over a new one. Foundation has then read
    /// the body to its end and sends none, so the service would wait for the body, and the caller for the time limit.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        if let task = task as? URLSessionDataTask { fail(task, with: .unreachable) }
        completionHandler(nil)
    }

    private static let acceptance = "Accept-Encoding"
    private static let plain = "identity"
}
#endif
