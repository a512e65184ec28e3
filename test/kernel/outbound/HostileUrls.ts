/** Spellings of 127.0.0.1 and of other places that nobody outside may be led to. */
const spellings = (a: number, b: number, c: number, d: number): ReadonlyArray<string> => {
  const number = ((a * 256 + b) * 256 + c) * 256 + d
  const octal = (part: number) => `0${part.toString(8)}`
  const hex = (part: number) => `0x${part.toString(16)}`
  const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  const dotted = `${a}.${b}.${c}.${d}`
  return [
    dotted,
    `${dotted}.`,
    String(number),
    hex(number),
    octal(number),
    `${octal(a)}.${octal(b)}.${octal(c)}.${octal(d)}`,
    `${hex(a)}.${hex(b)}.${hex(c)}.${hex(d)}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${hex(a)}.${octal(b)}.${c * 256 + d}`,
    `000${octal(a)}.${b}.${c}.${d}`,
    encodeURIComponent(dotted).replaceAll(".", "%2e"),
    dotted.replaceAll(".", "。"),
    [...dotted].map((digit) => (digit === "." ? "." : String.fromCodePoint(0xff10 + Number(digit)))).join(""),
    `[::ffff:${dotted}]`,
    `[::ffff:${groups}]`,
    `[0:0:0:0:0:ffff:${groups}]`,
    `[::FFFF:${groups}]`,
    `[::${dotted}]`,
    `[::${groups}]`,
    `[2002:${groups}::1]`,
    `[64:ff9b::${dotted}]`,
    `[64:ff9b::${groups}]`,
    `[64:ff9b:1::${groups}]`,
    `[2001:0:${groups}::1]`,
    `[2001:0:1::${groups}]`
  ]
}

const targets: ReadonlyArray<readonly [number, number, number, number]> = [
  [127, 0, 0, 1],
  [127, 255, 255, 254],
  [0, 0, 0, 0],
  [10, 0, 0, 1],
  [172, 16, 0, 1],
  [172, 31, 255, 255],
  [192, 168, 1, 1],
  [169, 254, 169, 254],
  [169, 254, 0, 1],
  [100, 64, 0, 1],
  [100, 100, 100, 200],
  [168, 63, 129, 16],
  [192, 0, 0, 192],
  [198, 18, 0, 1],
  [224, 0, 0, 1],
  [255, 255, 255, 255]
]

const ipv6 = [
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fd20:ce::254]",
  "[fd12:3456:789a::1]",
  "[fe80::1]",
  "[fe80::1%25eth0]",
  "[febf::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[ff0e::1]",
  "[100::1]",
  "[2001:db8::1]",
  "[2001:10::1]",
  "[2001:20::1]",
  "[3fff::1]",
  "[5f00::1]",
  "[4000::1]",
  "[::2]",
  "[1::1]"
]

const names = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "localhost..",
  "api.localhost",
  "a.b.localhost.",
  "localhost6",
  "ip6-localhost",
  "ip6-loopback.",
  "localhost.localdomain",
  "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
  "loc%61lhost",
  "metadata.google.internal",
  "METADATA.google.internal.",
  "metadata.goog",
  "metadata",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.azure.internal"
]

const forms = [
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:70/_",
  "dict://127.0.0.1:11211/",
  "ldap://example.com/",
  "data:text/plain,hello",
  "javascript:alert(1)",
  "ws://example.com/",
  "unix:/var/run/docker.sock",
  "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
  "//example.com/",
  "/relative",
  "example.com",
  "",
  " ",
  "http://",
  "http:///",
  "http://user:secret@example.com/",
  "http://user@example.com/",
  "http://:secret@example.com/",
  "http://example.com@127.0.0.1/",
  "http://127.0.0.1#@example.com/",
  "http://127.0.0.1?@example.com/",
  "http://127.0.0.1\\@example.com/",
  "http://[::1",
  "http://[::1]]/",
  "http://256.256.256.256/",
  "http://1.2.3.4.5/",
  "http://0x1.0x2.0x3.0x4.0x5/",
  "http://exa mple.com/",
  "http://example.com:99999/",
  "http://example.com:-1/",
  "http://a\u0000b.example/",
  "http://%00example.com/",
  "http://127.0.0.1:80\\.example.com/",
  "http:127.0.0.1",
  "http:/127.0.0.1/",
  "http:\\\\127.0.0.1\\",
  "\thttp://127.0.0.1/",
  "ht\ntp://127.0.0.1/",
  "http://127.0.0.1\t/",
  "https://example.com/\n",
  "https://example.com/\r\nX-Injected:1",
  "https://exam\tple.com/",
  "https://example.com/\u2028",
  "https://example.com\\.evil.example/",
  `http://example.com/${"a".repeat(2_000)}`
]

/** URLs that nothing outside may make the service call. The schemes and ports vary; the places do not. */
export const hostileUrls: ReadonlyArray<string> = [
  ...targets.flatMap((target) => spellings(...target)).map((host) => `http://${host}/`),
  ...ipv6.flatMap((host) => [`http://${host}/`, `https://${host}:8443/path?query`]),
  ...names.flatMap((host) => [`http://${host}/`, `https://${host}:8443/`]),
  ...forms
]

/** Addresses inside, as a name server gives them. */
export const insideAddresses: ReadonlyArray<string> = [
  ...targets.map((target) => target.join(".")),
  ...targets.map((target) => `::ffff:${target.join(".")}`),
  ...ipv6.filter((host) => !host.includes("%")).map((host) => host.slice(1, -1)),
  "fe80::1%eth0",
  "64:ff9b::7f00:1",
  "2002:7f00:1::1"
]

/** URLs of ordinary public hosts. */
export const ordinaryUrls: ReadonlyArray<string> = [
  "https://example.com/hook",
  "http://example.com:8080/hook?x=1",
  "https://sub.example.co.uk/",
  "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]/",
  "https://bücher.example/",
  "https://xn--bcher-kva.example/",
  "https://example.com./"
]
