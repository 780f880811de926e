extension String {
    /// A URL without its query, and without the code that some paths end with.
    package var withoutRegistrationCode: String {
        let path = prefix { $0 != "?" }
        guard let slash = path.lastIndex(of: "/") else { return String(path) }
        let place = path[..<slash]
        let parent = place.lastIndex(of: "/").map { place[..<$0] } ?? ""
        let endsWithCode =
            ["/regcode", "/profiles/code", "/sessions"].contains(where: place.hasSuffix)
            || parent.hasSuffix("/api/v2/authenticate")
        return endsWithCode ? "\(place)/…" : String(path)
    }
}
