import TVEModels

extension Exchange {
    /// Method and path for people, without query and without registration codes.
    public var outline: String {
        var path = Call.segments(self.path)
        switch DocumentedEndpoint.of(method, path) {
        case .session, .resumeSession, .authenticate: path[4] = "{code}"
        case .profileOfCode: path[5] = "{code}"
        default: break
        }
        return "\(method) /\(path.joined(separator: "/").prefix(120))"
    }

    /// Whether the viewer's browser sent it, or a client of another service.
    public var isPage: Bool {
        let path = Call.segments(self.path)
        return DocumentedEndpoint.of(method, path).map { $0 == .authenticate } ?? (Play.resource(method, path) == nil)
    }
}
