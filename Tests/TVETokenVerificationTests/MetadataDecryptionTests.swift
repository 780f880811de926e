import Foundation
import TVETestTraits
import TVETokenVerification
import Testing

@Suite(.fewAtATime)
struct MetadataDecryptionTests {
    @Test func opensOneBlock() throws {
        #expect(try MetadataDecryptionKey(pemRepresentation: Self.key).decrypt(Self.oneBlock) == "12345")
    }

    @Test(.row("D-36", "wire protocol, 13")) func opensSeveralBlocks_andIgnoresLineBreaks() throws {
        let text = try MetadataDecryptionKey(pemRepresentation: Self.key).decrypt(Self.twoBlocks)
        #expect(text == String(repeating: "0", count: 199) + "7 \u{e9}")
    }

    @Test func opensAValue_thatCameThroughAURLOrJSON() throws {
        let key = try MetadataDecryptionKey(pemRepresentation: Self.key)
        let plain = Self.oneBlock.replacing("\n", with: "")
        #expect(plain.contains("+") && plain.contains("/") && plain.hasSuffix("="))
        let url = plain.replacing("+", with: "-").replacing("/", with: "_")
        let escaped = try #require(plain.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        for text in [url, url.replacing("=", with: "") + "\n", escaped, plain.replacing("/", with: "\\/")] {
            #expect(try key.decrypt(text) == "12345")
        }
    }

    /// The last text has as many letters as a block without its padding.
    @Test(arguments: [
        "", "12345", "not Base64!", Data(repeating: 1, count: 255).base64EncodedString(),
        String(repeating: "sentences ", count: 38),
    ])
    func refusesWhatIsNotEncrypted(text: String) throws {
        let key = try MetadataDecryptionKey(pemRepresentation: Self.key)
        #expect(throws: MetadataDecryptionError.notEncrypted) { try key.decrypt(text) }
    }

    @Test func refusesAnotherKeysValue() throws {
        let key = try MetadataDecryptionKey(pemRepresentation: Self.otherKey)
        #expect(throws: MetadataDecryptionError.cannotBeOpened) { try key.decrypt(Self.oneBlock) }
        // This value is as large as a block can be, and larger than the modulus.
        let large = Data(repeating: 0xFF, count: 256).base64EncodedString()
        #expect(throws: MetadataDecryptionError.cannotBeOpened) { try key.decrypt(large) }
    }

    @Test(arguments: [128, 384, 640]) func refusesAValueForAKeyOfAnotherSize(count: Int) throws {
        let key = try MetadataDecryptionKey(pemRepresentation: Self.key)
        let text = Data(repeating: 1, count: count).base64EncodedString()
        #expect(throws: MetadataDecryptionError.cannotBeOpened) { try key.decrypt(text) }
    }

    @Test func opensSixtyFourBlocks_andNoMore() throws {
        let key = try MetadataDecryptionKey(pemRepresentation: Self.key)
        let block = try #require(Data(base64Encoded: Self.oneBlock, options: .ignoreUnknownCharacters))
        let longest = Data((0..<64).flatMap { _ in block })
        #expect(try key.decrypt(longest.base64EncodedString()) == String(repeating: "12345", count: 64))
        #expect(throws: MetadataDecryptionError.cannotBeOpened) {
            try key.decrypt((longest + block).base64EncodedString())
        }
    }

    @Test func saysTheSame_wheneverABlockCannotBeOpened() throws {
        let key = try MetadataDecryptionKey(pemRepresentation: Self.key)
        let good = try #require(Data(base64Encoded: Self.oneBlock, options: .ignoreUnknownCharacters))
        let bad = (0..<20).map { Data(repeating: UInt8($0), count: 256) }
        for block in bad {
            for blocks in [block, good + block, block + good, block + block] {
                #expect(throws: MetadataDecryptionError.cannotBeOpened) {
                    try key.decrypt(blocks.base64EncodedString())
                }
            }
        }
    }

    @Test(
        arguments: [
            // Each case has the bytes before the content, and a Boolean value that indicates whether they are valid
            // padding.
            ([0, 2] + ones(8) + [0], true), ([0, 2] + ones(100) + [0], true), ([0, 2] + ones(253) + [0], true),
            ([0, 2] + ones(7) + [0], false), ([0, 2, 0], false), ([0, 2] + ones(254), false),
            ([0, 1] + ones(8) + [0], false),
            ([1, 2] + ones(8) + [0], false), ([0, 0] + ones(8) + [0], false), ([2, 0] + ones(8) + [0], false),
            ([0, 2] + ones(4) + [0] + ones(4) + [0], false), ([], false),
        ] as [([UInt8], Bool)])
    func takesThePadding_ofTheStandardAlone(padding: [UInt8], isGood: Bool) {
        let text = Array("text".utf8.prefix(256 - padding.count))
        // A 0 after the end belongs to the content.
        let rest = padding.isEmpty ? [] : [UInt8](repeating: 0, count: max(0, 256 - padding.count - text.count))
        let block = padding + text + rest
        var fault: UInt8 = 0
        let content = MetadataDecryptionKey.content(of: block + [UInt8](repeating: 0, count: 256 - block.count), &fault)
        #expect((fault == 0) == isGood)
        if isGood { #expect(Array(content) == text + rest) }
    }

    private static func ones(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }

    @Test(arguments: ["", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "secret"])
    func refusesWhatIsNoKey(text: String) {
        #expect(throws: MetadataDecryptionError.notAKey) { try MetadataDecryptionKey(pemRepresentation: text) }
    }

    @Test(arguments: TokenKeyFormTests.readable)
    func readsAKey_inEveryFormOfAKey(form: Form) throws {
        let key = try MetadataDecryptionKey(pemRepresentation: form.apply(Self.key))
        #expect(try key.decrypt(Self.oneBlock) == "12345")
    }

    @Test(
        arguments: [
            (KeySamples.encryptedPrivate, .encryptedKey),
            (Data(KeySamples.encryptedPrivate.utf8).base64EncodedString(), .encryptedKey),
            (KeySamples.shortPrivate, .shortKey(bits: 1_024)), (KeySamples.curvePrivate, .notAKey),
            (CertificateSamples.version3, .notAKey),
            (TestKeys.first + "\n" + TestKeys.second, .notAKey),
        ] as [(String, MetadataDecryptionError)])
    func saysWhatIsWrong_withTheProgrammersKey(text: String, error: MetadataDecryptionError) {
        #expect(throws: error) { try MetadataDecryptionKey(pemRepresentation: text) }
    }

    @Test func printsNoKey() throws {
        let key = try MetadataDecryptionKey(pemRepresentation: Self.key)
        #expect("\(key)" == "MetadataDecryptionKey" && String(reflecting: key) == "MetadataDecryptionKey")
    }

    // The keys and values were made for this test with `openssl genrsa 2048` and `openssl pkeyutl -encrypt -pkeyopt
    // rsa_padding_mode:pkcs1`.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIIEuwIBADANBgkqhkiG9w0BAQEFAASCBKUwggShAgEAAoIBAQCsyDXcuk7bDQdc
        9qUaXQkOOngDh7DZ9SCqvZzwCma3+trkUL5cyTNjIoIuEiOpxX3PWJc2oOUDH3bs
        f7W30y3mFxirdcJTIfJWu7ooTeScukJ3U3pnlXO5heZvNutxaLLgxfIXJlMm5JDE
        87fJ5xGbppZvp7NDomCb9HyI5OD+AXXTLs5ijK2zXp/au7lefU794wx2+LF+VkOG
        Osrg81IcADop6Pvsmr5vLAC3B67sQYVrEyMvhvgjpzcHlHdhwHOqo6ex7wzlipow
        b0HOnSp8UdddP31kcFlXZ5Hk9KAmaQDhhbq9DBKl5m7FkuY4ro5G+ApO+5nKSeIU
        4yvX/YSzAgMBAAECgf9fp47kXm8bBOz3W/ILpl66JLvA23WBkhxsai/VQBtvYnGd
        9OcRjoCep02ZSyu5F1cDuWUU8InYvGQaW7Dhn8JsQourprSRUZbvs1tzgGY+u2r5
        XvfwvcywoyrYZ0llxZDlPLEP8VZGGqDz3OJXWSEJULxVQshBqV3SyrYnQgN8D39/
        B6+LnblZZxr036sV/QxusmFJzLmuNJO8vBY7YLTH9PhZVjDjAGJcrUjxHOJAqyCh
        Lq5y/Nwi+D3Rko8fpPZ7BDkJb87f2efrmFdnf1Qk3B6dd+5uMs/1SvOAlhQeiNaF
        7waCN/xv8Le4TLR4uMLGlZti1LmutxTJ2fg+/KECgYEA7iyfMvnyKIgUoEM97ELW
        YkI9U26CdNV/46cRMBxY9KoWiEQg7BizS/DMvefZiFO+As1VQLlJrmQiR3ic9ABr
        S93fgGRXe0X/0t/oFVt4Mgc6tr/YIQnXrolpQZ58B3l7RNYFHvMJ9MY6ZkbOF3bH
        2qEGM4heSDNXjw6uwduU8BECgYEAubavTIjmY+XDrSrS4bT8O/ElfKGr6IntZBSf
        qMkuwac7bVzvUUWERNgVWSxjgTw3c8qq7nUx5F8b0RHZG/xORE+DVa1ykt4QWQ0e
        bc4+FYNdQru0iV17U/vyKWZXhtDuof7xP9rPI7/y2vduKNQDrNaVWwQ482RlXkQR
        i80H7IMCgYAFPZIbKwi6/5OEmzYnlqjk7JQw28OfEnuH5MsqBdWnPH7WbLlUuI5p
        Y1j97LYKm90YbrArhmgqoCVo8Sxy6fdyaeVbC9oo6jdgynBu195jK2mNT9dPksne
        G0Pnn7cW6wNdVmAyeCKF8j6itXgfaAupsdVTGPMKH6cTjL0nos86IQKBgQCSVswH
        qRCyw0jP2aDWzkC8EyeQ7+yAjr8LT90HqZA4dMi1Qrgp+HdjsEoSPJIkMgkYKylK
        QfsQk4ld04ybKtOZrHY3Oze/V1DWeynxKMVvOlZw0WxPmeQmp6+Iw+ZQi66e5D/C
        K29yIj0CIlshvP8wYN7MG6Ws1P2zrDuPR/7odQKBgGeI/ZX24R2OrQODkQyca7f9
        6NbO/VQq7b+f6lRGYl7cTel8X/5BoDiKWeMbv8959Lj7EpP6yf6ur7VTaCC2kmij
        fX71LRqAIePzJvtx1GLdJj2WIy8xIlKx7OKrTtexBNrM3hRC04Ok/OhI1kH79vlm
        INL+FZmZUFIc41q/d1Bc
        -----END PRIVATE KEY-----
        """
    private static let otherKey = """
        -----BEGIN PRIVATE KEY-----
        MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQC0QpaUD31+B+Tu
        W3GD6+yOIJV8A3RFrLjO69wJFOOBVYc5wMV2NQr9hJj0YlpUoIuwhec4XLfmhFFe
        48lh74Y/2lGqXxbxvhyTxfqaHEQVoEYg8GF6UJt0NBQ43TKSDYabG6kOzzYs8cZs
        /RexhGoHhz3l5Yoa31rQe/EY91GBjowyZxQXC6HfWNfQqUuhl0uRyG3ctRbjtGdc
        ZnB/aDq8pPyTolpU1bHvwk1xHZ14FEDFj14V+VHMXwVH+2vLZidMm14SgIPCVRgm
        bQ4yuJgGcgDLn3zWyv/UbjwlbV2x2gquyR1Yq1Jfu6jYX3nRkbCrTF69hycnDnOa
        9/TvTRCdAgMBAAECggEAFXKh03qXWiZKzzCKrGFnG08VsjSAAmVHdPlbzCnT2vjn
        9s9wvzyW8uyyvUsxh8W1cTqxdQOVLwSZ4PI17STwgorxshWP15Ig+NUy2ODZmgAg
        r/0iAAl0waoLqOtqv7WDyVNMdXJitgzLaP7hMZI5gm1NSFwcJ0/hkJJasLeGl2VA
        guCWmQi2SHKl9G/7Vd5aO011gtVKBu9SjWdiIi+7w7zK39l0x4Cviez7KaHMQiXx
        QOtOovEsZAgS86MN+7rXDpOaaQqrSB/sQ9dRX+cF6/7kZuXSFc4PzdH1GMcLA1HT
        bQKbehYrRFbHE36nmiCjMbuw5s8iIgSlLq3K/BTMGQKBgQD9/3rcLTkuHqM7oq4i
        ZVmdA0sHDMu8jaUw/7L0djuykv5xLDAF9g3NhhAJTfyx6nGMFiu6I+De3wOAjom1
        QgRvmOTFablPRW5oiTBGm5AVs0OL/1zWHAEtwJKOVy//BnRPiiClcls3wcgXYrwf
        dSNuo460YNdjHtZ8sMRA/K8pSQKBgQC1rlG0dUYPjOfs20KEK8uPwcnktJ611Y0o
        I6k/oFoosa4Ce2NfDK6xoSMoSRTTbMyK6duAN+5dy1rg+llO5kN2qyXIoJnSyNBQ
        5Bs+tPJUNu/3vS0GbMeNQN4eiTwWjgUUZ7Q66V6YUp8fwqZQDSejZmbVfhC5CYwc
        AIkONa3gtQKBgHOsI7GdzsqYHVKNVaxIZ7U/yK1fQHGQOEjGSiNWrP04QDQeIYi1
        c7fDdA4ovAnycN+RQTy2FjSpb5jeUQyBEjAYeycEbOYTAqMMxzWApu+bAgoBs6+2
        dTr21keIoU0NDW8jwpZWLACKeatcxbu1xvsd9WFkMPLtGlUS022dJdAxAoGAa1pe
        0xf81xF2tcF1k23hccebibWklmNiblZsGrmgrK0Y2kSYmkB/NVy2zoYodSmzz12S
        IzhpdCjGQWwMu49aS9OjluI3IpMgbLvs0WfQTSzNLQEuir5aR8ANv9NtmxI+NCl3
        GNxu1ej0N6sn5ONxCZ9noj1EmmHm1WEHm0rivIUCgYBQsAbhrekmiQDXRKFnj107
        Ud+JsizZ2Vd/YVxhqPZGuU8qHf/AdyepJaoZu+KgqKYOac6rlmzR28oe822WC7kI
        GrksLCuX6MPy5CzunysvPLhq3Z2/0489gWi0O26eVtY7M59pjYINEegfEwj12oyT
        ay/6/3YYUmcqHmNQSoa55g==
        -----END PRIVATE KEY-----
        """
    private static let oneBlock = """
        BIbxUN5UHEwQoT4jduEXwCfz3pNDtYjltEHyJCYP2t8e0SnKl5U1F22TI81SrNAi3uk6reDvlt3uSPjHHin6Njt+PvobLsZZNGaG
        LsGzsDTiO9txjv15zL8awDvOqAyzFSFLLHoqkr6RjdYZ7sD5dV415hbZ+UsIJ9c7AWlPc2yeYq2vDwMNN41twsBzJb7yHbnbW1bT
        GahAA2VkjUc+lU2cOUxalUHbarcTIwpV3f8vb4IjrNTgZF2TNWrDh/YArxg5l5NkAMISRXqCxcCJB9yOhJnx69wuc2PXR1H+lg7Y
        ufX0Gxo5TKp2hSE8lLPDgbllZYYFeMQMlrStDwf/ug==
        """
    private static let twoBlocks = """
        aH88tav2xZoD5Jt92zehq/IOCkt/Pwsh1YTwfbdcgQ7Lu8MQvbabuMrHPqgqp14JQpFXl/O5hu98K0O/S8fH7IMQVnjrBzzMtY1J
        QNJc7G0A/o9ZVfeRguL3krZRMX/DVAiUHXbaYRu1Q2b15J3oksaHlLSCpxhAgRguL1fXm16bQ7tBZbwGUHr+etjf1swsBNcIVQAm
        XcVcEd61ZvgsRGmd7NgdmWsf9R/ordy27S5avb3CfK0chYZthY55NjKVFnsf5HDoCKfOTcy1Nijssg/z5PB6ICMiIwNBvBSLsVU1
        AdkW/FBKRPrV7Q0lCCRb8i1QBeDrxZkSLmu1ML217mPmPbJ5jMhabVfGg2r/qm7uejOXhvlIqM0rwUMsuJtoVWeugc8u67aSakmu
        tWD+BctRTSi4Phu7Otev+tRFrnFsO3G/KSjiXKpqWquUed5gZXErE9XqHu5QI7UcgIoh77W16ji8ELNFUILG9SQi4wzI6TEHK5sw
        U0pMPqG0dZTrS9vnYACIKzNvBi160a+MPQPyqYtmtiNTHiAQGoOHncn1RzR6s5IryWnhnDzin07LY+JKB0FkStDlY4+PAYOLFybN
        /SaokZ894WJsgTV0l6aGpu8rKR6EVVrtxmSNexMxbfs7YTG23kMAp5IeMMiR1k8oGUp5aaDyfs+/u6UzkSE=
        """
}
