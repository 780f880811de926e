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

    /// Looks up the parser's copies of all names; the caller must call ``deallocate()`` in the end.
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

/// The parser's pointers to the names of one element's children.
struct InternedNames<Name: ElementName> {
    private let names: UnsafeMutableBufferPointer<Name>
    private let pointers: UnsafeMutableBufferPointer<UnsafePointer<UInt8>>

    /// Looks up the parser's copies of all names; the caller must call ``deallocate()`` in the end.
    init(_ intern: (String) -> UnsafePointer<UInt8>) {
        names = .allocate(capacity: Name.allCases.count)
        _ = names.initialize(from: Name.allCases)
        pointers = .allocate(capacity: Name.allCases.count)
        _ = pointers.initialize(from: Name.allCases.map { intern($0.wireName) })
    }

    func deallocate() {
        names.deallocate()
        pointers.deallocate()
    }

    /// The name at a pointer from the same parser, and its place in the documented order.
    ///
    /// - Parameter expected: the place to try first: elements mostly come in that order.
    @inline(__always)
    func name(_ name: UnsafePointer<UInt8>, expecting expected: Int) -> (name: Name, place: Int)? {
        if expected < pointers.count, pointers[expected] == name { return (names[expected], expected) }
        return pointers.firstIndex(of: name).map { (names[$0], $0) }
    }
}

/// The names of the possible children of one element in a documented format.
///
/// At most 64 of them.
protocol ElementName: CaseIterable, RawRepresentable, Sendable where RawValue == String, AllCases == [Self] {}

extension ElementName {
    /// The name in the document.
    var wireName: String { rawValue }
}
