// Frame-hops a second in ns-3, for comparison: reads a network, its forwarding tables and its flows,
// runs them, and prints how long that took.
//
//   hops bare|internet NETWORK
//
// bare: frames carry 8 bytes of header, a switch looks the destination up in a table by its number.
// internet: UDP sockets and ns-3's Internet stack; routes are looked up in the same table, since
// those that come with ns-3 search a list. In both links are PointToPointNetDevices with a drop-tail
// queue, of equal routes one is taken by a hash of the flow, and a host sends one frame at a time,
// of its flows in turn, as its link becomes free.

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <chrono>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#if __has_include("ns3/version-defines.h")
#include "ns3/version-defines.h"
#endif

using namespace ns3;

namespace {

// With what its own libraries were built: release, optimized, default or debug.
#ifdef NS3_VERSION_BUILD_PROFILE
constexpr const char* PROFILE = NS3_VERSION_BUILD_PROFILE;
#else
constexpr const char* PROFILE = "unknown";
#endif

struct FlowSpec
{
    int64_t startNs;
    uint32_t source;
    uint32_t destination;
    uint64_t frames; // 0: without end
};

struct Network
{
    uint32_t wireBytes = 0; // of a frame, all that it takes of the wire
    uint32_t queueFrames = 0;
    uint32_t hosts = 0;
    uint32_t switches = 0;
    struct Link
    {
        uint32_t a, b;
        uint64_t rateBps;
        int64_t delayNs;
    };
    std::vector<Link> links;
    // By switch and host: the ports that share what is for it.
    std::vector<std::vector<std::vector<uint32_t>>> tables;
    std::vector<FlowSpec> flows;
    int64_t untilNs = 0;
};

[[noreturn]] void
Fail(const std::string& message)
{
    std::cerr << "hops: " << message << std::endl;
    std::exit(2);
}

Network
Read(const char* file)
{
    std::ifstream in(file);
    Network net;
    std::string word;
    while (in >> word)
    {
        if (word == "frame")
        {
            in >> net.wireBytes >> net.queueFrames;
        }
        else if (word == "nodes")
        {
            in >> net.hosts >> net.switches;
            net.tables.assign(net.switches, std::vector<std::vector<uint32_t>>(net.hosts));
        }
        else if (word == "link")
        {
            Network::Link link{};
            in >> link.a >> link.b >> link.rateBps >> link.delayNs;
            net.links.push_back(link);
        }
        else if (word == "table")
        {
            uint32_t at;
            uint32_t to;
            uint32_t ports;
            in >> at >> to >> ports;
            std::vector<uint32_t>& entry = net.tables.at(at).at(to);
            entry.resize(ports);
            for (uint32_t& port : entry)
            {
                in >> port;
            }
        }
        else if (word == "flow")
        {
            FlowSpec flow{};
            in >> flow.startNs >> flow.source >> flow.destination >> flow.frames;
            net.flows.push_back(flow);
        }
        else if (word == "until")
        {
            in >> net.untilNs;
        }
        else
        {
            Fail("unknown word '" + word + "' in " + file);
        }
    }
    if (net.untilNs == 0)
    {
        Fail(std::string("no complete network in ") + file);
    }
    return net;
}

uint64_t g_hops = 0;
uint64_t g_delivered = 0;
uint64_t g_dropped = 0;

void
Dropped(Ptr<const Packet>)
{
    g_dropped++;
}

uint32_t
Choose(uint32_t flow, uint32_t salt, uint32_t count)
{
    uint64_t mixed = (uint64_t{flow} << 32 | salt) * 0x9E3779B97F4A7C15ULL;
    mixed ^= mixed >> 29;
    mixed *= 0xBF58476D1CE4E5B9ULL;
    return static_cast<uint32_t>((mixed >> 33) % count);
}

// A host's flows, one frame of each in turn, as fast as its link is.
class Sender
{
  public:
    virtual ~Sender() = default;

    void SetRate(uint64_t rateBps, uint32_t wireBytes)
    {
        m_frameTime = NanoSeconds(int64_t{wireBytes} * 8 * 1000000000LL / int64_t(rateBps));
    }

    void Begin(uint32_t flow, FlowSpec spec)
    {
        m_active.push_back({flow, spec.destination, spec.frames});
        if (!m_busy)
        {
            m_busy = true;
            Next();
        }
    }

  protected:
    virtual void Send(uint32_t flow, uint32_t destination) = 0;

