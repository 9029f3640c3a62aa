-- Wireshark and tshark: the frames of Headgate that they do not know.
--
--   tshark -X lua_script:headgate.lua -r capture.pcapng
--
-- or put the file into Wireshark's folder for personal Lua plugins.
--
-- Credit frames: credit-based flow control after InfiniBand (IBTA volume 1, 7.9.4), over Ethernet
-- with EtherType 0x88B5. Not to be taken for PFC, which Wireshark knows as "Class Based Flow
-- Control [CBFC]". Needs no library but Wireshark's own; runs with Lua 5.1 to 5.4.

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
