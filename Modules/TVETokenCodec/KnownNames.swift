/// All names that decoders look for while they walk over a document, as one parser keeps them.
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

    /// Looks up all names; ``deallocate()`` must be called in the end.
    ///
    /// - Parameter intern: the parser's one copy of a name.
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

    /// The names of all of them, each once.
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
