import TVEFlowEngine
import TVEModels
import TVENetworking

extension AccessEnabler {
    /// Asks for a media token without ever starting a login; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameter resource: a plain id or an MRSS document.
    public func checkAuthorization(_ resource: String?) {
        checkAuthorization(resource, withData: nil)
    }

    /// Asks for a media token without ever starting a login; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameters:
    ///   - resource: a plain id or an MRSS document.
    ///   - data: what the service is told, for example who watches with a promotional TempPass.
    public func checkAuthorization(_ resource: String?, withData data: [AnyHashable: Any]?) {
        authorize(resource, data, using: nil)
    }

    /// Asks for a media token, logging the viewer in first if needed; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameter resource: a plain id or an MRSS document.
    public func getAuthorization(_ resource: String?) {
        getAuthorization(resource, withData: nil)
    }

    /// Asks for a media token, logging the viewer in first if needed; ends with `setToken` or `tokenRequestFailed`.
    ///
    /// - Parameters:
    ///   - resource: a plain id or an MRSS document.
    ///   - data: what the service is told, for example who watches with a promotional TempPass.
    public func getAuthorization(_ resource: String?, withData data: [AnyHashable: Any]?) {
        authorize(resource, data, using: presenter)
    }

    private func authorize(_ resource: String?, _ data: [AnyHashable: Any]?, using presenter: CallbackPresenter?) {
        let resource = resource ?? ""
        let data = GenericData.values(data)
        let fail: @Sendable (TVEError) -> Void = { [callbacks] error in
            let code = ClassicErrorCode.authorization(error)
            let text = error.isExplainedByService ? error.message ?? "" : ""
            callbacks.toDelegate { $0.tokenRequestFailed(resource, errorCode: code, errorDescription: text) }
        }
        submitLong { [callbacks] session in
            do throws(TVEError) {
                let token = try await session.authorize(Resource(resource), data: data, using: presenter) {
                    // A login that was needed for it is answered too (API reference, D-15).
                    callbacks.authentication($0)
                }
                callbacks.toDelegate { $0.setToken(token.text.rawValue, forResource: resource) }
            } catch {
                fail(error)
            }
        } orFail: {
            fail($0)
        }
    }

    /// Asks which resources the viewer would be allowed to watch; ends with `preauthorizedResources`.
    ///
    /// - Parameter resources: texts.
    public func checkPreauthorizedResources(_ resources: [Any]?) {
        checkPreauthorizedResources(resources, cache: true)
    }

    /// Asks which resources the viewer would be allowed to watch; ends with `preauthorizedResources`.
    ///
    /// - Parameters:
    ///   - resources: texts.
    ///   - cache: whether the last answer may serve, if it was about the same set.
    public func checkPreauthorizedResources(_ resources: [Any]?, cache: Bool) {
        let resources = (resources ?? []).compactMap { ($0 as? String).map { Resource($0) } }
        submitLong { [callbacks] session in
            let decisions = try? await session.preauthorize(resources, caches: cache ? .all : .service)
            let allowed = (decisions ?? []).filter(\.isAuthorized).map(\.resource.text)
            callbacks.toDelegate { $0.preauthorizedResources(allowed) }
        } orFail: { [callbacks] _ in
            callbacks.toDelegate { $0.preauthorizedResources([]) }
        }
    }

    /// Asks which resources the viewer would be allowed to watch, with reasons (preauthorize page).
    ///
    /// Not held until `setRequestor` has ended: it fails with `requestor_not_configured` then.
    ///
    /// - Parameters:
    ///   - request: the resources, and which caches may answer.
    ///   - callback: called once, on the same run as the delegates.
    public func preauthorize(
        _ request: PreauthorizeRequest, didCompleteWith callback: AccessEnablerCallback<PreauthorizeResponse>
    ) {
        let established = session.withLock(\.self)
        Task { [callbacks] in
            do throws(TVEError) {
                guard case .success(let established)? = established else { throw TVEError(.requestorNotConfigured) }
                let decisions = try await established.session.preauthorize(request.resources, caches: request.caches)
                callbacks.run { callback.onResponse(result: PreauthorizeResponse(decisions)) }
            } catch {
                let answer = PreauthorizeResponse(error)
                callbacks.run {
                    if answer.isFromService {
                        callback.onResponse(result: answer)
                    } else {
                        callback.onFailure(result: answer)
                    }
                }
            }
        }
    }
}

extension TVEError {
    /// Whether the message is the service's or the TV provider's own text for the viewer, and not one of this library for developers.
    fileprivate var isExplainedByService: Bool {
        switch code {
        case .notAuthorized: true
        case .invalidResource: underlying is ServiceError
        default: false
        }
    }
}
