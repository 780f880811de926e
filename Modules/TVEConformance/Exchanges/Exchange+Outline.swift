import TVEModels

extension Exchange {
    /// Method and path for people, without query and without registration codes.
    public var outline: String {
        var path = Call.segments(self.path)
        // Also of a request that no document describes.
        for (place, segment) in path.enumerated() where place >= 4 {
            let isAfterItsName = ["code", "sessions"].contains(path[place - 1]) || path[place - 2] == "authenticate"
            if isAfterItsName, segment != "sso" { path[place] = "{code}" }
        }
        return "\(method) /\(path.joined(separator: "/").prefix(120))"
    }

    /// Whether the viewer's browser sent it, or a client of another service.
    public var isPage: Bool {
        let path = Call.segments(self.path)
        return DocumentedEndpoint.of(method, path).map { $0 == .authenticate } ?? (Play.resource(method, path) == nil)
    }
}
