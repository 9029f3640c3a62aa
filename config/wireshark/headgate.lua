-- Wireshark and tshark: the frames of Headgate that they do not know.
--
--   tshark -X lua_script:headgate.lua -r capture.pcapng
--
-- or put the file into Wireshark's folder for personal Lua plugins.
--
-- Credit frames: credit-based flow control after InfiniBand (IBTA volume 1, 7.9.4), over Ethernet
-- with EtherType 0x88B5. Not to be taken for PFC, which Wireshark knows as "Class Based Flow
-- Control [CBFC]". Needs no library but Wireshark's own; runs with Lua 5.1 to 5.4.
--
-- Notices of a fair rate (RoCC, CoNEXT 2020): ICMP of type 253, ICMPv6 of type 200.
--
-- Congestion marks by name, below headgate.mark: CE and UE (TCD, SIGCOMM 2021) of IP's ECN field and
-- of RoCEv2's base transport header.

local credits = Proto("headgate_credits", "Headgate credits (credit-based flow control)")

local ops = { [0] = "normal", [1] = "initialise" }

local f = credits.fields
f.version = ProtoField.uint8("headgate.credits.version", "Version", base.DEC, nil, 0xF0)
f.type = ProtoField.uint8("headgate.credits.type", "Type", base.DEC, { [1] = "credits" }, 0x0F)
f.count = ProtoField.uint8("headgate.credits.count", "Flow control packets")
f.scale = ProtoField.uint8("headgate.credits.scale", "Block scale")
f.block = ProtoField.uint32("headgate.credits.block", "Block size in bytes")
f.heard = ProtoField.bool("headgate.credits.heard", "Peer heard", 8, nil, 0x01)
f.sequence = ProtoField.uint32("headgate.credits.sequence", "Sequence number")
f.digest = ProtoField.uint64("headgate.credits.digest", "Digest of the classification", base.HEX)
f.fcp = ProtoField.none("headgate.credits.fcp", "Flow control packet")
f.op = ProtoField.uint16("headgate.credits.op", "Op", base.DEC, ops, 0xF000)
f.fctbs = ProtoField.uint16("headgate.credits.fctbs", "FCTBS, blocks sent", base.DEC, nil, 0x0FFF)
f.lane = ProtoField.uint16("headgate.credits.lane", "Lane (priority)", base.DEC, nil, 0xF000)
f.fccl = ProtoField.uint16("headgate.credits.fccl", "FCCL, credit limit", base.DEC, nil, 0x0FFF)
f.lpcrc = ProtoField.uint16("headgate.credits.lpcrc", "LPCRC", base.HEX)

local bad_crc = ProtoExpert.new(
    "headgate.credits.lpcrc.bad", "LPCRC is wrong", expert.group.CHECKSUM, expert.severity.ERROR)
local cut_short = ProtoExpert.new(
    "headgate.credits.short", "Frame is cut short", expert.group.MALFORMED, expert.severity.ERROR)
credits.experts = { bad_crc, cut_short }

local FCPS_OFFSET = 8 -- from the end of the Ethernet header
local FCP_BYTES = 6
local DIGEST_BYTES = 8

-- Exclusive or of two 16-bit numbers: the operators and libraries differ from Lua to Lua.
local function xor16(a, b)
    local result, place = 0, 1
    for _ = 1, 16 do
        if a % 2 ~= b % 2 then
            result = result + place
        end
        a = math.floor(a / 2)
        b = math.floor(b / 2)
        place = place * 2
    end
    return result
end

-- Generator 0x100B, reflected; register of ones; complemented.
local function lpcrc(range)
    local crc = 0xFFFF
    for i = 0, 3 do
        local byte = range(i, 1):uint()
        for _ = 1, 8 do
            local feedback = (crc + byte) % 2
            crc = math.floor(crc / 2)
            byte = math.floor(byte / 2)
            if feedback == 1 then
                crc = xor16(crc, 0xD008)
            end
        end
    end
    return 0xFFFF - crc
end

local function fcp_tree(tree, range, lane, fctbs, fccl)
    local item = tree:add(f.fcp, range)
    item:set_text(string.format("Lane %d: FCTBS %d, FCCL %d", lane, fctbs, fccl))
    item:add(f.op, range(0, 2))
    item:add(f.fctbs, range(0, 2))
    item:add(f.lane, range(2, 2))
    item:add(f.fccl, range(2, 2))
    local crc = item:add_le(f.lpcrc, range(4, 2))
    if range(4, 2):le_uint() ~= lpcrc(range) then
        crc:add_proto_expert_info(bad_crc)
    end
