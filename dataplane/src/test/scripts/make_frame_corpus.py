#!/usr/bin/env python3
"""Writes the corpus of frames that the views of io.headgate.dataplane.frame are tested against.

Scapy builds the frames and computes their checksums and ICRCs, tshark says what is in them; none of
our code takes part. The result is a table, tab separated: a name, the frame in hexadecimal, and one
column for each of tshark's fields, empty where the frame has none.

    ./make_frame_corpus.py ../resources/io/headgate/dataplane/frame/corpus.tsv

Made with scapy 2.5.0 and tshark 4.0.17 of Debian 12.
"""
import os
import random
import struct
import subprocess
import sys
import tempfile

from scapy.all import (ARP, ICMP, IP, TCP, UDP, Dot1AD, Dot1Q, Ether, ICMPv6EchoReply,
                       ICMPv6EchoRequest, ICMPv6ND_NA, ICMPv6ND_NS, ICMPv6NDOptDstLLAddr,
                       ICMPv6NDOptSrcLLAddr, IPOption, IPv6, IPv6ExtHdrDestOpt,
                       IPv6ExtHdrFragment, IPv6ExtHdrHopByHop, PadN, Padding, Raw)
from scapy.contrib.mac_control import (MACControlClassBasedFlowControl, MACControlPause)
from scapy.contrib.roce import BTH, cnp

FIELDS = """
eth.dst eth.src eth.type ieee8021ad.id ieee8021ad.priority ieee8021ad.dei
vlan.id vlan.priority vlan.dei vlan.etype
arp.opcode arp.src.hw_mac arp.src.proto_ipv4 arp.dst.hw_mac arp.dst.proto_ipv4
ip.version ip.hdr_len ip.dsfield ip.len ip.id ip.flags.df ip.flags.mf ip.frag_offset ip.ttl
ip.proto ip.checksum ip.checksum.status ip.src ip.dst
ipv6.version ipv6.tclass ipv6.flow ipv6.plen ipv6.nxt ipv6.hlim ipv6.src ipv6.dst
udp.srcport udp.dstport udp.length udp.checksum udp.checksum.status
tcp.srcport tcp.dstport tcp.seq_raw tcp.ack_raw tcp.hdr_len tcp.flags tcp.window_size_value
tcp.checksum tcp.checksum.status
icmp.type icmp.code icmp.checksum icmp.checksum.status icmp.ident icmp.seq
icmpv6.type icmpv6.code icmpv6.checksum icmpv6.checksum.status
icmpv6.echo.identifier icmpv6.echo.sequence_number
icmpv6.nd.ns.target_address icmpv6.nd.na.target_address
icmpv6.nd.na.flag.r icmpv6.nd.na.flag.s icmpv6.nd.na.flag.o icmpv6.opt.type icmpv6.opt.linkaddr
macc.opcode macc.pause_time macc.cbfc.enbv macc.cbfc.pause_time.c0 macc.cbfc.pause_time.c1
macc.cbfc.pause_time.c2 macc.cbfc.pause_time.c3 macc.cbfc.pause_time.c4 macc.cbfc.pause_time.c5
macc.cbfc.pause_time.c6 macc.cbfc.pause_time.c7
infiniband.bth.opcode infiniband.bth.se infiniband.bth.m infiniband.bth.padcnt infiniband.bth.tver
infiniband.bth.p_key infiniband.bth.destqp infiniband.bth.a infiniband.bth.psn
infiniband.invariant.crc
""".split()

PREFERENCES = """
ip.check_checksum:TRUE udp.check_checksum:TRUE tcp.check_checksum:TRUE ip.defragment:FALSE
ipv6.defragment:FALSE tcp.desegment_tcp_streams:FALSE nameres.mac_name:FALSE
""".split()

DST, SRC = "02:00:00:00:00:aa", "02:00:00:00:0b:bb"
RANDOM = random.Random(20010423)

# Two captured or published frames with their ICRCs, and one of IPv6, which scapy 2.5.0 cannot make:
# scapy's own tests (test/contrib/roce.uts), the second from a ConnectX-4 Lx.
PUBLISHED = {
    "roce-scapy-uc-send-only": "248a07a8fa22248a07a8fa22080045010040047840004011b4d5c0a80007c0a8"
    "0007c00012b7002caca22460ffff000000d300cf17104630818be28935d90e9a95505401be885e50000078f353f3",
    "roce-connectx-cnp": "e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a00120100"
    "0012b7002800008100ffff40000118" + "00" * 20 + "82fd002a",
    "roce-scapy-uc-send-only-ipv6": "0200000000aa020000000bbb86dd6e21face002c11ff20220000000000"
    "00000000000000102320230000000000000000000000001024c00012b7002ce7c52460ffff000000d300cf171046"
    "30818be28935d90e9a95505401be885e5000003e5b743b",
}