  private:
    struct Active
    {
        uint32_t flow;
        uint32_t destination;
        uint64_t left;
    };

    void Next()
    {
        if (m_active.empty())
        {
            m_busy = false;
            return;
        }
        m_at = m_at < m_active.size() ? m_at : 0;
        Active& active = m_active[m_at];
        Send(active.flow, active.destination);
        if (active.left == 1)
        {
            m_active.erase(m_active.begin() + m_at);
        }
        else
        {
            active.left -= active.left > 0 ? 1 : 0;
            m_at++;
        }
        Simulator::Schedule(m_frameTime, &Sender::Next, this);
    }

    std::vector<Active> m_active;
    std::size_t m_at = 0;
    Time m_frameTime;
    bool m_busy = false;
};

// --- Bare frames -----------------------------------------------------------------------------------

class FlowHeader : public Header
{
  public:
    uint32_t destination = 0;
    uint32_t flow = 0;

    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("headgate::FlowHeader").SetParent<Header>().AddConstructor<FlowHeader>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return 8;
    }

    void Serialize(Buffer::Iterator at) const override
    {
        at.WriteU32(destination);
        at.WriteU32(flow);
    }

    uint32_t Deserialize(Buffer::Iterator at) override
    {
        destination = at.ReadU32();
        flow = at.ReadU32();
        return 8;
    }

    void Print(std::ostream& os) const override
    {
        os << "flow " << flow << " to " << destination;
    }
};

constexpr uint16_t PROTOCOL = 0x0800;
constexpr uint32_t PPP_BYTES = 2;

class BareSender : public Sender
{
  public:
    BareSender(Ptr<PointToPointNetDevice> device, uint32_t wireBytes)
        : m_device(device),
          m_payloadBytes(wireBytes - PPP_BYTES - 8)
    {
    }

  protected:
    void Send(uint32_t flow, uint32_t destination) override
    {
        FlowHeader header;
        header.destination = destination;
        header.flow = flow;
        Ptr<Packet> packet = Create<Packet>(m_payloadBytes);
        packet->AddHeader(header);
        m_device->Send(packet, m_device->GetBroadcast(), PROTOCOL);
    }

  private:
    Ptr<PointToPointNetDevice> m_device;
    uint32_t m_payloadBytes;
};

struct BareSwitch
{
    std::vector<Ptr<PointToPointNetDevice>> ports;
    const std::vector<std::vector<uint32_t>>* table = nullptr;
    uint32_t salt = 0;

    bool Receive(Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address&)
    {
        g_hops++;
        FlowHeader header;
        packet->PeekHeader(header);
        const std::vector<uint32_t>& out = (*table)[header.destination];
        uint32_t port =
            out.size() == 1 ? out[0] : out[Choose(header.flow, salt, uint32_t(out.size()))];
        ports[port]->Send(packet->Copy(), ports[port]->GetBroadcast(), PROTOCOL);
        return true;
    }
};

bool
BareDeliver(Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&)
{
    g_hops++;
    g_delivered++;
    return true;
}

// --- The Internet stack ----------------------------------------------------------------------------

constexpr uint16_t DISCARD_PORT = 9;

Ipv4Address
AddressOf(uint32_t host)
{
    return Ipv4Address((10U << 24) + 1 + host);
}

