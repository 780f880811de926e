/// All names that decoders look for in a document, as pointers of one parser.
struct KnownNames {
    let tokens: InternedNames<TokenElement>
    let authentication: InternedNames<AuthenticationElement>
    let device: InternedNames<DeviceElement>
    let fragments: InternedNames<FragmentElement>
    let authorization: InternedNames<AuthorizationElement>
    let media: InternedNames<MediaElement>
    let configuration: InternedNames<ConfigurationElement>
    let requestor: InternedNames<RequestorElement>
    let providers: InternedNames<ProviderListElement>
    let provider: InternedNames<ProviderElement>

    /// Looks up all names; the caller must call ``deallocate()`` in the end.
    ///
    /// - Parameter intern: returns the parser's copy of a name.
    init(_ intern: (String) -> UnsafePointer<UInt8>) {
        tokens = InternedNames(intern)
        authentication = InternedNames(intern)
        device = InternedNames(intern)
        fragments = InternedNames(intern)
        authorization = InternedNames(intern)
        media = InternedNames(intern)
        configuration = InternedNames(intern)
        requestor = InternedNames(intern)
        providers = InternedNames(intern)
        provider = InternedNames(intern)
    }

    /// The union of all names.
    static let all: [String] = {
        let lists: [[any ElementName]] = [
            TokenElement.allCases, AuthenticationElement.allCases, DeviceElement.allCases, FragmentElement.allCases,
            AuthorizationElement.allCases, MediaElement.allCases, ConfigurationElement.allCases,
            RequestorElement.allCases, ProviderListElement.allCases, ProviderElement.allCases,
        ]
        return Set(lists.joined().map(\.wireName)).sorted()
    }()

    func deallocate() {
        tokens.deallocate()
        authentication.deallocate()
        device.deallocate()
        fragments.deallocate()
        authorization.deallocate()
        media.deallocate()
        configuration.deallocate()
        requestor.deallocate()
        providers.deallocate()
        provider.deallocate()
    }
}
