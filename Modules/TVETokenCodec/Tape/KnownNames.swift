/// All names that decoders look for in a document, as names of one parser.
struct KnownNames: ~Copyable {
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

    /// Looks up the parser's copies of all names.
    init(_ parser: XMLParser) {
        tokens = InternedNames(parser)
        authentication = InternedNames(parser)
        device = InternedNames(parser)
        fragments = InternedNames(parser)
        authorization = InternedNames(parser)
        media = InternedNames(parser)
        configuration = InternedNames(parser)
        requestor = InternedNames(parser)
        providers = InternedNames(parser)
        provider = InternedNames(parser)
    }

    static let all: [String] = {
        let lists: [[any ElementName]] = [
            TokenElement.allCases, AuthenticationElement.allCases, DeviceElement.allCases, FragmentElement.allCases,
            AuthorizationElement.allCases, MediaElement.allCases, ConfigurationElement.allCases,
            RequestorElement.allCases, ProviderListElement.allCases, ProviderElement.allCases,
        ]
        return Set(lists.joined().map(\.wireName)).sorted()
    }()

    deinit {
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

/// The parser's copies of the names of one element's children.
///
/// They are in plain memory instead of arrays, which would be retained and released for every element. ``KnownNames``
/// owns the memory, and copies of this value must not outlive it.
@safe struct InternedNames<Name: ElementName> {
    private let names: UnsafeMutableBufferPointer<Name>
    private let copies: UnsafeMutableBufferPointer<ParserName>

    /// Looks up the parser's copies of all names.
    ///
    /// The caller must call ``deallocate()`` in the end.
    init(_ parser: XMLParser) {
        unsafe names = .allocate(capacity: Name.allCases.count)
        _ = unsafe names.initialize(from: Name.allCases)
        unsafe copies = .allocate(capacity: Name.allCases.count)
        _ = unsafe copies.initialize(from: Name.allCases.map { parser.intern($0.wireName) })
    }

    func deallocate() {
        unsafe names.deallocate()
        unsafe copies.deallocate()
    }

    /// Returns the name that is a name of the same parser, and its place in the documented order.
    ///
    /// - Parameter expected: the place to try first, which must not be negative. Elements usually come in that order.
    @inline(__always)
    func name(_ name: ParserName, expecting expected: Int) -> (name: Name, place: Int)? {
        // Both lists have a place for each of the names, and a place is compared with their length first.
        let count = unsafe copies.count
        if expected < count, unsafe copies[expected] == name { return unsafe (names[expected], expected) }
        for place in 0..<count where unsafe copies[place] == name { return unsafe (names[place], place) }
        return nil
    }
}

/// The names of the possible children of one element in a documented format.
///
/// There must be at most 64 of them.
protocol ElementName: CaseIterable, RawRepresentable, Sendable where RawValue == String, AllCases == [Self] {}

extension ElementName {
    /// The name in the document.
    var wireName: String { rawValue }
}