// Looks hosts up by their number. Interface 0 is the loopback, so port p is interface p + 1.
class TableRouting : public Ipv4RoutingProtocol
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("headgate::TableRouting").SetParent<Ipv4RoutingProtocol>();
        return tid;
    }

    const std::vector<std::vector<uint32_t>>* table = nullptr; // null at a host
    uint32_t salt = 0;

    void Prepare(Ptr<Ipv4> ipv4)
    {
        for (uint32_t i = 1; i < ipv4->GetNInterfaces(); i++)
        {
            Ptr<Ipv4Route> route = Create<Ipv4Route>();
            route->SetOutputDevice(ipv4->GetNetDevice(i));
            route->SetGateway(Ipv4Address::GetZero());
            route->SetSource(ipv4->GetAddress(i, 0).GetLocal());
            m_routes.push_back(route);
        }
    }

    Ptr<Ipv4Route> RouteOutput(Ptr<Packet>,
                               const Ipv4Header& header,
                               Ptr<NetDevice>,
                               Socket::SocketErrno& error) override
    {
        error = Socket::ERROR_NOTERROR;
        m_routes[0]->SetDestination(header.GetDestination());
        return m_routes[0];
    }

    bool RouteInput(Ptr<const Packet> packet,
                    const Ipv4Header& header,
                    Ptr<const NetDevice>,
                    UnicastForwardCallback forward,
                    MulticastForwardCallback,
                    LocalDeliverCallback deliver,
                    ErrorCallback) override
    {
        g_hops++;
        if (!table)
        {
            deliver(packet, header, 1);
            return true;
        }
        const std::vector<uint32_t>& out =
            (*table)[header.GetDestination().Get() - AddressOf(0).Get()];
        uint32_t port = out[0];
        if (out.size() > 1)
        {
            UdpHeader udp;
            packet->PeekHeader(udp);
            uint32_t flow = header.GetSource().Get() << 16 ^ udp.GetSourcePort();
            port = out[Choose(flow, salt, uint32_t(out.size()))];
        }
        m_routes[port]->SetDestination(header.GetDestination());
        forward(m_routes[port], packet, header);
        return true;
    }

    void NotifyInterfaceUp(uint32_t) override
    {
    }

    void NotifyInterfaceDown(uint32_t) override
    {
    }

    void NotifyAddAddress(uint32_t, Ipv4InterfaceAddress) override
    {
    }

    void NotifyRemoveAddress(uint32_t, Ipv4InterfaceAddress) override
    {
    }

    void SetIpv4(Ptr<Ipv4>) override
    {
    }

    void PrintRoutingTable(Ptr<OutputStreamWrapper>, Time::Unit) const override
    {
    }

  private:
    std::vector<Ptr<Ipv4Route>> m_routes;
};

class TableRoutingHelper : public Ipv4RoutingHelper
{
  public:
    TableRoutingHelper* Copy() const override
    {
        return new TableRoutingHelper();
    }

    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node>) const override
    {
        return CreateObject<TableRouting>();
    }
};

class UdpSender : public Sender
{
  public:
    UdpSender(Ptr<Node> node, uint32_t wireBytes)
        : m_node(node),
          m_payloadBytes(wireBytes - PPP_BYTES - 20 - 8)
    {
    }

  protected:
    void Send(uint32_t flow, uint32_t destination) override
    {
        if (m_sockets.size() <= flow)
        {
            m_sockets.resize(flow + 1);
        }
        Ptr<Socket>& socket = m_sockets[flow];
        if (!socket)
        {
            socket = Socket::CreateSocket(m_node, UdpSocketFactory::GetTypeId());
            socket->Bind();
            socket->ShutdownRecv();
            socket->Connect(InetSocketAddress(AddressOf(destination), DISCARD_PORT));
        }
        socket->Send(Create<Packet>(m_payloadBytes));
    }

  private:
    Ptr<Node> m_node;
    uint32_t m_payloadBytes;
    std::vector<Ptr<Socket>> m_sockets;
};

void
UdpDeliver(Ptr<Socket> socket)
{
    while (socket->Recv())
    {
        g_delivered++;
    }
}

// ---------------------------------------------------------------------------------------------------

using Ports = std::vector<std::vector<Ptr<PointToPointNetDevice>>>;

Ports
Wire(const Network& net, NodeContainer& nodes)
{
    ObjectFactory queue("ns3::DropTailQueue<Packet>");
    queue.Set("MaxSize", QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, net.queueFrames)));
    Ports ports(nodes.GetN());
    for (const Network::Link& link : net.links)
    {
        Ptr<PointToPointChannel> channel = CreateObject<PointToPointChannel>();
        channel->SetAttribute("Delay", TimeValue(NanoSeconds(link.delayNs)));
        for (uint32_t node : {link.a, link.b})
        {
            Ptr<PointToPointNetDevice> device = CreateObject<PointToPointNetDevice>();
            device->SetAddress(Mac48Address::Allocate());
            device->SetDataRate(DataRate(link.rateBps));
            device->SetMtu(uint16_t(net.wireBytes));
            nodes.Get(node)->AddDevice(device);
            Ptr<Queue<Packet>> waiting = queue.Create<Queue<Packet>>();
            waiting->TraceConnectWithoutContext("Drop", MakeCallback(&Dropped));
            device->SetQueue(waiting);
            device->Attach(channel);
            ports[node].push_back(device);
        }
    }
    return ports;
}

