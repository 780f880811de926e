extension String {
    /// A path or URL without its query and without a registration code, which is as good as the login it stands for.
    package var withoutRegistrationCode: String {
        let path = String(prefix { $0 != "?" })
        let code = /(?<place>\/regcode|\/profiles\/code|\/sessions|\/api\/v2\/authenticate\/[^\/]+)\/[^\/]+$/
        return path.replacing(code) { "\($0.output.place)/…" }
    }
}
