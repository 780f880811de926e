import Foundation
import TVEDeviceBinding
import TVETestTraits
import Testing

struct DeviceIdentityTests {
    // Check vectors (wire protocol, 16).
    @Test(.row("wire protocol, 16")) func matchesTheCheckVectors() {
        let device = DeviceIdentity(seed: "sandbox-device-0001", app: nil)
        #expect(device.deviceID == "ca8d8fb3869b411587b4937097ae06269354bc9711ef74fc5b5b037e7a725b50")
        #expect(device.fingerprint.hexadecimal == "fb9d78c9487a5857b617c0ff5b45198f532c639d")
    }

    /// A device that becomes another one ends every viewer's login, so these values never change.
    @Test(arguments: [
        (DeviceSeed.Generation.vendorID, "ca8d8fb3869b411587b4937097ae06269354bc9711ef74fc5b5b037e7a725b50"),
        (.machineID, "0529f245fa4af2c5fb78cfdf191851e0c75ef3985934c9ea700db5ee310d4998"),
        (.stored, "0529f245fa4af2c5fb78cfdf191851e0c75ef3985934c9ea700db5ee310d4998"),
    ])
    func isTheDeviceThatItAlwaysWas(generation: DeviceSeed.Generation, deviceID: String) {
        let app = AppIdentity(bundleID: "com.x.y.AppA", teamID: "T")
        let device = DeviceIdentity(DeviceSeed("sandbox-device-0001", generation), app: app)
        #expect(device.deviceID == deviceID)
        let fingerprint =
            generation == .vendorID
            ? "fb9d78c9487a5857b617c0ff5b45198f532c639d" : "d06e0c11c443459c2c0b762c13f946b281fd7c14"
        #expect(device.fingerprint.hexadecimal == fingerprint)
    }

    @Test(
        .row("wire protocol, 16"),
        arguments: [
            ("Win32", "7b653c1a1342f29b6e1ca16ef44b1d14c98a11e3"),
            ("Google Inc.", "cc8e98f676a9099f4f8840652b2e587444f3ba68"),
            ("anonymous", "0a92fab3230134cca6eadd9898325b9b2ae67998"),
            ("Linux i686", "ad8006a09d99767669d5fd4e7f01accfc33fb994"),
            ("127.0.0.1", "4b84b15bff6ee5796152495a230e45e3d7e947d9"),
        ])
    func hashesLikeTheService(text: String, hash: String) {
        #expect(Fingerprint(deviceID: text).hexadecimal == hash)
    }

    @Test(arguments: [
        ("com.x.y.AppA", "com.x.y"), ("com.z.AppB", "com.z"), ("App", "App"), ("a.b", "a"), (".App", ".App"), ("", ""),
    ])
    func takesAllComponentsButTheLast_asVendor(bundleID: String, prefix: String) {
        #expect(AppIdentity(bundleID: bundleID, teamID: "T").vendorPrefix == prefix)
    }

    @Test(arguments: [("com.a.b", "TEAM", "TEAM.com.a"), ("com.a.b", "", nil)] as [(String, String, String?)])
    func namesTheKeychainGroup_ofTeamAndVendor(bundleID: String, teamID: String, group: String?) {
        #expect(AppIdentity(bundleID: bundleID, teamID: teamID).keychainGroup == group)
    }

    @Test(
        arguments: [
            ("TEAM1.", "TEAM1"), ("TEAM1", "TEAM1"), (".", ""), ("", ""), ("$(AppIdentifierPrefix)", ""), (nil, ""),
        ] as [(String?, String)])
    func readsTheTeam_fromThePrefixInTheInfoPlist(prefix: String?, teamID: String) {
        #expect(AppIdentity(bundleID: "com.a.b", identifierPrefix: prefix).teamID == teamID)
        #expect(AppIdentity(bundleID: "com.a.b", identifierPrefix: 7).teamID.isEmpty)
    }

    /// A test has no bundle with a team.
    @Test func knowsTheProgramThatRuns() {
        #expect(!AppIdentity.main.bundleID.isEmpty)
        #expect(AppIdentity.main.keychainGroup == nil)
    }

