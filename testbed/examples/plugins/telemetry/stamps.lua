-- Reads what the example's ports write behind the UDP header, and hands the rest to RoCEv2's dissector.
local stamps = Proto("stamps", "Headgate example stamps")
local before = ProtoField.uint16("stamps.before", "UDP port before")
local records = ProtoField.uint8("stamps.records", "Records")
local queue = ProtoField.uint32("stamps.queue", "Queue in bytes")
local port = ProtoField.uint32("stamps.port", "Port")
local time = ProtoField.uint64("stamps.time", "Time in ns")
stamps.fields = {before, records, queue, port, time}

function stamps.dissector(buffer, pinfo, tree)
    local count = buffer(2, 1):uint()
    local own = tree:add(stamps, buffer(0, 4 + 16 * count))
    own:add(before, buffer(0, 2))
    own:add(records, buffer(2, 1))
    for record = 0, count - 1 do
        own:add(queue, buffer(4 + 16 * record, 4))
        own:add(port, buffer(8 + 16 * record, 4))
        own:add(time, buffer(12 + 16 * record, 8))
    end
    local rest = DissectorTable.get("udp.port"):get_dissector(buffer(0, 2):uint())
    rest:call(buffer(4 + 16 * count):tvb(), pinfo, tree)
end

DissectorTable.get("udp.port"):add(49374, stamps)