std::vector<std::unique_ptr<Sender>>
Bare(const Network& net, Ports& ports, std::vector<BareSwitch>& switches)
{
    std::vector<std::unique_ptr<Sender>> senders;
    for (uint32_t host = 0; host < net.hosts; host++)
    {
        ports[host][0]->SetReceiveCallback(MakeCallback(&BareDeliver));
        senders.push_back(std::make_unique<BareSender>(ports[host][0], net.wireBytes));
    }
    switches.resize(net.switches);
    for (uint32_t i = 0; i < net.switches; i++)
    {
        BareSwitch& one = switches[i];
        one.ports = ports[net.hosts + i];
        one.table = &net.tables[i];
        one.salt = i;
        for (auto& port : one.ports)
        {
            port->SetReceiveCallback(MakeCallback(&BareSwitch::Receive, &one));
        }
    }
    return senders;
}

std::vector<std::unique_ptr<Sender>>
Internet(const Network& net, Ports& ports, NodeContainer& nodes)
{
    InternetStackHelper stack;
    stack.SetRoutingHelper(TableRoutingHelper());
    stack.SetIpv6StackInstall(false);
    stack.Install(nodes);
    std::vector<std::unique_ptr<Sender>> senders;
    for (uint32_t i = 0; i < nodes.GetN(); i++)
    {
        Ptr<Ipv4> ipv4 = nodes.Get(i)->GetObject<Ipv4>();
        for (uint32_t port = 0; port < ports[i].size(); port++)
        {
            uint32_t interface = ipv4->AddInterface(ports[i][port]);
            Ipv4Address address =
                i < net.hosts ? AddressOf(i) : Ipv4Address((172U << 24) + i * 256 + port);
            ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask::GetOnes()));
            ipv4->SetUp(interface);
        }
        auto routing = DynamicCast<TableRouting>(ipv4->GetRoutingProtocol());
        routing->Prepare(ipv4);
        if (i < net.hosts)
        {
            Ptr<Socket> sink =
                Socket::CreateSocket(nodes.Get(i), UdpSocketFactory::GetTypeId());
            sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), DISCARD_PORT));
            sink->SetRecvCallback(MakeCallback(&UdpDeliver));
            senders.push_back(std::make_unique<UdpSender>(nodes.Get(i), net.wireBytes));
        }
        else
        {
            routing->table = &net.tables[i - net.hosts];
            routing->salt = i;
        }
    }
    return senders;
}

double
SecondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Most memory that the process had; getrusage would count what had started it.
int64_t
PeakBytes()
{
    std::ifstream in("/proc/self/status");
    std::string word;
    int64_t kib = 0;
    while (in >> word)
    {
        if (word == "VmHWM:")
        {
            in >> kib;
        }
    }
    return kib * 1024;
}

} // namespace

int
main(int argc, char** argv)
{
    if (argc != 3)
    {
        Fail("usage: hops bare|internet NETWORK");
    }
    auto start = std::chrono::steady_clock::now();
    Network net = Read(argv[2]);
    NodeContainer nodes;
    nodes.Create(net.hosts + net.switches);
    Ports ports = Wire(net, nodes);
    std::vector<BareSwitch> switches;
    std::vector<std::unique_ptr<Sender>> senders =
        std::string(argv[1]) == "internet" ? Internet(net, ports, nodes)
                                           : Bare(net, ports, switches);
    for (const Network::Link& link : net.links)
    {
        for (uint32_t node : {link.a, link.b})
        {
            if (node < net.hosts)
            {
                senders[node]->SetRate(link.rateBps, net.wireBytes);
            }
        }
    }
    for (uint32_t flow = 0; flow < net.flows.size(); flow++)
    {
        const FlowSpec& spec = net.flows[flow];
        Simulator::Schedule(NanoSeconds(spec.startNs),
                            &Sender::Begin,
                            senders[spec.source].get(),
                            flow,
                            spec);
    }
    Simulator::Stop(NanoSeconds(net.untilNs));
    double setUpSeconds = SecondsSince(start);
    start = std::chrono::steady_clock::now();
    Simulator::Run();
    double runSeconds = SecondsSince(start);
    std::cout << "setUpSeconds=" << setUpSeconds << "\nrunSeconds=" << runSeconds
              << "\nwallSeconds=" << setUpSeconds + runSeconds << "\nhops=" << g_hops
              << "\ndelivered=" << g_delivered << "\ndropped=" << g_dropped
              << "\nevents=" << Simulator::GetEventCount()
              << "\npeakBytes=" << PeakBytes() << "\nprofile=" << PROFILE
              << std::endl;
    std::_Exit(0); // tearing thousands of objects down is not of interest
}
