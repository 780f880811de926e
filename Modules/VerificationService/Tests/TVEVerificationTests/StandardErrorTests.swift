import Foundation
import TVETestTraits
import Testing

@testable import tve_verifier

@Suite(.timeLimit(.hanging))
struct StandardErrorTests {
    @Test func lines_areDroppedAndCounted_whileNobodyReads() {
        let pipe = Pipe()
        let output = StandardError(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 999)
        var counts: [Int] = []
        for _ in 0..<200 {
            output.write { dropped in
                counts.append(dropped)
                return line
            }
        }
        // A pipe holds 65,536 bytes. The last line was dropped too.
        let missed = (counts.last ?? 0) + 1
        #expect(counts.first == 0 && missed > 100)
        var text = ""
        func readMore() { text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self) }
        while text.utf8.count < (200 - missed) * 1_000 { readMore() }
        for word in ["a", "b"] {
            output.write { dropped in
                counts.append(dropped)
                return Array(word.utf8)
            }
        }
        while !text.hasSuffix("b\n") { readMore() }
        #expect(counts.suffix(2) == [missed, 0])
        #expect(text.hasSuffix("x\na\nb\n"))
    }

    @Test func aLineThatDoesNotFit_isCutOff_andTheNextOneBeginsALine() {
        let pipe = Pipe()
        let output = StandardError(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        output.write { _ in [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000) }
        var text = ""
        func readMore() { text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self) }
        var counts: [Int] = []
        repeat {
            output.write { dropped in
                counts.append(dropped)
                return Array("end".utf8)
            }
            // There is something to read, either this line or earlier ones.
            readMore()
        } while !text.hasSuffix("end\n")
        #expect(counts.first == 1)
        #expect(text.contains("x\nend\n") && !text.contains("xend"))
    }

    /// A burst of lines can fill a pipe before its reader has its turn.
    @Test func aLine_waitsForAReaderThatIsAMomentLate() {
        // On a busy machine, the reader may be later than that, but not each time.
        #expect((0..<20).contains { _ in Self.isLineKept() })
    }

    /// Writes a line to a full pipe, whose reader begins five milliseconds later.
    ///
    /// - Returns: `true` if the line was not dropped.
    private static func isLineKept() -> Bool {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        StandardError(descriptor: descriptor).write { _ in [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000) }
        let output = StandardError(descriptor: descriptor)
        output.write { _ in
            Thread.detachNewThread {
                usleep(5_000)
                _ = pipe.fileHandleForReading.availableData
            }
            return Array("line".utf8)
        }
        var missed: Int?
        output.write { dropped in
            missed = dropped
            return []
        }
        return missed == 0
    }
}
