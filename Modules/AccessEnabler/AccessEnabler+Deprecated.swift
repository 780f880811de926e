/// The calls of version 2, in which the filter was a list.
extension AccessEnabler {
    /// Logs the viewer in unless the viewer is already logged in; ends with `setAuthenticationStatus`.
    ///
    /// - Parameter filter: the MVPD ids that the platform's picker offers.
    @available(*, deprecated, message: "Use getAuthentication(_:) with a dictionary.")
    @nonobjc public func getAuthentication(_ filter: [String]) {
        getAuthentication(false, withData: nil, andFilter: [TV_PROVIDERS: filter])
    }

    /// Logs the viewer in; ends with `setAuthenticationStatus`.
    ///
    /// - Parameters:
    ///   - forceAuthn: a Boolean value that indicates whether to show a login even when the viewer is logged in.
    ///   - data: the values to send to the service.
    ///   - filter: the MVPD ids that the platform's picker offers.
    @available(*, deprecated, message: "Use getAuthentication(_:withData:andFilter:) with a dictionary.")
    @nonobjc public func getAuthentication(
        _ forceAuthn: Bool, withData data: [AnyHashable: Any]?, andFilter filter: [String]
    ) {
        getAuthentication(forceAuthn, withData: data, andFilter: [TV_PROVIDERS: filter])
    }
}

/// The calls of versions before 3.0, which signed the requestor id.
///
/// A registered application needs no signature. The headers of those versions say `setSignedRequestorId`; the reference
/// prints `signedRequestorID`.
extension AccessEnabler {
    /// Establishes the requestor and ignores the signature.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: ignored.
    @available(*, deprecated, renamed: "setRequestor(_:)")
    public func setRequestor(_ requestorID: String?, setSignedRequestorId signedRequestorID: String?) {
        setRequestor(requestorID)
    }

    /// Establishes the requestor at the given services and ignores the signature.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: ignored.
    ///   - serviceProviders: endpoints as strings.
    @available(*, deprecated, renamed: "setRequestor(_:serviceProviders:)")
    public func setRequestor(
        _ requestorID: String?, setSignedRequestorId signedRequestorID: String?, serviceProviders: [Any]?
    ) {
        setRequestor(requestorID, serviceProviders: serviceProviders)
    }

    /// Establishes the requestor and ignores the signature and the key pair.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: ignored.
    ///   - secret: ignored.
    ///   - publicKey: ignored.
    @available(*, deprecated, renamed: "setRequestor(_:)")
    public func setRequestor(
        _ requestorID: String?, setSignedRequestorId signedRequestorID: String?, secret: String?, publicKey: String?
    ) {
        setRequestor(requestorID)
    }

    /// Establishes the requestor at the given services and ignores the signature and the key pair.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: ignored.
    ///   - serviceProviders: endpoints as strings.
    ///   - secret: ignored.
    ///   - publicKey: ignored.
    @available(*, deprecated, renamed: "setRequestor(_:serviceProviders:)")
    public func setRequestor(
        _ requestorID: String?, setSignedRequestorId signedRequestorID: String?, serviceProviders: [Any]?,
        secret: String?, publicKey: String?
    ) {
        setRequestor(requestorID, serviceProviders: serviceProviders)
    }

    /// Establishes the requestor and ignores the signature.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: ignored.
    @available(*, deprecated, renamed: "setRequestor(_:)")
    public func setRequestor(_ requestorID: String?, signedRequestorID: String?) {
        setRequestor(requestorID)
    }

    /// Establishes the requestor at the given services and ignores the signature.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: ignored.
    ///   - serviceProviders: endpoints as strings.
    @available(*, deprecated, renamed: "setRequestor(_:serviceProviders:)")
    public func setRequestor(_ requestorID: String?, signedRequestorID: String?, serviceProviders: [Any]?) {
        setRequestor(requestorID, serviceProviders: serviceProviders)
    }

    /// Establishes the requestor and ignores the signature and the key pair.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: ignored.
    ///   - secret: ignored.
    ///   - publicKey: ignored.
    @available(*, deprecated, renamed: "setRequestor(_:)")
    public func setRequestor(_ requestorID: String?, signedRequestorID: String?, secret: String?, publicKey: String?) {
        setRequestor(requestorID)
    }

    /// Establishes the requestor at the given services and ignores the signature and the key pair.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: ignored.
    ///   - serviceProviders: endpoints as strings.
    ///   - secret: ignored.
    ///   - publicKey: ignored.
    @available(*, deprecated, renamed: "setRequestor(_:serviceProviders:)")
    public func setRequestor(
        _ requestorID: String?, signedRequestorID: String?, serviceProviders: [Any]?, secret: String?,
        publicKey: String?
    ) {
        setRequestor(requestorID, serviceProviders: serviceProviders)
    }
}
