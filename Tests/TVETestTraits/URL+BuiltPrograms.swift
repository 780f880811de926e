public import Foundation

extension URL {
    /// The folder of the built programs, which is that of the test bundle.
    ///
    /// Not that of the first argument: on macOS that is a program of the toolchain, which loads the bundle.
    public static let builtPrograms = folder(ofTestsIn: imageOfTheTests)

    /// Finds the folder in which a test bundle was built.
    ///
    /// - Parameter image: the binary that contains the tests: on Linux the bundle itself, on macOS a file inside it.
    /// - Returns: the folder around the bundle, or around the binary where there is no bundle.
    public static func folder(ofTestsIn image: String) -> URL {
        let file = URL(fileURLWithPath: image)
        var bundle = file
        while bundle.pathExtension != "xctest", bundle.pathComponents.count > 1 { bundle.deleteLastPathComponent() }
        // Other build engines make a library of the tests, beside the programs.
        return (bundle.pathExtension == "xctest" ? bundle : file).deletingLastPathComponent()
    }

    /// The binary that this file is linked into, which both systems know by a class in it.
    private static var imageOfTheTests: String {
        let tests = Bundle(for: Anchor.self)
        return tests.executablePath ?? tests.bundlePath
    }

    private final class Anchor {}
}