end

function credits.dissector(buffer, pinfo, root)
    local length = buffer:reported_length_remaining()
    if buffer:len() < FCPS_OFFSET or buffer(0, 1):uint() ~= 0x11 then
        return 0
    end
    pinfo.cols.protocol = "Headgate credits"
    local count = buffer(1, 1):uint()
    local scale = buffer(2, 1):uint()
    local tree = root:add(credits, buffer())
    tree:add(f.version, buffer(0, 1))
    tree:add(f.type, buffer(0, 1))
    tree:add(f.count, buffer(1, 1))
    tree:add(f.scale, buffer(2, 1))
    if scale <= 7 then
        tree:add(f.block, buffer(2, 1), 64 * 2 ^ scale):set_generated()
    end
    tree:add(f.heard, buffer(3, 1))
    tree:add(f.sequence, buffer(4, 4))
    local info = {}
    local offset = FCPS_OFFSET
    local initialise = false
    for i = 1, count do
        if offset + FCP_BYTES > buffer:len() then
            tree:add_proto_expert_info(cut_short)
            break
        end
        local range = buffer(offset, FCP_BYTES)
        local lane = math.floor(range(2, 1):uint() / 16)
        local fctbs = range(0, 2):uint() % 4096
        local fccl = range(2, 2):uint() % 4096
        initialise = initialise or (i == 1 and math.floor(range(0, 1):uint() / 16) == 1)
        fcp_tree(tree, range, lane, fctbs, fccl)
        info[#info + 1] = string.format("%d: FCTBS %d FCCL %d", lane, fctbs, fccl)
        offset = offset + FCP_BYTES
    end
    if initialise and offset + DIGEST_BYTES <= buffer:len() then
        tree:add(f.digest, buffer(offset, DIGEST_BYTES))
    end
    local what = initialise and "Credits, initialising" or "Credits"
    pinfo.cols.info = string.format("%s, blocks of %d bytes; lane %s",
        what, 64 * 2 ^ scale, table.concat(info, ", "))
    return length
end

DissectorTable.get("ethertype"):add(0x88B5, credits)

local rocc = Proto("headgate_rocc", "RoCC fair rate (Headgate)")

local r = rocc.fields
r.version = ProtoField.uint8("headgate.rocc.version", "Version", base.DEC, nil, 0xF0)
r.flags = ProtoField.uint8("headgate.rocc.flags", "Flags", base.HEX, nil, 0x0F)
r.priority = ProtoField.uint8("headgate.rocc.priority", "Priority")
r.unit = ProtoField.uint16("headgate.rocc.unit", "Step in kb/s")
r.steps = ProtoField.uint32("headgate.rocc.steps", "Steps")
r.rate = ProtoField.uint64("headgate.rocc.rate", "Fair rate in kb/s")
r.point = ProtoField.uint32("headgate.rocc.point", "Congestion point", base.HEX)
r.port = ProtoField.uint8("headgate.rocc.port", "Port, in the order of the switch's configuration")
r.queue = ProtoField.uint8("headgate.rocc.queue", "Queue")
r.sequence = ProtoField.uint32("headgate.rocc.sequence", "Sequence number")
r.quote = ProtoField.bytes("headgate.rocc.quote", "Quoted packet")
r.flow = ProtoField.string("headgate.rocc.flow", "Flow")
r.host = ProtoField.bool("headgate.rocc.host", "The host works the rate out", 8, nil, 0x01)
r.details = ProtoField.none("headgate.rocc.details", "What the host obeys")

-- Lengths in steps of N bytes, rates in steps; gains with 16 bits of a fraction.
local DETAIL_NAMES = { "qcur", "qold", "qref", "qmid", "qmax", "fmin", "fmax", "alpha", "beta",
    "queue_step" }
r.before = ProtoField.uint64("headgate.rocc.before", "F before the step, in 65536ths of a step")
for _, name in ipairs(DETAIL_NAMES) do
    r[name] = ProtoField.uint32("headgate.rocc." .. name, name)
end

local ROCC_TYPE, ROCC_TYPE_V6, ROCC_VERSION = 253, 200, 1
local ROCC_BYTES, QUOTE_OFFSET = 40, 20
local DETAILS_OFFSET, DETAIL_BYTES = 84, 48

local icmp = DissectorTable.get("ip.proto"):get_dissector(1)
local icmpv6 = DissectorTable.get("ip.proto"):get_dissector(58)

-- Addresses, and ports where the quote has them.
local function flow_of(quote)
    local is_v4 = math.floor(quote(0, 1):uint() / 16) == 4
    if (is_v4 and quote:len() < 20) or (not is_v4 and quote:len() < 40) then
        return nil
    end
    local protocol = quote(is_v4 and 9 or 6, 1):uint()
    local transport = is_v4 and quote(0, 1):uint() % 16 * 4 or 40
    local source = is_v4 and quote(12, 4):ipv4() or quote(8, 16):ipv6()
    local destination = is_v4 and quote(16, 4):ipv4() or quote(24, 16):ipv6()
    local ports = ""
    if (protocol == 6 or protocol == 17) and quote:len() >= transport + 4 then
        ports = string.format(", ports %d to %d",
            quote(transport, 2):uint(), quote(transport + 2, 2):uint())
    end
    return string.format("%s to %s, protocol %d%s",
        tostring(source), tostring(destination), protocol, ports)
end

local function fair_rate(buffer, pinfo, root)
    local tree = root:add(rocc, buffer())
    local unit = buffer(6, 2):uint()
    local steps = buffer(8, 4):uint()
    tree:add(r.version, buffer(4, 1))
    tree:add(r.flags, buffer(4, 1))
    tree:add(r.priority, buffer(5, 1))
    tree:add(r.unit, buffer(6, 2))
    tree:add(r.steps, buffer(8, 4))
    tree:add(r.rate, buffer(6, 6), UInt64(unit) * UInt64(steps)):set_generated()
    tree:add(r.point, buffer(12, 4))
    tree:add(r.port, buffer(14, 1))
    tree:add(r.queue, buffer(15, 1))
    tree:add(r.sequence, buffer(16, 4))
    local is_for_host = buffer(4, 1):uint() % 2 == 1
    tree:add(r.host, buffer(4, 1))
    local quote = buffer(QUOTE_OFFSET)
    if is_for_host and buffer:len() >= DETAILS_OFFSET + DETAIL_BYTES then
        quote = buffer(QUOTE_OFFSET, DETAILS_OFFSET - QUOTE_OFFSET)
        local details = tree:add(r.details, buffer(DETAILS_OFFSET, DETAIL_BYTES))
        details:add(r.before, buffer(DETAILS_OFFSET, 8))
        for i, name in ipairs(DETAIL_NAMES) do
            details:add(r[name], buffer(DETAILS_OFFSET + 4 + 4 * i, 4))
        end
    end
    tree:add(r.quote, quote)
    local flow = flow_of(quote)
    if flow then
        tree:add(r.flow, quote, flow):set_generated()
    end
    pinfo.cols.protocol = "RoCC"
    local rate = is_for_host and "Fair rate for the host to work out"
        or string.format("Fair rate %.2f Mb/s", unit * steps / 1000)
    pinfo.cols.info = string.format("%s, priority %d; flow %s",
        rate, buffer(5, 1):uint(), flow or "unknown")
end

-- Wireshark's own come first; its tree of the checksum stays.
local function behind(original, own_type)
    return function(buffer, pinfo, root)
        original:call(buffer:range():tvb(), pinfo, root)
        if buffer:len() >= ROCC_BYTES and buffer(0, 1):uint() == own_type
                and math.floor(buffer(4, 1):uint() / 16) == ROCC_VERSION then
            fair_rate(buffer, pinfo, root)
        end
        return buffer:len()
    end
end

rocc.dissector = behind(icmp, ROCC_TYPE)
local rocc6 = Proto("headgate_rocc6", "RoCC fair rate over IPv6 (Headgate)")
rocc6.dissector = behind(icmpv6, ROCC_TYPE_V6)

DissectorTable.get("ip.proto"):set(1, rocc)
DissectorTable.get("ip.proto"):set(58, rocc6)

local cnm = Proto("headgate_cnm", "Congestion notification message (IEEE 802.1Qau)")

local c = cnm.fields
c.version = ProtoField.uint16("headgate.cnm.version", "Version", base.DEC, nil, 0xF000)
c.feedback = ProtoField.uint16("headgate.cnm.feedback", "Quantized feedback", base.DEC, nil, 0x003F)
c.point = ProtoField.uint64("headgate.cnm.cpid", "CPID", base.HEX)
c.offset = ProtoField.int16("headgate.cnm.qoffset", "cnmQOffset, in 64 octets")
c.delta = ProtoField.int16("headgate.cnm.qdelta", "cnmQDelta, in 64 octets")
c.priority = ProtoField.uint16(
    "headgate.cnm.priority", "Encapsulated priority", base.DEC, nil, 0xE000)
c.destination = ProtoField.ether("headgate.cnm.destination", "Encapsulated destination")
c.length = ProtoField.uint16("headgate.cnm.length", "Encapsulated MSDU length")
c.msdu = ProtoField.bytes("headgate.cnm.msdu", "Encapsulated MSDU")

local CNM_HEADER = 24

function cnm.dissector(buffer, pinfo, root)
    if buffer:len() < CNM_HEADER then
        return 0
    end
    local length = math.min(buffer(22, 2):uint(), buffer:len() - CNM_HEADER)
    local tree = root:add(cnm, buffer(0, CNM_HEADER + length))
    tree:add(c.version, buffer(0, 2))
    tree:add(c.feedback, buffer(0, 2))
    tree:add(c.point, buffer(2, 8))
    tree:add(c.offset, buffer(10, 2))
    tree:add(c.delta, buffer(12, 2))
    tree:add(c.priority, buffer(14, 2))
    tree:add(c.destination, buffer(16, 6))
    tree:add(c.length, buffer(22, 2))
    if length > 0 then
        tree:add(c.msdu, buffer(CNM_HEADER, length))
    end
    pinfo.cols.protocol = "CNM"
    pinfo.cols.info = string.format(
        "Congestion notification, feedback %d, to the source of a frame to %s",
        buffer(0, 2):uint() % 64, tostring(buffer(16, 6):ether()))
    return buffer:len()
end

DissectorTable.get("ethertype"):add(0x22E7, cnm)

local token = Proto("headgate_token", "Escape token (Headgate)")

local t = token.fields
t.source = ProtoField.ipv4("headgate.token.source", "Source")
t.destination = ProtoField.ipv4("headgate.token.destination", "Destination")
t.source6 = ProtoField.ipv6("headgate.token.source6", "Source")
t.destination6 = ProtoField.ipv6("headgate.token.destination6", "Destination")
t.source_port = ProtoField.uint16("headgate.token.source_port", "Source port")
t.destination_port = ProtoField.uint16("headgate.token.destination_port", "Destination port")
t.protocol = ProtoField.uint8("headgate.token.protocol", "Protocol")
t.hops = ProtoField.uint16("headgate.token.hops", "Hops")
t.priority = ProtoField.uint8("headgate.token.priority", "Priority of the blocked queue")

local TOKEN_V4, TOKEN_V6 = 0x0102, 0x0112
local mac_control = DissectorTable.get("ethertype"):get_dissector(0x8808)

local function escape_token(buffer, pinfo, root, is_v4)
    local address = is_v4 and 4 or 16
    local ports = 2 + 2 * address
    local tree = root:add(token, buffer(0, ports + 8))
    local source, destination = buffer(2, address), buffer(2 + address, address)
    tree:add(is_v4 and t.source or t.source6, source)
    tree:add(is_v4 and t.destination or t.destination6, destination)
    tree:add(t.source_port, buffer(ports, 2))
    tree:add(t.destination_port, buffer(ports + 2, 2))
    tree:add(t.protocol, buffer(ports + 4, 1))
    tree:add(t.hops, buffer(ports + 5, 2))
    tree:add(t.priority, buffer(ports + 7, 1))
    pinfo.cols.protocol = "Escape"
    pinfo.cols.info = string.format(
        "Token, hops %d, priority %d; flow %s to %s, protocol %d, ports %d to %d",
        buffer(ports + 5, 2):uint(), buffer(ports + 7, 1):uint(),
        tostring(is_v4 and source:ipv4() or source:ipv6()),
        tostring(is_v4 and destination:ipv4() or destination:ipv6()),
        buffer(ports + 4, 1):uint(), buffer(ports, 2):uint(), buffer(ports + 2, 2):uint())
end

-- The search for loops of Loop Breaker and Deadlock Breaker, and the latter's moves and slots.
local loop = Proto("headgate_loop", "Deadlock token (Headgate)")

local l = loop.fields
local LOOP_KINDS = { [1] = "Search", [2] = "Move" }
l.kind = ProtoField.uint8("headgate.loop.kind", "Kind", base.DEC, LOOP_KINDS)
l.priority = ProtoField.uint8("headgate.loop.priority", "Priority of the paused queue")
l.origin_priority = ProtoField.uint8(
    "headgate.loop.origin_priority", "Priority of the queue where it began")
l.hops = ProtoField.uint8("headgate.loop.hops", "Hops")
l.origin = ProtoField.ether("headgate.loop.origin", "Port where it began")
l.sequence = ProtoField.uint32("headgate.loop.sequence", "Sequence number")

local slots = Proto("headgate_slots", "Deadlock Breaker's slots (Headgate)")

local s = slots.fields
s.last = ProtoField.uint16("headgate.slots.last", "Number of the last frame moved")
s.free = ProtoField.uint8("headgate.slots.free", "Free slots")

local LOOP_TOKEN, SLOT_REPORT = 0x0120, 0x0121

local function loop_token(buffer, pinfo, root)
    local tree = root:add(loop, buffer(0, 16))
    tree:add(l.kind, buffer(2, 1))
    tree:add(l.priority, buffer(3, 1))
    tree:add(l.origin_priority, buffer(4, 1))
    tree:add(l.hops, buffer(5, 1))
    tree:add(l.origin, buffer(6, 6))
    tree:add(l.sequence, buffer(12, 4))
    pinfo.cols.protocol = "Deadlock"
    pinfo.cols.info = string.format("%s %d of %s, hops %d, priority %d",
        LOOP_KINDS[buffer(2, 1):uint()] or "Token", buffer(12, 4):uint(),
        tostring(buffer(6, 6):ether()), buffer(5, 1):uint(), buffer(3, 1):uint())
end

local function slot_report(buffer, pinfo, root)
    local tree = root:add(slots, buffer(0, 5))
    tree:add(s.last, buffer(2, 2))
    tree:add(s.free, buffer(4, 1))
    pinfo.cols.protocol = "Deadlock"
    pinfo.cols.info = string.format("Slots for moved frames: %d free after frame %d",
        buffer(4, 1):uint(), buffer(2, 2):uint())
end

-- Gentle flow control (GFC, SIGCOMM 2019): what a port tells the far end of each priority.
local gfc = Proto("headgate_gfc", "Gentle flow control (Headgate)")

local g = gfc.fields
g.version = ProtoField.uint8("headgate.gfc.version", "Version")
g.form = ProtoField.uint8("headgate.gfc.form", "Form", base.DEC, { [0] = "stages", [1] = "held" })
g.stage = ProtoField.uint32("headgate.gfc.stage", "Stage: the rate is the line's over 2^stage")
g.held = ProtoField.uint32("headgate.gfc.held", "Bytes held, 0: at most B0")
g.priority = ProtoField.uint8("headgate.gfc.priority", "Priority")

local GFC, GFC_VERSION, GFC_VALUES, GFC_BYTES = 0x0104, 1, 4, 36

local function gentle(buffer, pinfo, root)
    local tree = root:add(gfc, buffer(0, GFC_BYTES))
    local has_stages = buffer(3, 1):uint() == 0
    tree:add(g.version, buffer(2, 1))
    tree:add(g.form, buffer(3, 1))
    local info = {}
    for priority = 0, 7 do
        local value = buffer(GFC_VALUES + 4 * priority, 4)
        if value:uint() ~= 0 then
            local item = tree:add(has_stages and g.stage or g.held, value)
            item:add(g.priority, value, priority):set_generated()
            info[#info + 1] = string.format("%d: %s", priority,
                has_stages and "stage " .. value:uint() or value:uint() .. " bytes held")
        end
    end
    pinfo.cols.protocol = "GFC"
    pinfo.cols.info = "Gentle flow control, "
        .. (#info == 0 and "all priorities at the line's rate"
            or "priority " .. table.concat(info, ", "))
end

function token.dissector(buffer, pinfo, root)
    local opcode = buffer:len() >= 2 and buffer(0, 2):uint() or 0
    local is_v4 = opcode == TOKEN_V4
    if opcode == LOOP_TOKEN and buffer:len() >= 16 then
        loop_token(buffer, pinfo, root)
    elseif opcode == SLOT_REPORT and buffer:len() >= 5 then
        slot_report(buffer, pinfo, root)
    elseif (is_v4 and buffer:len() >= 18) or (opcode == TOKEN_V6 and buffer:len() >= 42) then
        escape_token(buffer, pinfo, root, is_v4)
    elseif opcode == GFC and buffer:len() >= GFC_BYTES and buffer(2, 1):uint() == GFC_VERSION
        and buffer(3, 1):uint() <= 1 then
        gentle(buffer, pinfo, root)
    else
        mac_control:call(buffer:range():tvb(), pinfo, root)
    end
    return buffer:len()
end

DissectorTable.get("ethertype"):set(0x8808, token)

-- Of Deadlock Breaker, too, which numbers the frames that it moves.
local escape = Proto("headgate_escape", "Escape header (Headgate)")

local e = escape.fields
e.hops = ProtoField.uint16("headgate.escape.hops", "Hops (Escape) or number (Deadlock Breaker)")
e.type = ProtoField.uint16("headgate.escape.type", "Type", base.HEX)

local ether_types = DissectorTable.get("ethertype")

function escape.dissector(buffer, pinfo, root)
    if buffer:len() < 4 then
        return 0
    end
    local tree = root:add(escape, buffer(0, 4))
    tree:add(e.hops, buffer(0, 2))
    tree:add(e.type, buffer(2, 2))
    ether_types:try(buffer(2, 2):uint(), buffer:range(4):tvb(), pinfo, root)
    pinfo.cols.info:append(string.format(" [escaping, hops %d]", buffer(0, 2):uint()))
    return buffer:len()
end

ether_types:add(0x88B6, escape)

local roce = DissectorTable.get("udp.port"):get_dissector(4791)
local escape_roce = Proto("headgate_escape_roce", "Escape header in RoCEv2 (Headgate)")

function escape_roce.dissector(buffer, pinfo, root)
    if buffer:len() < 4 then
        return 0
    end
    root:add(escape, buffer(0, 4)):add(e.hops, buffer(0, 2))
    roce:call(buffer:range(4):tvb(), pinfo, root)
    pinfo.cols.info:append(string.format(" [escaping, hops %d]", buffer(0, 2):uint()))
    return buffer:len()
end

DissectorTable.get("udp.port"):add(4793, escape_roce)

local int = Proto("headgate_int", "INT-MD telemetry (Headgate)")

local i = int.fields
i.type = ProtoField.uint8("headgate.int.type", "Type")
i.length = ProtoField.uint8("headgate.int.length", "Length in words")
i.port = ProtoField.uint16("headgate.int.port", "UDP port before")
i.version = ProtoField.uint8("headgate.int.version", "Version")
i.hop_limit = ProtoField.bool("headgate.int.hop_limit", "A port found the hop limit reached (E)")
i.mtu = ProtoField.bool("headgate.int.mtu", "A port found the packet too long (M)")
i.hop_words = ProtoField.uint8("headgate.int.hop_words", "Words of each record")
i.remaining = ProtoField.uint8("headgate.int.remaining", "Remaining hops")
i.instructions = ProtoField.uint16("headgate.int.instructions", "Instructions", base.HEX)
i.domain = ProtoField.uint16("headgate.int.domain", "Domain", base.HEX)
i.domain_instructions = ProtoField.uint16("headgate.int.domain_instructions",
    "Domain's instructions", base.HEX)
i.records = ProtoField.uint8("headgate.int.records", "Records")
i.node = ProtoField.uint32("headgate.int.node", "Switch")
i.ingress = ProtoField.uint16("headgate.int.ingress", "Ingress port")
i.egress = ProtoField.uint16("headgate.int.egress", "Egress port")
i.latency = ProtoField.uint32("headgate.int.latency", "Time in the switch (ns)")
i.queue = ProtoField.uint8("headgate.int.queue", "Queue")
i.queue_bytes = ProtoField.uint24("headgate.int.queue_bytes", "Bytes in the queue")
i.time = ProtoField.uint64("headgate.int.time", "Time of leaving (ns)")
i.sent = ProtoField.uint64("headgate.int.sent", "Sent before (bytes)")
i.rate = ProtoField.uint64("headgate.int.rate", "Rate of the link (b/s)")
i.unwritten = ProtoField.bool("headgate.int.unwritten", "Not written")
local int_malformed = ProtoExpert.new("headgate.int.malformed",
    "Telemetry that does not hold together", expert.group.MALFORMED, expert.severity.ERROR)
int.experts = {int_malformed}

local INT_HEADERS, INT_RECORD, INT_INSTRUCTIONS, INT_DOMAIN = 16, 32, 0xF400, 0x4847
local INT_SHIM, INT_VERSION = 0x14, 2

local function int_record(record, tree)
    local time = record(16, 8):uint64()
    local own = tree:add(int, record, string.format("Switch %d, port %d to port %d",
        record(0, 4):uint(), record(4, 2):uint(), record(6, 2):uint()))
    own:add(i.node, record(0, 4))
    own:add(i.ingress, record(4, 2))
    own:add(i.egress, record(6, 2))
    if time == UInt64(0xFFFFFFFF, 0xFFFFFFFF) then
        own:add(i.unwritten, true):set_generated()
        return
    end
    own:add(i.latency, record(8, 4))
    own:add(i.queue, record(12, 1))
    own:add(i.queue_bytes, record(13, 3))
    own:add(i.time, record(16, 8))
    own:add(i.sent, record(24, 4), UInt64(record(24, 4):uint()) * UInt64(128))
    own:add(i.rate, record(28, 4), UInt64(record(28, 4):uint()) * UInt64(100000))
end

function int.dissector(buffer, pinfo, root)
    local words = buffer:len() >= INT_HEADERS and buffer(1, 1):uint() or 0
    local bytes = 4 + 4 * words
    local records = (bytes - INT_HEADERS) / INT_RECORD
    if words < 3 or records % 1 ~= 0 or buffer:len() < bytes
            or buffer(0, 1):uint() ~= INT_SHIM or buffer(4, 1):bitfield(0, 4) ~= INT_VERSION
            or buffer(6, 1):uint() * 4 ~= INT_RECORD
            or buffer(8, 2):uint() ~= INT_INSTRUCTIONS
            or buffer(10, 2):uint() ~= INT_DOMAIN then
        root:add(int, buffer()):add_proto_expert_info(int_malformed)
        return buffer:len()
    end
    local tree = root:add(int, buffer(0, bytes))
    tree:add(i.type, buffer(0, 1), buffer(0, 1):bitfield(0, 4))
    tree:add(i.length, buffer(1, 1))
    tree:add(i.port, buffer(2, 2))
    tree:add(i.version, buffer(4, 1), buffer(4, 1):bitfield(0, 4))
    tree:add(i.hop_limit, buffer(4, 1), buffer(4, 1):bitfield(5, 1) == 1)
    tree:add(i.mtu, buffer(4, 1), buffer(4, 1):bitfield(6, 1) == 1)
    tree:add(i.hop_words, buffer(6, 1))
    tree:add(i.remaining, buffer(7, 1))
    tree:add(i.instructions, buffer(8, 2))
    tree:add(i.domain, buffer(10, 2))
    tree:add(i.domain_instructions, buffer(12, 2))
    tree:add(i.records, buffer(1, 1), records)
    for record = 0, records - 1 do
        int_record(buffer(INT_HEADERS + INT_RECORD * record, INT_RECORD), tree)
    end
    DissectorTable.get("udp.port"):try(buffer(2, 2):uint(), buffer:range(bytes):tvb(), pinfo, root)
    pinfo.cols.info:append(string.format(" [INT, %d hops]", records))
    return buffer:len()
end

DissectorTable.get("udp.port"):add(49376, int)

local icc = Proto("headgate_icc", "ICC record (Headgate)")

local c = icc.fields
c.port_before = ProtoField.uint16("headgate.icc.udp_port", "UDP port before")
c.version = ProtoField.uint8("headgate.icc.version", "Version")
c.node = ProtoField.uint16("headgate.icc.node", "Switch")
c.port = ProtoField.uint16("headgate.icc.port", "Port")
c.time = ProtoField.uint64("headgate.icc.time", "Time (ns)")
c.qlen = ProtoField.uint32("headgate.icc.qlen", "qlen (bytes)")
c.qlenrate = ProtoField.int64("headgate.icc.qlenrate", "qlenrate (b/s)")
c.load = ProtoField.uint16("headgate.icc.load", "lu (thousandths)")
c.flows = ProtoField.uint16("headgate.icc.flows", "Flows")
c.rate = ProtoField.uint64("headgate.icc.rate", "Rate of the link (b/s)")
local icc_malformed = ProtoExpert.new("headgate.icc.malformed",
    "A record that makes no sense", expert.group.MALFORMED, expert.severity.ERROR)
icc.experts = {icc_malformed}

local ICC_RECORD = 32

function icc.dissector(buffer, pinfo, root)
    if buffer:len() < ICC_RECORD or buffer(2, 1):uint() ~= 1 then
        root:add(icc, buffer()):add_proto_expert_info(icc_malformed)
        return buffer:len()
    end
    local tree = root:add(icc, buffer(0, ICC_RECORD))
    tree:add(c.port_before, buffer(0, 2))
    tree:add(c.version, buffer(2, 1))
    tree:add(c.node, buffer(4, 2))
    tree:add(c.port, buffer(6, 2))
    tree:add(c.time, buffer(8, 8))
    tree:add(c.qlen, buffer(16, 4))
    tree:add(c.qlenrate, buffer(20, 4), Int64(buffer(20, 4):int()) * Int64(1000))
    tree:add(c.load, buffer(24, 2))
    tree:add(c.flows, buffer(26, 2))
    tree:add(c.rate, buffer(28, 4), UInt64(buffer(28, 4):uint()) * UInt64(100000))
    local udp = DissectorTable.get("udp.port")
    udp:try(buffer(0, 2):uint(), buffer:range(ICC_RECORD):tvb(), pinfo, root)
    pinfo.cols.info:append(" [ICC]")
    return buffer:len()
end

DissectorTable.get("udp.port"):add(49375, icc)

local mark = Proto("headgate_mark", "Congestion mark (Headgate)")

local m = mark.fields
m.ip = ProtoField.string("headgate.mark.ip", "In the IP header")
m.bth = ProtoField.string("headgate.mark.bth", "In the base transport header")
m.ce = ProtoField.bool("headgate.mark.ce", "CE, congestion experienced")
m.ue = ProtoField.bool("headgate.mark.ue", "UE, undetermined")

local ecn_of_ipv4 = Field.new("ip.dsfield.ecn")
local ecn_of_ipv6 = Field.new("ipv6.tclass.ecn")
local bth_of = Field.new("infiniband.bth")

local CE = "CE, congestion experienced"
local UE = "UE, undetermined"
local UE_OR_ECT_0 = "UE, undetermined, if its sender declares ECT(1); else ECT(0), no mark"
local BTH_FLAGS_OFFSET = 4 -- FECN 0x80, BECN 0x40, UE 0x20

-- Of pairs of addresses: whether ECT(1) has been seen, so that ECT(0) is a mark.
local declared = {}
function mark.init()
    declared = {}
end

local function mark_of_ip(pinfo)
    local ecn = ecn_of_ipv4() or ecn_of_ipv6()
    if not ecn then
        return nil
    end
    local pair = tostring(pinfo.src) .. " " .. tostring(pinfo.dst)
    if ecn.value == 1 then
        declared[pair] = true
    elseif ecn.value == 2 then
        return declared[pair] and UE or UE_OR_ECT_0
    elseif ecn.value == 3 then
        return CE
    end
    return nil
end

local function mark_of_bth()
    local bth = bth_of()
    if not bth or bth.len <= BTH_FLAGS_OFFSET then
        return nil
    end
    local flags = bth.range(BTH_FLAGS_OFFSET, 1):uint()
    if flags >= 128 then
        return CE
    end
    return math.floor(flags / 32) % 2 == 1 and UE or nil
end

function mark.dissector(buffer, pinfo, root)
    local in_ip = mark_of_ip(pinfo)
    local in_bth = mark_of_bth()
    if not in_ip and not in_bth then
        return
    end
    local tree = root:add(mark)
    tree:set_generated()
    if in_ip then
        tree:add(m.ip, in_ip):set_generated()
    end
    if in_bth then
        tree:add(m.bth, in_bth):set_generated()
    end
    if in_ip == CE or in_bth == CE then
        tree:add(m.ce, true):set_generated()
        pinfo.cols.info:append(" [CE]")
    elseif in_ip == UE or in_bth == UE then
        tree:add(m.ue, true):set_generated()
        pinfo.cols.info:append(" [UE]")
    end
end

register_postdissector(mark)
