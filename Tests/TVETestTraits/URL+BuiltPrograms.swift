public import Foundation

extension URL {
    /// The folder of the built programs, which is the folder of the test bundle.
    ///
    /// The first argument cannot be used to find it, because on macOS that is a program of the toolchain, which loads
    /// the bundle.
    public static let builtPrograms = folder(ofTestsIn: imageOfTheTests)

    /// Returns the folder in which a test bundle was built.
    ///
    /// - Parameter image: the path of the binary that contains the tests, which is the bundle itself on Linux and a
    ///   file inside it on macOS.
    /// - Returns: the folder that contains the bundle, or the folder that contains the binary if there is no bundle.
    public static func folder(ofTestsIn image: String) -> URL {
        let file = URL(fileURLWithPath: image)
        var bundle = file
        while bundle.pathExtension != "xctest", bundle.pathComponents.count > 1 { bundle.deleteLastPathComponent() }
        // Other build systems create a library of the tests in the folder of the programs.
        return (bundle.pathExtension == "xctest" ? bundle : file).deletingLastPathComponent()
    }

    /// The path of the binary that contains this file, which is found by a class in it.
    private static var imageOfTheTests: String {
        let tests = Bundle(for: Anchor.self)
        return tests.executablePath ?? tests.bundlePath
    }

    private final class Anchor {}
}
