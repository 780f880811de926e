import Foundation
import Testing

@testable import TVENetworking

/// Tests of the description of the device as requests carry it.
struct DeviceInformationTests {
    private static var full: DeviceInformation {
        var info = DeviceInformation(
            hardwareType: .setTopBox, model: "Box \"4\" é/1", version: "15,2", manufacturer: "Maker", vendor: "Seller",
            osName: .chromeOS, osFamily: .linux, osVendor: .google, osVersion: "6.1", connection: .wifi)
        info.displayWidth = 1_920
        info.displayHeight = 1_080
        info.applicationID = "REF30"
        info.connectionAddress = "8.8.4.4"
        info.connectionPort = 443
        return info
    }

    @Test(arguments: [DeviceInformation(), DeviceInformation(model: "Box"), full])
    func theDescription_isTheDocumentOfAnEncoder(of info: DeviceInformation) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(try String(decoding: encoder.encode(info), as: UTF8.self) == String(decoding: info.json, as: UTF8.self))
    }
}
