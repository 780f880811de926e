import Foundation
import TVESandbox
import TVETestTraits
import Testing

/// The store's place, which the doctor tries as a session would.
@Suite(.fewAtATime, .timeLimit(.hanging))
struct DoctorStoreTests {
    private func contents(_ folder: URL) throws -> [String: Date?] {
        let files = FileManager.default
        return try Dictionary(
            uniqueKeysWithValues: files.subpathsOfDirectory(atPath: folder.path).map { name -> (String, Date?) in
                let path = folder.appendingPathComponent(name).path
                let attributes = try files.attributesOfItem(atPath: path)
                // The trial makes and removes a folder in the store's own one, which changes its date alone.
                let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
                return (name, isFolder ? nil : attributes[.modificationDate] as? Date)
            })
    }

    @Test(arguments: ["missing", "deep/below/what/is/missing", "empty", "store"])
    func leavesNothingBehind_whereASessionWouldWork(place: String) async throws {
        let desk = try await Desk("v2")
        // The desk changes the store no more than the doctor does.
        desk.keepsPace = true
        let path = desk.folder.path(place)
        if place == "empty" {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        if place == "store" { try await desk.prepareLogin() }
        let before = try contents(desk.folder.url)
        let tool = try await desk.run("doctor", "--directory", path)
        #expect(tool.status == 0 && tool.output.contains("ok    store     "), "\(tool.output)")
        #expect(tool.output.contains("the first login creates it") == (place != "store"), "\(tool.output)")
        #expect(try contents(desk.folder.url) == before)
        // A session can use the place.
        try await desk.prepareLogin(in: path)
    }

    @Test(arguments: ["store", "below/store"])
    func findsAPlaceBelowALink_whereASessionWorks(place: String) async throws {
        let desk = try await Desk("v2")
        let real = desk.folder.path("real")
        let link = desk.folder.path("link")
        try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
        for _ in 0..<2 {
            let tool = try await desk.run("doctor", "--directory", "\(link)/\(place)")
            #expect(tool.status == 0 && tool.output.contains("ok    store     "), "\(tool.output)")
            try await desk.prepareLogin(in: "\(link)/\(place)")
        }
    }

    #if os(Linux)
    /// The superuser has the right to write there too, but the system makes no folder in it.
    @Test func saysWhatTheSystemSays_whereNoFolderCanBeMade() async throws {
        let desk = try await Desk()
        let tool = try await desk.run("doctor", "--directory", "/proc/x")
        #expect(tool.status == 1, "\(tool.output)")
        #expect(tool.output.contains("bad   store     The store at /proc/x cannot be written: No such file"))
        #expect(tool.output.contains("→ Name another store with --directory."), "\(tool.output)")
        func registrations() -> Int { desk.sandbox.exchanges.count { $0.facts.step == "register" } }
        let earlier = registrations()
        #expect(try await desk.exitCode(of: "status", "--directory", "/proc/x") == 2)
        let login = try await desk.logIn("--directory", "/proc/x")
        #expect(login.status == 2 && login.output.contains("The store at /proc/x cannot be written"), "\(login.output)")
        #expect(registrations() == earlier, "A registration is lost.")
    }
    #endif

    /// A file that may not grow fails in the same place as one on a full disk, with another error of the system.
    @Test(arguments: [false, true])
    func saysThatNothingCanBeWritten_whereFilesMayNotGrow(isInUse: Bool) async throws {
        let desk = try await Desk("v2")
        desk.keepsPace = true
        if isInUse { try await desk.prepareLogin() }
        let before = try contents(desk.folder.url)
        let command = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""
        let tool = try await Tool.run(
            ["-c", command, Tool.executable.path] + desk.full(["doctor"]), of: URL(fileURLWithPath: "/bin/sh"))
        #expect(tool.status == 1, "\(tool.output)")
        #expect(tool.output.contains("bad   store     The store at \(desk.store) cannot be written: File too large"))
        #expect(tool.output.contains("→ Make room there, or name another store with --directory."), "\(tool.output)")
        #expect(try contents(desk.folder.url) == before)
    }

    @Test func saysThatTheStoreIsLocked() async throws {
        let desk = try await Desk("v2")
        try await desk.prepareLogin()
        let lock = unsafe open(desk.store + "/entitlements.lock", O_RDWR | O_CLOEXEC)
        #expect(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        defer { close(lock) }
        let tool = try await desk.run("doctor")
        #expect(tool.status == 1 && tool.output.contains("bad   store     Another process has locked the store at "))
        #expect(tool.output.contains("→ Wait until it has finished, and try again."), "\(tool.output)")
    }

    /// The superuser may write into any folder.
    @Test(.enabled(if: geteuid() != 0), arguments: [false, true])
    func saysThatAFolder_isReadOnly(isInUse: Bool) async throws {
        let desk = try await Desk("v2")
        let files = FileManager.default
        if isInUse {
            try await desk.prepareLogin()
        } else {
            try files.createDirectory(atPath: desk.store, withIntermediateDirectories: false)
        }
        try files.setAttributes([.posixPermissions: 0o500], ofItemAtPath: desk.store)
        let tool = try await desk.run("doctor")
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: desk.store)
        #expect(tool.status == 1 && tool.output.contains("cannot be written: Permission denied"), "\(tool.output)")
        #expect(tool.output.contains("→ Check its owner and permissions"), "\(tool.output)")
    }

    /// The folder above the store may be entered, but not listed.
    ///
    /// A store that is there needs no more. The name of one that is made must be on the medium, for which the folder
    /// is opened. The superuser may read any folder.
    @Test(.enabled(if: geteuid() != 0), arguments: [false, true])
    func saysThatTheFolderAbove_cannotBeRead_whenTheStoreIsMade(isThere: Bool) async throws {
        let desk = try await Desk("v2")
        let files = FileManager.default
        let above = desk.folder.path("above")
        let store = desk.folder.path("above/store")
        try files.createDirectory(
            atPath: isThere ? store : above, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try files.setAttributes([.posixPermissions: 0o300], ofItemAtPath: above)
        let tool = try await desk.run("doctor", "--directory", store)
        let login = try await desk.logIn("--directory", store)
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: above)
        #expect(tool.output.contains("cannot be written: Permission denied") != isThere, "\(tool.output)")
        #expect(tool.status == (isThere ? 0 : 1), "\(tool.output)")
        #expect(login.status == (isThere ? 0 : 2), "\(login.output)")
    }

    /// Only the superuser can give a folder away.
    @Test(.enabled(if: geteuid() == 0))
    func saysThatAStoreBelongsToAnotherUser() async throws {
        let desk = try await Desk()
        try FileManager.default.createDirectory(
            atPath: desk.store, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        #expect(unsafe chown(desk.store, 65_534, 65_534) == 0)
        let tool = try await desk.run("doctor")
        #expect(tool.status == 1 && tool.output.contains("bad   store     \(desk.store) belongs to another user."))
        #expect(tool.output.contains("→ Run this command as that user"), "\(tool.output)")
    }
}
