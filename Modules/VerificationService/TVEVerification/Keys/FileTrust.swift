import Foundation
@_spi(VerificationService) import TVEModels

/// A check for other users of this machine who may read or change a file on which the service depends.
///
/// Whoever can change a key, or a folder above it, decides which tokens are genuine, and whoever can read a caller's
/// key can use it. Each file is therefore checked together with every folder and link on its path, at the start and
/// each time the file is read again.
package enum FileTrust {
    /// The purpose of a file.
    package enum Purpose: Sendable, Hashable {
        /// A key, a certificate or settings, which others may read but only root and the user of the service may
        /// change.
        case anchor
        /// A password, a private key or callers' keys, which in addition not everybody may read.
        case secret
    }

    /// The reason for which a file is not used.
    package enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// A file, a folder or a link belongs to another user, who could change it.
        case foreignOwner(path: String)
        /// A file or a folder can be changed by everybody.
        case changeableByEverybody(path: String)
        /// A file or a folder can be changed by a group other than root's.
        case changeableByGroup(path: String)
        /// A secret can be read by everybody.
        case readableByEverybody(path: String)
        /// The path leads through too many links, probably in a circle.
        case tooManyLinks(path: String)

        /// A sentence about what was found, which begins with the path, and one about what to do.
        package var description: String {
            switch self {
            case .foreignOwner(let path):
                "\(path) belongs to neither root nor the user of this service, so its owner can change it. "
                    + "Give it to one of these two with chown."
            case .changeableByEverybody(let path):
                "\(path) can be changed by everybody on this machine. Run chmod o-w on it."
            case .changeableByGroup(let path):
                "\(path) can be changed by every user of its group. Run chmod g-w on it."
            case .readableByEverybody(let path):
                "\(path) contains a secret that everybody on this machine can read. Run chmod o= on it."
            case .tooManyLinks(let path):
                "\(path) leads through more than \(mostLinks) symbolic links. Remove the loop, or name the file itself."
            }
        }
    }

    /// The maximum number of links on a path, which is that of Linux.
    private static let mostLinks = 40

    /// Checks a file or folder, and every folder and link on its path.
    ///
    /// A folder to which others may write is accepted if it is sticky, as the folder for temporary files is: the next
    /// element of the path must belong to root or to the user of the service, and then nobody else can replace it.
    /// Nothing can be changed on a file system that is read-only as a whole, nor can the entries of a folder that is
    /// itself mounted read-only, as Kubernetes mounts a ConfigMap with the mode 0777. What is written to `/dev/null`
    /// is never read from it, and other programs would fail with another mode of it.
    ///
    /// - Parameters:
    ///   - path: the file or folder. A relative path starts at the current folder.
    ///   - purpose: the purpose of the file.
    /// - Returns: the first problem; `nil` if there is none. The result is also `nil` if there is no such file, because
    ///   whoever reads the file reports that.
    package static func problem(of path: String, as purpose: Purpose) -> Problem? {
        var place = "/"
        var rest = Array(names(in: absolute(path)).reversed())
        var links = 0
        guard var status = ServiceSupport.status(of: place) else { return nil }
        if let problem = problem(of: place, status) { return problem }
        while let name = rest.popLast() {
            // All links in `place` are resolved, so its parent folder can be derived from the text.
            if name.utf8.elementsEqual("..".utf8) {
                place = (place as NSString).deletingLastPathComponent
                continue
            }
            let next = (place as NSString).appendingPathComponent(name)
            guard let found = ServiceSupport.status(of: next) else { return nil }
            if let problem = problem(of: next, found) { return problem }
            guard found.st_mode & S_IFMT == S_IFLNK else {
                place = next
                status = found
                continue
            }
            links += 1
            guard links <= mostLinks else { return .tooManyLinks(path: path) }
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) else { return nil }
            if target.utf8.first == UInt8(ascii: "/") { place = "/" }
            rest += names(in: target).reversed()
        }
        guard purpose == .secret, status.st_mode & S_IFMT != S_IFDIR, status.st_mode & 0o007 != 0,
            !isNullDevice(status)
        else { return nil }
        return .readableByEverybody(path: path)
    }

    /// Checks one element of a path.
    private static func problem(of path: String, _ status: stat) -> Problem? {
        let kind = status.st_mode & S_IFMT
        guard let problem = problem(of: path, status, kind) else { return nil }
        // The target of a link is checked separately.
        return kind != S_IFLNK && isUnchangeable(path, isFolder: kind == S_IFDIR) ? nil : problem
    }

    private static func problem(of path: String, _ status: stat, _ kind: mode_t) -> Problem? {
        guard [0, geteuid()].contains(status.st_uid) else { return .foreignOwner(path: path) }
        // The mode of a link or of the null device has no meaning. In a sticky folder only the owner of a file can
        // remove or rename it.
        if kind == S_IFLNK || (kind == S_IFDIR && status.st_mode & S_ISVTX != 0) || isNullDevice(status) { return nil }
        if status.st_mode & S_IWOTH != 0 { return .changeableByEverybody(path: path) }
        return status.st_mode & S_IWGRP != 0 && status.st_gid != 0 ? .changeableByGroup(path: path) : nil
    }

    private static func isNullDevice(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == ServiceSupport.status(of: "/dev/null")?.st_rdev
    }

    /// Returns a Boolean value that indicates whether nobody can change an element of a path, whatever its mode is.
    ///
    /// That the service sees a file on a read-only mount proves nothing: with `ProtectSystem=strict`, systemd mounts
    /// everything read-only for the service alone, and everybody else still writes.
    private static func isUnchangeable(_ path: String, isFolder: Bool) -> Bool {
        guard let table = try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/mountinfo")) else { return false }
        return isUnchangeable(path, isFolder: isFolder, in: table)
    }

    /// Returns a Boolean value that indicates whether nobody can change an element of a path, according to a table of
    /// mounts.
    static func isUnchangeable(_ path: String, isFolder: Bool, in table: Data) -> Bool {
        let path = path.utf8.flatMap(escaped)
        let slash = UInt8(ascii: "/")
        var length = 0
        var isUnchangeable = false
        for line in table.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count > 6, let dash = words.firstIndex(where: { $0.elementsEqual("-".utf8) }),
                dash + 3 < words.count
            else { continue }
            let mount = words[4]
            let isItself = mount.elementsEqual(path)
            // Of several mounts at one place, the last one is visible.
            guard isItself || path.starts(with: mount.last == slash ? mount : mount + [slash]), mount.count >= length
            else { continue }
            length = mount.count
            isUnchangeable = isReadOnly(words[dash + 3]) || isFolder && isItself && isReadOnly(words[5])
        }
        return isUnchangeable
    }

    /// Returns a byte of a path as the table of mounts contains it.
    private static func escaped(_ byte: UInt8) -> [UInt8] {
        guard [0x09, 0x0A, 0x20, 0x5C].contains(byte) else { return [byte] }
        let digits = String(byte, radix: 8)
        return Array("\\\(String(repeating: "0", count: 3 - digits.utf8.count))\(digits)".utf8)
    }

    private static func isReadOnly(_ options: Data) -> Bool {
        options.split(separator: UInt8(ascii: ",")).contains { $0.elementsEqual("ro".utf8) }
    }

    private static func absolute(_ path: String) -> String {
        path.utf8.first == UInt8(ascii: "/")
            ? path : (FileManager.default.currentDirectoryPath as NSString).appendingPathComponent(path)
    }

    private static func names(in path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }.compactMap { String($0) }
    }
}