    @Test func isTheSameForOneVendor_andDiffersBetweenVendors() {
        func device(_ bundleID: String) -> DeviceIdentity {
            DeviceIdentity(seed: "machine", app: AppIdentity(bundleID: bundleID, teamID: "T"))
        }
        #expect(device("com.x.y.AppA") == device("com.x.y.AppB"))
        #expect(device("com.x.y.AppA") != device("com.z.AppB"))
    }

    /// The documentation of systemd calls the machine id confidential.
    @Test func showsNoSeed_howeverPrinted() {
        let seed = DeviceSeed("3d1219c7c4c5404aaa1f6d2a48adfda4", .machineID)
        var dumped = ""
        dump(seed, to: &dumped)
        for text in [dumped, "\(seed)", String(reflecting: seed), String(describing: [seed])] {
            #expect(text.contains("machineID") && !text.contains("3d12"))
        }
    }

    @Test func saysWhoseATokenIs() {
        let device = DeviceIdentity(seed: "sandbox-device-0001", app: nil)
        #expect(device.binding(of: "fb9d78c9487a5857b617c0ff5b45198f532c639d") == .mine)
        #expect(device.binding(of: "FB9D78C9487A5857B617C0FF5B45198F532C639D") == .mine)
        #expect(device.binding(of: "0000000000000000000000000000000000000000") == .foreign)
        #expect(device.binding(of: nil) == .unbound)
        #expect(device.binding(of: "") == .unbound)
    }

    @Test(arguments: [
        ("3D1219C7C4C5404AAA1F6D2A48ADFDA4\n", "3d1219c7c4c5404aaa1f6d2a48adfda4"), ("short\n", nil), ("", nil),
        (String(repeating: "g", count: 32), nil), (String(repeating: "0", count: 32), nil),
        ("00000000000000000000000000000001", "00000000000000000000000000000001"),
        (String(repeating: "a", count: 31), nil), (String(repeating: "a", count: 33), nil),
        (String(repeating: "a", count: 1_000), nil),
    ])
    func readsAMachineID_onlyWhenItIsOne(content: String, expected: String?) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("machine-id-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(content.utf8).write(to: file)
        #expect(MachineSeed.read(from: ["\(file.path).none", file.path]) == expected)
    }

    /// Systems create the file before its content, and containers mount a folder in place of a file.
    @Test(
        arguments: [
            ("3d1219c7c4c5404aaa1f6d2a48adfda4\n", "3d1219c7c4c5404aaa1f6d2a48adfda4"),
            ("uninitialized\n", "00000000000000000000000000000002"),
            ("00000000000000000000000000000000\n", "00000000000000000000000000000002"),
            ("", "00000000000000000000000000000002"),
            (nil, "00000000000000000000000000000002"),
        ] as [(String?, String)])
    func readsTheMachineID_inTheFirstFileThatHasOne(content: String?, expected: String) throws {
        let folder = URL.testFolder.appendingPathComponent("machine-id-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (first, second) = (folder.appendingPathComponent("first"), folder.appendingPathComponent("second"))
        let made = content == nil ? first : folder
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        if let content { try Data(content.utf8).write(to: first) }
        try Data("00000000000000000000000000000002\n".utf8).write(to: second)
        #expect(MachineSeed.read(from: [first.path, second.path]) == expected)
    }

    /// An id that the system already makes per vendor is used unchanged.
    @Test(arguments: [(DeviceSeed.Generation.vendorID, true), (.machineID, false), (.stored, false)])
    func isTheSameForOtherVendors_onlyWithIDsThatReachSoFar(generation: DeviceSeed.Generation, isSame: Bool) {
        let seed = DeviceSeed("sandbox-device-0001", generation)
        let first = DeviceIdentity(seed, app: AppIdentity(bundleID: "com.a.x", teamID: "T"))
        let second = DeviceIdentity(seed, app: AppIdentity(bundleID: "com.b.x", teamID: "T"))
        let sibling = DeviceIdentity(seed, app: AppIdentity(bundleID: "com.a.y", teamID: "T2"))
        #expect((first == second) == isSame)
        #expect(first == sibling)
        #expect((first == DeviceIdentity(seed: "sandbox-device-0001", app: nil)) == isSame)
    }
}
