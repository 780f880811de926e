import Foundation
import TVETestTraits
import Testing

/// Programs that tests start are beside the test bundle, which is the running program only on some systems.
struct BuiltProgramsTests {
    @Test(arguments: [
        // On macOS a program of the toolchain loads the bundle.
        ("/p/.build/debug/NamePackageTests.xctest/Contents/MacOS/NamePackageTests", "/p/.build/debug"),
        // On Linux the bundle is the program.
        ("/p/.build/debug/NamePackageTests.xctest", "/p/.build/debug"),
        // With Xcode's build engine on Linux, the tests are a library.
        ("/p/.build/Products/Debug/NameTests.so", "/p/.build/Products/Debug"),
    ])
    func areBesideTheTests(image: String, folder: String) {
        #expect(URL.folder(ofTestsIn: image).path == folder)
    }

    @Test(arguments: ["tve", "TVEStorageHammer", "TVERandomWalk"])
    func areThere(program: String) {
        let file = URL.builtPrograms.appendingPathComponent(program)
        #expect(FileManager.default.isExecutableFile(atPath: file.path))
    }

    /// `CommandLine.arguments[0]` is the toolchain's test runner on macOS, which has no `/proc` either.
    @Test(arguments: ["CommandLine.arguments[0]", "/proc/self/exe"])
    func noTestLooksForThemElsewhere(place: String) throws {
        let here = "Tests/ArchitectureTests/BuiltProgramsTests.swift"
        let others = try Repository.files("Tests").filter { $0 != here }
        #expect(try others.filter { try Repository.code(in: $0).contains(place) } == [])
    }
}
