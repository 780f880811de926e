/// Files that people store beside public keys, made with OpenSSL for these tests.
///
/// Their keys are used nowhere else.
enum KeySamples {
    /// A request for a certificate.
    static let request = """
        -----BEGIN CERTIFICATE REQUEST-----
        MIHGMG4CAQAwDDEKMAgGA1UEAwwBZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
        BAhPoPqZ1qzonE+JIkaRe/d+IE+sFh1WKDn7fYA7RlC11KCwyjcrETuudabGOmzy
        ZL8Thq+soeJ1YCAfUbpCKwugADAKBggqhkjOPQQDAgNIADBFAiA/fzKsj3u/qyFy
        PLeysFSCAuTraKDx6xIlbvNyymX1BgIhANWdrE9zDsrrl3rvgXT9Gwcc2fIKvFzc
        H26eqMXlaAsI
        -----END CERTIFICATE REQUEST-----
        """

    /// A public RSA key that is limited to signatures with PSS.
    static let forPSS = """
        -----BEGIN PUBLIC KEY-----
        MIIBIDALBgkqhkiG9w0BAQoDggEPADCCAQoCggEBAK8+lhiDCwPnkv7xTRG1ZnXp
        3DyAIqIETtbx6e07OitUEKwhZzDGk2FxIQ0+wUYCPZFk5BeKTseU9OP2s3yw0Tb1
        Wz2/r3XRpxCymQoHrBxCiEvGWr6nZEqa01sTghOCk9sEb0fnwr1DiXgxkaeQd5KL
        5rss5ChYnFGHGLKsOYe4BW6NeKmXYnPFBGqrL1j9Y+GBy5SUBskuAgB4E+g8HNq0
        6y+Q5I/X9d2dwBRVLlnZryyQj6p4A2TbpPa4ELeRMrdSRvDa5yjV980glYIENloS
        xDodOaKYX+02VNKyy4yzc79yhctpNJri3IovUquXy/H9y4aNsUWExQ3EdWXkAbkC
        AwEAAQ==
        -----END PUBLIC KEY-----
        """

    /// A PKCS#7 bundle.
    static let bundle = """
        -----BEGIN PKCS7-----
        MIIBnAYJKoZIhvcNAQcCoIIBjTCCAYkCAQExADALBgkqhkiG9w0BBwGgggFxMIIB
        bTCCAROgAwIBAgIUDIKMoP+2zQWwMANvV/gfV8JRmIkwCgYIKoZIzj0EAwIwDDEK
        MAgGA1UEAwwBZTAeFw0yNjExMjcxMjU0NThaFw0yNjEyMjcxMjU0NThaMAwxCjAI
        BgNVBAMMAWUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQIT6D6mdas6JxPiSJG
        kXv3fiBPrBYdVig5+32AO0ZQtdSgsMo3KxE7rnWmxjps8mS/E4avrKHidWAgH1G6
        QisLo1MwUTAdBgNVHQ4EFgQUdh7EDj4jDt/DBU+GOpAAb5ajpJ0wHwYDVR0jBBgw
        FoAUdh7EDj4jDt/DBU+GOpAAb5ajpJ0wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjO
        PQQDAgNIADBFAiBKGX2KeZMsiAPgyCXYp2wef4VFwbJL7gGrsc0gI/jCaQIhAMX7
        d7+Ey38OMztuoXGpOVYv60zNylx21QfXZ0l13nZ/MQA=
        -----END PKCS7-----
        """

