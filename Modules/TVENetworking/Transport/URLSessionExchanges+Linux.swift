#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import TVEModels

/// What Foundation on Linux does otherwise than on Apple systems, and what an answer could do to the program there.
extension URLSessionExchanges {
    /// Asks for an answer that is not compressed, unless the request says what it accepts.
    ///
    /// Foundation would accept what its library can decompress, and goes on decompressing after a task was cancelled: a
    /// megabyte can become a gigabyte.
    static func prepare(_ request: inout URLRequest) {
        guard request.value(forHTTPHeaderField: acceptance) == nil else { return }
        request.setValue(plain, forHTTPHeaderField: acceptance)
    }

    /// Refuses an answer that is compressed although the request asked for none, before its body arrives.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
        guard dataTask.originalRequest?.value(forHTTPHeaderField: Self.acceptance) == Self.plain,
            let head = response as? HTTPURLResponse, Self.isCompressed(head)
        else { return }
        fail(dataTask, with: .invalid)
    }

    /// Whether Foundation decompresses the body of an answer.
    ///
    /// Of fields whose names differ only in case, Foundation keeps one, by chance. So a service can hide a coding from this
    /// method; the limit of length ends such an answer.
    private static func isCompressed(_ head: HTTPURLResponse) -> Bool {
        head.allHeaderFields.contains { name, value in
            switch "\(name)".lowercasedASCII {
            case "content-encoding", "transfer-encoding":
                "\(value)".parts(separatedBy: ",").contains { coding in
                    ![plain, "chunked"].contains(coding.trimmingCharacters(in: .whitespaces).lowercasedASCII)
                }
            default: false
            }
        }
    }

    /// Takes a 401 as the answer that it is.
    ///
    /// Without this method Foundation looks for a user and a password, finds none, and never ends the task. After the
    /// refusal it ends the task as cancelled.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        complete(task)
        completionHandler(.rejectProtectionSpace, nil)
    }

    private static let acceptance = "Accept-Encoding"
    private static let plain = "identity"
}
#endif
