/// Calls of versions before 3.0, which signed the requestor id. A registered application needs no signature. The
/// headers of those versions say `setSignedRequestorId`; the reference prints `signedRequestorID`.
extension AccessEnabler {
    /// Establishes the requestor; the signature is not used.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: not used.
    @available(*, deprecated, renamed: "setRequestor(_:)")
    public func setRequestor(_ requestorID: String?, setSignedRequestorId signedRequestorID: String?) {
        setRequestor(requestorID)
    }

    /// Establishes the requestor at the given services; the signature is not used.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: not used.
    ///   - serviceProviders: endpoints as strings.
    @available(*, deprecated, renamed: "setRequestor(_:serviceProviders:)")
    public func setRequestor(
        _ requestorID: String?, setSignedRequestorId signedRequestorID: String?, serviceProviders: [Any]?
    ) {
        setRequestor(requestorID, serviceProviders: serviceProviders)
    }

    /// Establishes the requestor; signature and key pair are not used.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: not used.
    ///   - secret: not used.
    ///   - publicKey: not used.
    @available(*, deprecated, renamed: "setRequestor(_:)")
    public func setRequestor(
        _ requestorID: String?, setSignedRequestorId signedRequestorID: String?, secret: String?, publicKey: String?
    ) {
        setRequestor(requestorID)
    }

    /// Establishes the requestor at the given services; signature and key pair are not used.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: not used.
    ///   - serviceProviders: endpoints as strings.
    ///   - secret: not used.
    ///   - publicKey: not used.
    @available(*, deprecated, renamed: "setRequestor(_:serviceProviders:)")
    public func setRequestor(
        _ requestorID: String?, setSignedRequestorId signedRequestorID: String?, serviceProviders: [Any]?,
        secret: String?, publicKey: String?
    ) {
        setRequestor(requestorID, serviceProviders: serviceProviders)
    }

    /// Establishes the requestor; the signature is not used.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: not used.
    @available(*, deprecated, renamed: "setRequestor(_:)")
    public func setRequestor(_ requestorID: String?, signedRequestorID: String?) {
        setRequestor(requestorID)
    }

    /// Establishes the requestor at the given services; the signature is not used.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: not used.
    ///   - serviceProviders: endpoints as strings.
    @available(*, deprecated, renamed: "setRequestor(_:serviceProviders:)")
    public func setRequestor(_ requestorID: String?, signedRequestorID: String?, serviceProviders: [Any]?) {
        setRequestor(requestorID, serviceProviders: serviceProviders)
    }

    /// Establishes the requestor; signature and key pair are not used.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: not used.
    ///   - secret: not used.
    ///   - publicKey: not used.
    @available(*, deprecated, renamed: "setRequestor(_:)")
    public func setRequestor(_ requestorID: String?, signedRequestorID: String?, secret: String?, publicKey: String?) {
        setRequestor(requestorID)
    }

    /// Establishes the requestor at the given services; signature and key pair are not used.
    ///
    /// - Parameters:
    ///   - requestorID: the requestor.
    ///   - signedRequestorID: not used.
    ///   - serviceProviders: endpoints as strings.
    ///   - secret: not used.
    ///   - publicKey: not used.
    @available(*, deprecated, renamed: "setRequestor(_:serviceProviders:)")
    public func setRequestor(
        _ requestorID: String?, signedRequestorID: String?, serviceProviders: [Any]?, secret: String?,
        publicKey: String?
    ) {
        setRequestor(requestorID, serviceProviders: serviceProviders)
    }
}
