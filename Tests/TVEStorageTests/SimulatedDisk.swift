import Foundation
import TVEModels
import TVEStorage
import TVETestSupport

/// A disk that preserves only flushed bytes, and arbitrary parts of the rest.
///
/// It follows the effects of a store's system calls, which work on a real folder, and creates images of the contents
/// that a crash can leave. The rules are those of POSIX, and not the kinder ones of one file system: written bytes and
/// a new length are preserved when their file is flushed, and names when their directory is. Without a flush, each
/// sector of 512 bytes, each length and each name may be preserved or lost separately. A rename is preserved or lost as
/// a whole.
final class SimulatedDisk: Sendable {
    /// The part of the unflushed changes that a crash preserves.
    enum Mercy: Hashable, Sendable {
        case nothing, everything, names, bytes
        case random(UInt64)

        fileprivate var seed: UInt64 { if case .random(let seed) = self { seed } else { 0 } }
    }

    /// The contents of the disk after a crash.
    ///
    /// A directory has no bytes.
    typealias Image = [String: Data?]

    fileprivate struct Node {
        /// The bytes on the medium, or nil for a directory.
        var kept: Data?
        var changes: [Change] = []
    }

    fileprivate enum Change {
        case write(Data, at: Int)
        case length(Int)
    }

    /// A change of the names in a directory, with the node of each name, or nil for a removed name.
    fileprivate struct Naming {
        let directory: String
        let names: [String: Int?]
    }

    fileprivate struct State {
        var nodes: [Node] = []
        /// The names that programs see.
        var names: [String: Int] = [:]
        /// The names on the medium.
        var keptNames: [String: Int] = [:]
        var namings: [Naming] = []
        var open: [Int32: Int] = [:]
    }

    private let root: URL
    private let state = Guarded(State())
    private let crash: @Sendable (SimulatedDisk) -> Void

    /// Creates a disk whose medium has the present contents of a folder.
    ///
    /// - Parameters:
    ///   - root: the folder, which contains the stores.
    ///   - crash: receives the disk after each effect, where the power may fail.
    init(_ root: URL, crash: @escaping @Sendable (SimulatedDisk) -> Void) throws {
        self.root = root
        self.crash = crash
        try state.withLock { state throws in
            state.nodes.append(Node(kept: nil))
            state.names[root.path] = 0
            for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
                let url = root.appendingPathComponent(path)
                state.names[url.path] = state.nodes.count
                state.nodes.append(Node(kept: url.hasDirectoryPath ? nil : try? Data(contentsOf: url)))
            }
            state.keptNames = state.names
        }
    }

    /// The system calls of a store on this disk.
    var system: StorageSystem {
        StorageSystem(effect: { [self] effect in
            state.withLock { $0.follow(effect) }
            crash(self)
        })
    }

    /// Returns the contents that a crash leaves now.
    func image(_ mercy: Mercy) -> Image {
        let image = state.withLock { $0.image(mercy) }
        let length = root.path.utf8.count + 1
        return Dictionary(uniqueKeysWithValues: image.map { (String(Substring($0.utf8.dropFirst(length))), $1) })
    }

    /// Writes an image into an empty folder.
    static func restore(_ image: Image, to folder: URL) throws {
        for (path, bytes) in image.sorted(by: { $0.key < $1.key }) where !path.isEmpty {
            let url = folder.appendingPathComponent(path)
            guard let bytes else {
                let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
                try FileManager.default.createDirectory(
                    at: url, withIntermediateDirectories: false, attributes: attributes)
                continue
            }
            guard
                FileManager.default.createFile(
                    atPath: url.path, contents: bytes, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
        }
    }
}

extension SimulatedDisk.State {
    fileprivate mutating func follow(_ effect: StorageSystem.Effect) {
        switch effect {
        case .opened(let path, let descriptor):
            if let node = names[path] {
                open[descriptor] = node
            } else {
                open[descriptor] = nodes.count
                name([path: add(.init(kept: Data()))])
            }
        case .closes(let descriptor): open[descriptor] = nil
        case .wrote(let descriptor, let bytes, let offset): change(descriptor, .write(bytes, at: offset))
        case .lengthened(let descriptor, let length): change(descriptor, .length(length))
        case .flushed(let descriptor):
            guard let number = open[descriptor] else { return }
            if nodes[number].kept == nil {
                flushNames(of: number)
            } else {
                nodes[number].kept = content(number) { _ in true }
                nodes[number].changes = []
            }
        case .renamed(let path, let other): name([path: nil, other: names[path]])
        case .linked(let path, let other): name([other: names[path]])
        case .removed(let path): name([path: nil])
        case .madeDirectory(let path): name([path: add(.init(kept: nil))])
        }
    }

    private mutating func add(_ node: SimulatedDisk.Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func change(_ descriptor: Int32, _ change: SimulatedDisk.Change) {
        guard let number = open[descriptor] else { return }
        nodes[number].changes.append(change)
    }

    /// Changes names of one directory, all of them at once.
    private mutating func name(_ changes: [String: Int?]) {
        guard let path = changes.keys.first else { return }
        for (path, node) in changes { names[path] = node }
        namings.append(.init(directory: (path as NSString).deletingLastPathComponent, names: changes))
    }

    private mutating func flushNames(of number: Int) {
        let path = names.first { $0.value == number }?.key
        for naming in namings where naming.directory == path {
            for (path, node) in naming.names { keptNames[path] = node }
        }
        namings.removeAll { $0.directory == path }
    }

    /// Returns the bytes of a file with some of the changes that were not flushed.
    private func content(_ number: Int, _ isKept: (_ isName: Bool) -> Bool) -> Data? {
        guard var bytes = nodes[number].kept else { return nil }
        func extend(to length: Int) {
            if bytes.count < length { bytes.append(Data(count: length - bytes.count)) }
        }
        for change in nodes[number].changes {
            switch change {
            case .length(let length): if isKept(false) { extend(to: length) }
            case .write(let data, let offset):
                var start = 0
                while start < data.count {
                    let end = min(data.count, ((offset + start) / 512 + 1) * 512 - offset)
                    if isKept(false) {
                        extend(to: offset + end)
                        bytes.replaceSubrange((offset + start)..<(offset + end), with: data[start..<end])
                    }
                    start = end
                }
            }
        }
        return bytes
    }

    fileprivate func image(_ mercy: SimulatedDisk.Mercy) -> SimulatedDisk.Image {
        var random = SeededRandom(state: mercy.seed)
        func isKept(_ isName: Bool) -> Bool {
            switch mercy {
            case .nothing: return false
            case .everything: return true
            case .names: return isName
            case .bytes: return !isName
            case .random: return Bool.random(using: &random)
            }
        }
        var left = keptNames
        for naming in namings where isKept(true) {
            for (path, node) in naming.names { left[path] = node }
        }
        // The contents of a directory without a name are lost with it. A directory precedes its contents.
        var image: SimulatedDisk.Image = [:]
        for (path, node) in left.sorted(by: { $0.key.utf8.count < $1.key.utf8.count }) {
            guard node == 0 || image[(path as NSString).deletingLastPathComponent] != nil else { continue }
            image.updateValue(content(node, isKept), forKey: path)
        }
        return image
    }
}
