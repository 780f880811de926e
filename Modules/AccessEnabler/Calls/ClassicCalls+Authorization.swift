import TVEFlowEngine
import TVEModels

extension ClassicCalls {
    /// Requests a media token.
    ///
    /// - Parameter isLoginAllowed: a Boolean value that indicates whether to log the viewer in first if necessary.
    func authorize(_ resource: String?, _ data: [AnyHashable: Any]?, isLoginAllowed: Bool) {
        let resource = Resource(resource ?? "")
        let data = GenericData.values(data)
        let presenter = isLoginAllowed ? presenter : nil
        submitWithStart { session in
            // If the authorization needed a login, the login has a callback too (API reference, D-15). A login that
            // ends because of another requestor has no callback, whichever call began it.
            _ = try? await session.authorize(resource, data: data, using: presenter)
        } orFail: { [callbacks] error in
            callbacks.permission(resource, .failure(error))
        }
    }

    func checkPreauthorizedResources(_ resources: [Any]?, cache: Bool) {
        let resources = (resources ?? []).compactMap { ($0 as? String).map { Resource($0) } }
        submitLong { [callbacks] session in
            let decisions = try? await session.preauthorize(resources, caches: cache ? .all : .service)
            let allowed = (decisions ?? []).filter(\.isAuthorized).map(\.resource.text)
            callbacks.toDelegate { $0.preauthorizedResources(allowed) }
        } orFail: { [callbacks] _ in
            callbacks.toDelegate { $0.preauthorizedResources([]) }
        }
    }

    func preauthorize(
        _ request: PreauthorizeRequest, didCompleteWith callback: AccessEnablerCallback<PreauthorizeResponse>
    ) {
        let fail: @Sendable (TVEError) -> Void = { [callbacks] error in
            let answer = PreauthorizeResponse(error)
            callbacks.run {
                if answer.isFromService {
                    callback.onResponse(result: answer)
                } else {
                    callback.onFailure(result: answer)
                }
            }
        }
        // Before a start has succeeded, the call is not queued and fails at once (row Q4). Later it waits for the start
        // of another requestor, whether or not the session of the earlier one has been replaced by now.
        guard hasEverStarted.withLock(\.self) else { return fail(TVEError(.requestorNotConfigured)) }
        submitLong { [callbacks] session in
            do throws(TVEError) {
                let decisions = try await session.preauthorize(request.resources, caches: request.caches)
                callbacks.run { callback.onResponse(result: PreauthorizeResponse(decisions)) }
            } catch {
                fail(error)
            }
        } orFail: { _ in
            fail(TVEError(.requestorNotConfigured))
        }
    }
}
