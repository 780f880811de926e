/// A documented story of two apps on one device (API reference, single sign-on matrix).
struct SharingStory {
    /// What the two apps have in common.
    let title: String
    /// The rows of the matrix that it shows.
    let rows: String
    let second: (bundle: String, team: String)
    var isSystemWide = false
    var erasesForeignTokens = false
    /// Whether the viewer is logged in after each step.
    let expected: [Bool]

    static let first = (bundle: "com.example.one.App", team: "TEAM-1")

    /// The steps: which of the two apps is opened, and whether it logs in.
    static let steps: [(title: String, isSecond: Bool, logsIn: Bool)] = [
        ("A: log in", false, true), ("B: open", true, false), ("B: log in", true, true), ("A: open", false, false),
    ]

    static let all = [
        SharingStory(
            title: "same team, same prefix", rows: "T-29", second: ("com.example.one.Other", "TEAM-1"),
            expected: [true, true, true, true]),
        SharingStory(
            title: "same team, other prefix", rows: "T-30, T-31", second: ("com.example.two.App", "TEAM-1"),
            expected: [true, false, true, true]),
        SharingStory(
            title: "other team", rows: "T-34, T-35", second: ("com.example.one.Other", "TEAM-2"),
            expected: [true, false, true, true]),
        SharingStory(
            title: "other prefix, version 1.8", rows: "T-32, T-33", second: ("com.example.two.App", "TEAM-1"),
            erasesForeignTokens: true, expected: [true, false, true, false]),
        SharingStory(
            title: "other team, system-wide board of iOS 6", rows: "T-28", second: ("org.example.App", "TEAM-2"),
            isSystemWide: true, expected: [true, true, true, true]),
    ]
}