    /// A PKCS#12 key store in Base64.
    static let keyStore = """
        MIID/AIBAzCCA7IGCSqGSIb3DQEHAaCCA6MEggOfMIIDmzCCAlIGCSqGSIb3DQEH
        BqCCAkMwggI/AgEAMIICOAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqG
        SIb3DQEFDDAcBAjVQ/nR86wFMwICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQME
        ASoEENoF2mIae+DXpZd0/xfP7xCAggHQ6JvyDp6/vKdASppkr2ccfObUPiG9V22Y
        imM9+UiaF/X+yrFtRsNRe0ivPLwXPGNZkfyja1iItPa814uY1F2OdNKKL30CGg5r
        kRgzqi5tO2bcZyne5NRZ7tWj1mfB1tT9Z+joqh2SKavhMt8AO/XcmSLq1qVcQs4G
        u9euCh8rn5LfZ33DAKRnYBH2dG3CEqAvbl3hM7lmAHIzVb4uWOa8GCg4J2Xf1n0V
        pRRnXMEbrtyw+inqnEmL9Jh33A3jP1k8XAkdwebe7Hd2nMNR8wOWzR5KSZPDjpDt
        ae6B8onbzMtkpg07AtFL2i9JXcw/VO8JLuVobDHTQ2N+n6sUMtNUQBN7cR30i3EH
        LJsFFXGNlWW88bIF8uxXpG55rX1qr1JBkukjBJBwaF67pBy8vuZUHbGxSVDx5Z/B
        KMaq6YJ89o2c8q8draPd4hU6Boq1y1mZxO36S98txcGPzBn5XL+vZRUxvxV4zgag
        lg/F1otYXsUSOB57uOC5g0W8Wn8dUaYTzixp96Ma/QYibEwqD+QtgsUGpq6ZQs6P
        TNDWWBqAAq30bXQD1Yv0QYw5YP0rrD6qJO/NoCNlvLke2WVsF1F4hMtgaylneD/b
        +ilP9UCK8S8wggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG9w0B
        DAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIFLvzJUac
        ZEQCAggAMAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBDBWPC2FJ4pueNytLXH
        aH00BIGQmlYdyuQN0jAxx1v3EZEMLqf8fAphkPGMpAHnUnFgbyPlA2RLzlVNITvR
        kzA+yDNTf8oYDf0Vr9aB1FKxkxX0mTvwjnKihYePyFMx/oGAmPR13AOZghbdd9ov
        9H9YXHZcIhXdXcoFUhZKXl/wl83ctLaLX67hqfl6xzttTfRr/eF5iza59Izbr2CO
        PbHxqcnpMSUwIwYJKoZIhvcNAQkVMRYEFCHukyoN+5fvaAG9aIK1cc2ioSQeMEEw
        MTANBglghkgBZQMEAgEFAAQgEXlYAIfTUDY5GkhwY+Xj6MPL7uUk0SIgL61mx0ks
        EM8ECCzHTlnys7KYAgIIAA==
        """

    /// A private key of an elliptic curve, in the format of its own.
    static let curvePrivate = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIKxaEzFio1w6zjTGFagR9lkkv0H0NaFUrdFDFCV9qAtDoAoGCCqGSM49
        AwEHoUQDQgAECE+g+pnWrOicT4kiRpF7934gT6wWHVYoOft9gDtGULXUoLDKNysR
        O651psY6bPJkvxOGr6yh4nVgIB9RukIrCw==
        -----END EC PRIVATE KEY-----
        """

    /// An encrypted private key.
    static let encryptedPrivate = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAixgOFOK26r2wICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEJOUIsId86UwS+rR/0tZbwgEgZCj
        XcgYAD3gThC+OOunQeXtDuRLq3SwCCeKySc6EJtUEoZHM2zQRG6N4KGK5vjSG6LX
        tlR9XMsc2rykenECgo12l5wv+9TQ0Y7Zazzu2NlcIoiDCMSMsMPm47vb0C3i67y0
        YCBrHCb+Da+/l0ygRWrtMwKyq4PgbKHy4eYqpBVxlxF911XCq8edo8re/YE/zIw=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// A private RSA key of 1,024 bits.
    static let shortPrivate = """
        -----BEGIN PRIVATE KEY-----
        MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBANQfN4iKT2j3Pqsi
        xTtrUpZR3HncRlearXs+9pKuoiXngUkmDsNuJ7dZBU6gmDBjOxu7VD7uvDGmOrkG
        lbz+Js0nk/aa0TMW0HeeRFModkwt2XXMPNzUlPcJiWIFFhlJMGDLCq+uaHqypsId
        ptCZyH7yRWiH0E1mbwBZPBVlyetXAgMBAAECgYAnh428xzGXOQQXtkoVEaH5W1X/
        65m8N5n+rrQaj6qt7597NzlnF/8UvuUrSugxlDxupZFEjQ7LHdQxqNV8u8wU9mC3
        ScHJGI+069UYMUBFXGueAmayRwd/Qxdy4KXuWtnQwgxVTOGgW1zYBRYU1JYU9jQ1
        1olSz58Q4KSEHFdR2QJBAOtXVn16SQz98M0YY/U7Ch1jw5exgbJJQBiPvssF4naW
        I9O7QgtituNzr9hIFNI7PcdeY1HUQ9ycIEAj8+rPuX0CQQDmvhbZrMut3pG6AlNj
        Q9bf9LEClC/6/4OoXxHhG5M5ehIfw3vH+pEKmXrpPj7LXlpLThCpOehbm1FLhNH0
        0PBjAkEAssMLspJRrOmzoMaXHu6ytzJRnwc5Yiib5ExD+8lDhRp0ql8CQs2/6DO2
        7Y2LK0nOmoMK5FxdE9UP9kiY/dK9rQJAGxwyaxjWRXNlA8nKKluKH34MXhUzHfZv
        bZTd8Ojgf1xMTNcW8AQMjoZB3q2lixdm3HorkvZuynSRNKJCWNVDqQJBALgTvKxu
        Zu+rcnWgiSdpHgJujmFTsnPhz4sqxye5vkFGk6VgOVqC70XxquCqRsj/laQdfbxQ
        fzygrftnlEVA+2k=
        -----END PRIVATE KEY-----
        """
}
