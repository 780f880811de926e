/// Private RSA keys of 2,048 bits, which nothing but tests uses.
///
/// Generating a key takes longer than most tests.
public enum TestKeys {
    /// A key.
    public static let first = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCdwPEmvkm6yvtL
        35AuCxw+VPCC+0PuP0GmKse/icDGdo/RT8rzOwjdVHFkRZs+6WxTVFFcy7kbZDFQ
        Y0ZiQnDd7DrU1j6C2+1KIbIQh105l/ZlI/hIsHV1VfkMwuPijNMdPHeEBCG3sAAL
        1SmesWwZyomfCp3tjTGvNZR1gHsc+QKNH3gIBhrdtpt40DTNlF5iwPo2JObHsN6j
        pQKunoFrVLfPMoFF16qIOko1mF1cxansC/Csc4gWvfsyANbqfYE+nB/jf5+t+H4v
        vsseIw0Rnod8rzE6f81YYHS52cc3WerilqOvKZWOvr7g4uhtr0uGQtE679uYg0U3
        fy2NFwrFAgMBAAECggEADRO/OeO413H3qna+LD7yCK3AYU9EdpXKUqTFubhI4XrX
        GbYYYBji93wGSVZm0+yENRUuiHd/4QgpeV09aqxQ0GjCiL244V6rWUOZT/r0rK9O
        9tvoO1hbaE5n7pmiS/e6EXiffLNd+yztGA4D3PqeuDWcunEmHdjgR0K1C5eKvSA6
        7rBNkkMHaEeeUXzh4usIgUgFgfJURUvdZOnOJmjjHDIVaGkil/otriP+io4ufig8
        5Kle2lWSUHNFEFH40tCyLCtiuf4zYqv0qz9ZNptfGO1P6meCyJVSh9KZ3mAWsfED
        uLi6CdULwVBVOor8F3sZDwI6HYfEoZ+CUJdaa4lQoQKBgQDSKenTHTnHGuQ+Z7VJ
        AKeuBuZDXOLjzUszDdn13SbF9LOHcMbOjAUlKT9Oa6UcZYrPUs8yTzXKDWjlKcj0
        00YhAK08uBKFp1Xl+mYmlJkn4CRnm0onBF9bQICi7Q701GyavU7S3AbEGatjg97b
        hQRZJR2dx14RtYgdpowbN26lZQKBgQDAKNCUYt8AwOZ617mh9WHcResBNUVAtps3
        Ck3DMT2bWJqiWDLYgBXlwUqcS2gH2aNwHseBG7XZLW9zL/Ow//8H5S1E//W8je3F
        2Q7IC6Y0rGLjoxRt86IVa/fpyTaJ3WXjvjRUmPvkQPFzbL6QMPqOkiNqklVoCzFY
        69/hfIip4QKBgQCDNmHjSerp0XNRNwSrKHqIH4yh4BtUKLdbj7lWVJXBn+56kEG/
        cRJBSkhZGMIEQa1xlX0BJw0pMkgcU4NAv6uYLUj7kN0XjwsFQ9mFGt+oUrvH599b
        DtLOMS5fCmx9FScdUTYmVfLveitUPV/lZF37nj2oZXHo0pLCGFp/H5O4NQKBgF33
        l4f4kXSc4BhSRcSdai19Q15j3mm24lAYCc7Z1XaR7YxV9QdKG2svCn1Doqu0EehS
        JN1N369EOKvrVw/HH7+MooaLZG/AN/X4HvJUQAKiCfmnVeYuraQsGB+K9dCVI64q
        5Qw5g3QrDeeT1dxNFzmA3TDQPlOSpZ8GOYTakToBAoGANRcVAgtXVZy2Z/+a/Ste
        dhzjtqCD8OsW10/PdAeGbzMZTIWtIBAbnpbDrz9aJpbDlQUeJWBosu58NATpEHyG
        JEqO/bdyVscjgqc31u2RAAuRKEqfMaWqls/WfrnO0GwRQvy6ayq5Kx1TCCsMBvJH
        hWpTr8UdAjKp0O+l2fih54A=
        -----END PRIVATE KEY-----
        """

    /// Another key.
    public static let second = """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDxhbOAomsKIBgD
        N7BVA2sswxh3h+lsy1IQBzE3fQFEPeQ0iAB2zYa241g29JWsezEd748ip9NMtGgs
        hd2X2BTZSt7reY4ucA850DKZW1kIn2g8xrtp/8pc8lrfXISKHCXA/ndUc+qJX2db
        a0oX9nQGqgImVc+xKaG9jganwj1MoRiosyO+13j4jHIlrgaNW7zWGetvncXdEt4i
        chOi1qAHjyCAFKoJyhGgD74H3Y6clxlCu5hVQTTRGzL69Ndu308Pd3w0q5HZCkl5
        3Pni9xjl2lZhQCI24rKfrapdlGZ1lGR92t1P8ggg12CucS0OTKTLXhp1Ruyjzdry
        9iLW/HjfAgMBAAECggEAWpWO0XwZMV8AIpTMadYyaENz9cDf55IKYUCRUQJtay7b
        XGh15BkJoaZ6+4GYcWxy64th39maAnbXa3t5tO2yRB00ppScowYcb86Ka8I7DmTb
        L5BJ0mPBfkLXmlaUz0fnUQ8fqmkfWg6SMVN4Iqyor6crzzz3/LZklzehf2H2o7o9
        g7SaftzaYbZ6p2Fk4XgETDU64pioEusTT7xLYLfLH18I/rWdL/8xavNmfpzwijgS
        EGDXcJzekG4rrLkqDURXsZNFYLG02pUNaLViVYcU7QtSimpo7LLOjkZgTU61UaRU
        A1Sb/2ghC0geGXKhxdTkEl+xAhed2hXe15Y35lmqAQKBgQD44jol8rrQ5Yz6Gp1M
        I8ZpUYfM7hYDmktP6B3GMZxOSihMlUY4XhrbRivdMHurwScTKiJMtbcxmJlqyOsg
        sETMyV4d6p0QVxlD8Q8Vu9p6EALET4soiMQ4Mg69z2QI3Sggo6wBFb8aUKFaWT+a
        T6pcjScTHp86/v83eGeRnaNnnwKBgQD4bZcMAkbNqpbbbKHeVckXUSWFcwmVuxok
        1zl7l0WcXIUcWHhANB3Yor6pNFTa/gJJ6ejTdgBAfSehAUmCBPvbp+1i6fTzxxO5
        cfIP3YaT4KEgHHyoc+Ge8+GC6MSQarRxw9jMRXzJiKCTiyK1cUkRjR8J/HRz7YGu
        4NzPVT5mwQKBgQDNpOeVCX3xM2sMEMed7QV5akOCQctwyKGn8cwAQme7jKzFsqXl
        12PrgIyn4/Kb1So7PJpAtfkbgtJpGICnbt46M7yPjZaftMgMincDZ0e7idUvbeY2
        5OL05++kSGOIq2wHpBVwhA52aN8ZrxrNnzvN41fBBZFeBurMY7F38T/eUwKBgG+t
        LCqc12FbH2fSZM3C+Jv/wYNFHHjv3CfVjKSvcv6AZOJCLwSFqSkat+TufnrXlwXN
        Hfn5YNGcsXTiVD4bqXCsA73keFYiFw7VV0Ckj/voDeaWh79eIH3JGoYzxzE4lpdR
        uCLT1e3u+mh5MogoPfWi3+IoV91JVnPb58dYha3BAoGBAJbRY4g9HL6Ceq/ZThxz
        Rrn2/6nykNa5Gnb7LsYV3KdOleV971H4XwVDuP05nbApbjWxfBcmuaUojOB4bl8c
        +rtsfgyjUApAcCBcwa7NrYOwtCHGNWypyisRDkBZ7AhfmnFvpcZS0QMzwRAB3btz
        INTbtg30CPYxXc4Qn6YCe9tU
        -----END PRIVATE KEY-----
        """

    /// A third key.
    public static let third = """
        -----BEGIN PRIVATE KEY-----
        MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQDExzuCqhcV5+fF
        n2poeYaSyU+1dyzEghm73ckfEq/7Twtqa5eKoStGXzPSFRUs3an41E4qnih6yac4
        D28YcbSkVH7qnYwYfSGqxONdNwK0buULTkhVwUogue6ho0eZIJnh5VNCicGix+YU
        9HJlqT2XeqADy6afAgAf4rUJS8Qx5lUnFH7WGld/iNHLF462rGfYqSeRMu2K5Fkn
        Z9h5V0mc6z3Ieu40dH8yyWSFFKBwcTgo+DcZK3Gj8Jlm+np72VychNeoDb4tDC1S
        MPPyY6dyu+MNcMMNrEiygKqM2uSUI9lFIKFeJuPGCPRrfH0szYkPm4BeFFwmK+ra
        GAdaYLMjAgMBAAECggEAUNBN1WzLTFjQa+37gmqeZPw+OxV1kkKoFOqR5awEEB63
        Xn5PX0SvhBgnLRkxeBqU6rcuXvxTPZJBlZlpE83m1TJKaUpIten2AK8ZfTfRaY69
        jDYbKPTX37bclQ98oRutdwN6fTIcDyEvkd2OecfWnrZirwxdIqJssKunk+jE64Sn
        Lm8CfiXRca6x51T/XKPgYtB0xq3GS2ho1rm/9NFcN4vHDhN2/FU0nPsP5CLZWX45
        jKqZ4ekn7gx2YSS8/9h1Tnf2IHI/Lhm0gFDllTG1vNSfVjaC398EPQ9rbSQW5HRL
        Xpynxb8rt8AK1/qNZ8cMmqkP61dmUxLHHSFivvkfuQKBgQDu+hVidF5pgfyrQ27w
        e13WI+YI44VHY64yOzBURMiwQ4zzhLIVXYps/eAdQf7O+F8KKmQTXGQ7J8bzAvfR
        DhdNggvWgkpe6LMAj9HMMPhZ+hAfG2leo3wHesc4cvKJB/HKIZHJEhQ1tgUomh47
        CAg6BvYi7gZQVaWmNRk4CnPDbQKBgQDSy6BSGc5FhPD3TjELGlaKHAKczHO5hrWE
        ZlQVDxQ5hbrK4TGWFKuScoxhqfQphcWB9lv/eZk+4bPzltG+Q0GzbGk6l7dL0oRG
        X5KfYT8QzWeiLAMQT6cUdzdmoAX50nRku6yJMkJusE27eh26rcTbqbcxgpbwELJ0
        2WrmGSGmzwKBgQDui+6Kv9R6h0m7f22fWdYaau011D93OpZpB9I/XAXkhRmO/9dw
        IlaKY4WyTu1WlnDwSc5p0SEwN42NiFntcZ5rPTQp5Rbt1GTSW721kPBniIlNM+Sj
        lpe5M6Lnwz488RQ3i/jleEl6L/7IP8eLb4IewlIyHd1plYTr+zb4TN6vpQKBgGL8
        WemT0qgUmG8ZWbBkCtVJ9/QXkhRB7MUipENLVGz6nk+c1gMq67KWddN60nwZJDk2
        LddXC55asH0nipC01oph0zw/eERzs8e0I48SRGIogozF7B5huQzEOtDHPmck66FN
        ++RlJIsD4UyzOHisFvArzynBsA1FWffDDQ7GKGZDAoGBAJsyr3ASgP/974ZkvL/i
        cbJJJATBaiaJcw+UgIg0yiUe44+W4PRDhbty+AbZbywj1v8uU29HBgsG+83WDhTl
        mCA4s8T1mfzXr9q7AAHq+2U8c7gxjx8dH3W65qLJWOhZ0i3suXoP3NU3LxKbNMJg
        SN+cAmlQk6GO/ZUKj3BUKoQW
        -----END PRIVATE KEY-----
        """
}
