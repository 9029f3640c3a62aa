"""Packets of RoCEv2 without a connection, half of them over IPv4 and half over IPv6.

    roce.py send HOST COUNT     sends them to a host of the lab
    roce.py forge HOST COUNT    the same with telemetry (INT-MD) that does not hold together
    roce.py take COUNT          takes them, and says what is wrong with them as they come
"""
import json, socket, struct, subprocess, sys, zlib

ROCE, INT_MD, OPCODE_SEND, MTU, STACK = 4791, 49376, 4, 1500, 16 + 2 * 32


def tell(*command):
    return json.loads(subprocess.check_output(['ip', '-j', *command]))[0]


def checksum(header):
    total = sum(struct.unpack('!%dH' % (len(header) // 2), header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def icrc(packet):
    """Of an IP packet without its last four bytes; what changes on the way counts as ones."""
    p, is_v4 = bytearray(packet), packet[0] >> 4 == 4
    udp = 20 if is_v4 else 40
    for at in (1, 8, 10, 11) if is_v4 else (1, 2, 3, 7):
        p[at] = 0xFF
    if not is_v4:
        p[0] |= 0x0F
    p[udp + 6] = p[udp + 7] = p[udp + 12] = 0xFF
    return struct.pack('<I', zlib.crc32(bytes(8 * [0xFF]) + bytes(p)))


def size(number):
    """Of the payload: some are short, some as long as the MTU lets them be, or a little less."""
    return (64, MTU - 24 - (40 if number % 2 else 20), MTU - 84)[number % 3]


def packet(own, far, number, stack=b''):
    """With telemetry before it in UDP, of which nothing follows if it is cut short."""
    bth = struct.pack('!BBHII', OPCODE_SEND, 0, 0xFFFF, 7, number)
    body = bth + bytes(number + i & 0xFF for i in range(64 if stack else size(number)))
    if 0 < len(stack) < STACK:
        body = b''
    length = 8 + len(stack) + len(body) + 4
    if number % 2:
        ends = [socket.inet_pton(socket.AF_INET6, 'fd00::' + a.split('.')[-1]) for a in (own, far)]
        ip = struct.pack('!IHBB', 0x66800000, length, 17, 64) + b''.join(ends)
    else:
        ends = [socket.inet_aton(a) for a in (own, far)]
        ip = struct.pack('!BBHIBBH', 0x45, 26 << 2, 20 + length, 0x4000, 64, 17, 0) + b''.join(ends)
        ip = ip[:10] + struct.pack('!H', checksum(ip)) + ip[12:]
    udp = struct.pack('!4H', 50000 + number % 2, INT_MD if stack else ROCE, length, 0)
    return ip + udp + stack + body + (icrc(ip + udp + body) if body else bytes(4))


def forged(number):
    """Telemetry of two records, with one thing wrong."""
    stack = bytearray(struct.pack('!BBHHBBHHI', 0x14, 19, ROCE, 0x2000, 8, 3, 0xF400, 0x4847, 0x80000000))
    stack += bytes(range(STACK - 16))
    wrong = number % 7
    if wrong == 0:
        return stack[:1 + number % (STACK - 5)]               # cut short
    at, value = ((1, 3 + 8 * 20), (1, 18), (0, 0x24), (2, 0x13), (4, 0x10), (6, 9))[wrong - 1]
    stack[at] = value                                         # length, length, type, port, version, words
    return stack


def send(wire, host, count, what):
    far = socket.gethostbyname(host)
    subprocess.run(['ping', '-c1', '-W5', far], stdout=subprocess.DEVNULL)
    own = tell('-4', 'addr', 'show', 'eth0')['addr_info'][0]['local']
    macs = tell('neigh', 'show', far)['lladdr'] + tell('link', 'show', 'eth0')['address']
    for number in range(count):
        p = packet(own, far, number, forged(number) if what == 'forge' else b'')
        kind = b'\x08\x00' if p[0] >> 4 == 4 else b'\x86\xdd'
        wire.send(bytes.fromhex(macs.replace(':', '')) + kind + p)


def wrong(p):
    """What is wrong with an IP packet, or None; 0 if it is none of these."""
    is_v4 = p[0] >> 4 == 4
    udp = 20 if is_v4 else 40
    if len(p) < udp + 24 or (p[9] if is_v4 else p[6]) != 17:
        return 0
    port, length, check = struct.unpack('!3H', p[udp + 2:udp + 8])
    if port != ROCE:
        return 0
    said = struct.unpack('!H', p[2:4] if is_v4 else p[4:6])[0] + (0 if is_v4 else 40)
    if said != len(p) or length != len(p) - udp:
        return 'lengths %d and %d of %d bytes' % (said, length, len(p))
    if is_v4 and checksum(p[:20]):
        return 'checksum of the header'
    if check:
        return 'checksum of UDP'
    return None if p[-4:] == icrc(p[:-4]) else 'ICRC'


def take(wire, count):
    taken, bad = {4: 0, 6: 0}, {}
    wire.settimeout(8)
    try:
        while sum(taken.values()) < count:
            p, where = wire.recvfrom(65536)
            what = wrong(p[14:]) if where[2] != socket.PACKET_OUTGOING else 0
            if what != 0:
                taken[p[14] >> 4] += 1
                if what:
                    bad[what] = bad.get(what, 0) + 1
    except TimeoutError:
        bad['missing'] = count - sum(taken.values())
    print('%d packets over IPv4, %d over IPv6; wrong: %s' % (taken[4], taken[6], bad or 'none'))
    sys.exit(1 if bad else 0)


wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
wire.bind(('eth0', 0))
if sys.argv[1] == 'take':
    take(wire, int(sys.argv[2]))
else:
    send(wire, sys.argv[2], int(sys.argv[3]), sys.argv[1])
