import TVEModels

extension SandboxWorld {
    /// The default world of a sandbox, with two requestors, two providers and one viewer.
    public static let demo = SandboxWorld(
        requestors: [
            Requestor(
                id: "DEMO", name: "Demo TV", channels: ["DEMO-1", "DEMO-2", "DEMO-PLUS"],
                providers: ["demo-cable", "demo-fiber"]),
            Requestor(
                id: "DEMO2", name: "Demo Two", channels: ["DEMO-1", "DEMO-2"], providers: ["demo-cable", "demo-fiber"]),
        ],
        providers: [
            Provider(id: "demo-cable", displayName: "Demo Cable", login: .form),
            Provider(id: "demo-fiber", displayName: "Demo Fiber", login: .redirect),
        ],
        viewers: [
            Viewer(
                name: "viewer", password: "secret", resources: ["DEMO-1", "DEMO-2"], zip: "12345",
                upsell: ["DEMO-PLUS": "Demo Plus is not part of your plan. Add it for 5 a month."])
        ])
}