def raw(count):
    return Raw(bytes(RANDOM.randrange(256) for _ in range(count)))


def ethernet():
    return Ether(dst=DST, src=SRC)


def addresses4():
    return {"src": "10.1.%d.%d" % (RANDOM.randrange(256), RANDOM.randrange(1, 255)),
            "dst": "192.168.%d.%d" % (RANDOM.randrange(256), RANDOM.randrange(1, 255))}


def addresses6():
    return {"src": "2001:db8::%x:%x" % (RANDOM.randrange(1, 65536), RANDOM.randrange(1, 65536)),
            "dst": "fd00:1:2:3:%x::%x" % (RANDOM.randrange(1, 65536), RANDOM.randrange(1, 65536))}


def transports():
    for length in (0, 1, 2, 7, 18, 33, 1400):
        ports = {"sport": RANDOM.randrange(20000, 30000), "dport": RANDOM.randrange(30000, 32000)}
        yield "udp-%d" % length, UDP(**ports) / raw(length)
        tcp = TCP(seq=RANDOM.randrange(2**32), ack=RANDOM.randrange(2**32),
                  flags=RANDOM.randrange(256), window=RANDOM.randrange(65536),
                  options=[("MSS", 1460)] if length & 1 else [], **ports)
        yield "tcp-%d" % length, tcp / raw(length)
    yield "udp-no-checksum", UDP(sport=20001, dport=30001, chksum=0) / raw(20)
    yield "udp-wrong-checksum", UDP(sport=20001, dport=30001, chksum=0x1234) / raw(20)


def icmps():
    for length in (0, 1, 56):
        for kind in (0, 8):
            yield "icmp-%d-%d" % (kind, length), ICMP(type=kind, id=RANDOM.randrange(65536),
                                                      seq=RANDOM.randrange(65536)) / raw(length)
    yield "icmp-wrong-checksum", ICMP(type=8, id=1, seq=2, chksum=0x1111) / raw(9)


def icmpv6s():
    for length in (0, 1, 56):
        for kind in (ICMPv6EchoRequest, ICMPv6EchoReply):
            yield "icmpv6-%s-%d" % (kind.__name__, length), kind(
                id=RANDOM.randrange(65536), seq=RANDOM.randrange(65536), data=raw(length).load)
    yield "ns", ICMPv6ND_NS(tgt="fe80::1:2") / ICMPv6NDOptSrcLLAddr(lladdr=SRC)
    yield "ns-no-option", ICMPv6ND_NS(tgt="fe80::1:2")
    for flags in range(8):
        yield "na-%d" % flags, ICMPv6ND_NA(R=flags >> 2, S=flags >> 1 & 1, O=flags & 1,
                                           tgt="2001:db8::77") / ICMPv6NDOptDstLLAddr(lladdr=DST)


def roces():
    for length in (0, 1, 2, 3, 4, 5, 6, 7, 8, 64, 255, 1024, 4096):
        pad = -length % 4
        bth = BTH(opcode=0x04, solicited=RANDOM.randrange(2), migreq=RANDOM.randrange(2),
                  padcount=pad, pkey=RANDOM.randrange(65536), fecn=RANDOM.randrange(2),
                  dqpn=RANDOM.randrange(2**24), ackreq=RANDOM.randrange(2),
                  psn=RANDOM.randrange(2**24))
        yield "roce-send-%d" % length, UDP(sport=49152 + length, dport=4791) / bth / raw(
            length + pad)
    yield "roce-cnp", UDP(sport=49152, dport=4791) / cnp(dqpn=0x123456)


def ip4(**more):
    return IP(tos=RANDOM.randrange(256), id=RANDOM.randrange(65536), ttl=RANDOM.randrange(1, 256),
              flags="DF", **addresses4(), **more)


def ip6(**more):
    return IPv6(tc=RANDOM.randrange(256), fl=RANDOM.randrange(2**20),
                hlim=RANDOM.randrange(1, 256), **addresses6(), **more)


def link_control():
    yield "pause", Ether(dst="01:80:c2:00:00:01", src=SRC, type=0x8808) / MACControlPause(
        pause_time=0xFFFF)
    yield "pause-zero", Ether(dst="01:80:c2:00:00:01", src=SRC, type=0x8808) / MACControlPause(
        pause_time=0)
    for enabled in (0x00, 0x01, 0x08, 0x80, 0xA5, 0xFF):
        fields = {}
        for priority in range(8):
            bit = enabled >> priority & 1
            fields["c%d_enabled" % priority] = bit
            fields["c%d_pause_time" % priority] = bit * RANDOM.randrange(65536)
        yield "pfc-%02x" % enabled, Ether(
            dst="01:80:c2:00:00:01", src=SRC, type=0x8808) / MACControlClassBasedFlowControl(
                **fields)


