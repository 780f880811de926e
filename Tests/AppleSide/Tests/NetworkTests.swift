import AppleDevice
import TVEFlowEngine
import TVENetworking
import Testing

extension AppleSide {
    /// Tests of the description of the device's connection that services receive.
    struct NetworkTests {
        private let device = AppleDevice.takeNew()

        @Test(
            arguments: [
                (.none, nil), (.links([]), nil), (.links([.cellular]), .cellular), (.links([.wifi]), .wifi),
                (.links([.cable]), .lan), (.links([.tunnel]), nil), (.links([.cellular, .wifi]), .wifi),
                (.links([.wifi, .cable]), .lan), (.links([.tunnel, .cellular]), .cellular),
                // Only a connection would establish this network.
                (.onDemand([.cellular]), nil),
            ] as [(DeviceNetwork, DeviceInformation.Connection?)])
        func isThatOfThePath(network: DeviceNetwork, expected: DeviceInformation.Connection?) {
            let connection = SessionEnvironment.systemConnection
            device.connect(network)
            #expect(connection() == expected)
        }

        /// The system reports the network a moment after the start, and then whenever it changes.
        @Test func followsTheDevice() {
            device.connect(.links([.cellular]))
            let connection = SessionEnvironment.systemConnection
            for (network, expected) in [
                (.links([.wifi]), .wifi), (.none, nil), (.links([.cellular]), .cellular),
            ] as [(DeviceNetwork, DeviceInformation.Connection?)] {
                device.connect(network)
                #expect(connection() == expected)
            }
        }

        @Test func isNotObserved_whenNobodyAsksAnyMore() {
            var connection: (@Sendable () -> DeviceInformation.Connection?)? = SessionEnvironment.systemConnection
            #expect(connection?() == nil && device.networkObserverCount == 1)
            connection = nil
            #expect(device.networkObserverCount == 0)
        }
    }
}