def frames():
    for name, transport in list(transports()) + list(icmps()) + list(roces()):
        yield "ipv4-" + name, ethernet() / ip4() / transport
    for name, transport in list(transports()) + list(icmpv6s()):
        yield "ipv6-" + name, ethernet() / ip6() / transport
    yield "ipv4-options", ethernet() / ip4(options=[IPOption(b"\x94\x04\x00\x00")]) / UDP(
        sport=20002, dport=30002) / raw(5)
    yield "ipv4-wrong-checksum", ethernet() / ip4(chksum=0x4711) / UDP(
        sport=20003, dport=30003) / raw(5)
    yield "ipv4-first-fragment", ethernet() / IP(flags="MF", **addresses4()) / UDP(
        sport=20004, dport=30004, len=100) / raw(24)
    yield "ipv4-later-fragment", ethernet() / IP(frag=4, proto=17, **addresses4()) / raw(40)
    extensions = {
        "hop-by-hop": IPv6ExtHdrHopByHop(options=[PadN(optdata=b"\0" * 4)]),
        "destination": IPv6ExtHdrDestOpt(options=[PadN(optdata=b"\0" * 12)]),
        "both": IPv6ExtHdrHopByHop(options=[PadN(optdata=b"\0" * 4)]) /
                IPv6ExtHdrDestOpt(options=[PadN(optdata=b"\0" * 4)]),
        "atomic-fragment": IPv6ExtHdrFragment(id=7),
    }
    for name, extension in extensions.items():
        yield "ipv6-" + name, ethernet() / ip6() / extension / UDP(
            sport=20005, dport=30005) / raw(11)
    yield "ipv6-later-fragment", ethernet() / ip6() / IPv6ExtHdrFragment(
        nh=17, offset=3, id=7) / raw(32)
    for priority in range(8):
        tag = Dot1Q(prio=priority, id=priority & 1, vlan=RANDOM.randrange(4095))
        yield "vlan-%d" % priority, ethernet() / tag / ip4() / UDP(
            sport=20006, dport=30006) / raw(20)
    yield "vlan-in-service-vlan", ethernet() / Dot1AD(prio=5, vlan=100) / Dot1Q(
        prio=2, vlan=7) / ip6() / UDP(sport=20007, dport=30007) / raw(20)
    yield "vlan-in-vlan", ethernet() / Dot1Q(prio=6, vlan=4094) / Dot1Q(
        prio=1, vlan=1) / ip4() / TCP(sport=20008, dport=30008) / raw(20)
    yield "vlan-roce", ethernet() / Dot1Q(prio=3, vlan=2) / ip4() / UDP(
        sport=50000, dport=4791) / BTH(opcode=0x0A, dqpn=17, psn=0xFFFFFF) / raw(64)
    yield "vlan-arp", ethernet() / Dot1Q(prio=0, vlan=9) / ARP(
        op=2, hwsrc=SRC, psrc="10.0.0.1", hwdst=DST, pdst="10.0.0.2")
    yield "arp-request", Ether(dst="ff:ff:ff:ff:ff:ff", src=SRC) / ARP(
        op=1, hwsrc=SRC, psrc="10.0.0.1", hwdst="00:00:00:00:00:00", pdst="10.0.0.2")
    yield "arp-reply", ethernet() / ARP(
        op=2, hwsrc=SRC, psrc="172.16.255.1", hwdst=DST, pdst="224.0.0.255")
    yield "padded", ethernet() / ip4() / UDP(sport=20009, dport=30009) / raw(1) / Padding(b"\x55" * 17)
    yield "unknown-type", Ether(dst=DST, src=SRC, type=0x88B5) / raw(46)
    yield from link_control()


def describe(packets):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "corpus.pcap")
        with open(path, "wb") as capture:
            capture.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
            for packet in packets:
                capture.write(struct.pack("<IIII", 0, 0, len(packet), len(packet)) + packet)
        command = ["tshark", "-n", "-r", path, "-T", "fields", "-E", "occurrence=a",
                   "-E", "aggregator=,", "-E", "separator=/t"]
        for preference in PREFERENCES:
            command += ["-o", preference]
        for field in FIELDS:
            command += ["-e", field]
        return subprocess.run(command, check=True, capture_output=True,
                              text=True).stdout.splitlines()


def main():
    named = [(name, bytes(frame)) for name, frame in frames()]
    named += [(name, bytes.fromhex(text)) for name, text in PUBLISHED.items()]
    described = describe([frame for _, frame in named])
    assert len(described) == len(named)
    with open(sys.argv[1], "w", encoding="ascii", newline="\n") as out:
        out.write("\t".join(["name", "frame"] + FIELDS) + "\n")
        for (name, frame), fields in zip(named, described):
            out.write("\t".join([name, frame.hex(), fields]) + "\n")


if __name__ == "__main__":
    main()
