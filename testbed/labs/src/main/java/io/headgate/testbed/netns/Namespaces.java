package io.headgate.testbed.netns;

import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.NetworkNamespace;
import io.headgate.dataplane.device.linux.net.Offload;
import io.headgate.testbed.netns.LabRecords.Lab;
import io.headgate.testbed.netns.LabRecords.Namespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The namespaces of one bed, and the programs that run in them. Namespaces are recorded before they
 * are made and removed with the bed, whatever happens to the process that made them.
 */
final class Namespaces {
    private static final long COMMAND_TIMEOUT_MS = 60_000;
    private static final long GRACE_NS = 500_000_000;

    /** The last line of a batch that failed: the number of its line. */
    private static final Pattern FAILED_LINE = Pattern.compile("Command failed .*:([0-9]+)");

    private static final List<String> IP = List.of("ip");

    private final LabRecords records;
    private final String id;
    private final Programs programs;
    private final List<Namespace> namespaces = new ArrayList<>();
    private boolean closed;

    private Namespaces(LabRecords records, String id) throws BedException {
        this.records = records;
        this.id = id;
        this.programs = new Programs(records.scratch(id));
    }

    /**
     * Namespaces that are yet to be made. First removes what dead labs left.
     *
     * @param say told, in sentences, what was swept up
     * @throws BedException if one of the names is taken
     */
    static Namespaces plan(
            List<String> names, String prefix, LabRecords records, Consumer<String> say)
            throws BedException {
        sweep(records, say);
        requireFree(names, records);
        return new Namespaces(records, prefix + "lab-" + ProcessHandle.current().pid());
    }

    /** Removes what labs left whose process is gone. */
    static void sweep(LabRecords records, Consumer<String> say) throws BedException {
        for (Lab lab : records.all()) {
            if (lab.isAlive()) {
                continue;
            }
            List<String> removed;
            try (Programs programs = new Programs(records.scratch(lab.id()))) {
                removed = remove(programs, lab.namespaces());
            }
            // Else the next lab tries once more.
            if (lab.namespaces().stream().noneMatch(Namespaces::isThere)) {
                records.forget(lab.id());
            }
            if (!removed.isEmpty()) {
                say.accept(
                        "Removed the rest of a lab that was killed (process "
                                + lab.pid()
                                + "): "
                                + String.join(", ", removed)
                                + ".");
            }
        }
    }

    private static void requireFree(List<String> names, LabRecords records) throws BedException {
        for (String name : names) {
            if (LabRecords.inodeOf(name).isEmpty()) {
                continue;
            }
            Optional<Lab> owner =
                    records.all().stream()
                            .filter(lab ->
                                    lab.namespaces().stream().anyMatch(n -> n.name().equals(name)))
                            .findFirst();
            throw new BedException(
                    "there is a network namespace '"
                            + name
                            + "' already, "
                            + owner.map(lab -> "of the lab that process " + lab.pid() + " runs")
                                    .orElse("and no lab made it")
                            + "; choose other names with --prefix, e.g. --prefix x, which makes"
                            + " them xh1, xh2 and so on");
        }
    }

    /**
     * Makes namespaces.
     *
     * @param withIpv6 those in which IPv6 stays on; off, the kernel's own IPv6 noise is too
     * @throws BedException if the kernel refuses, or these were removed meanwhile
     */
    void add(List<String> names, Set<String> withIpv6) throws BedException {
        synchronized (this) {
            if (closed) {
                throw new BedException("the test bed is being removed");
            }
            // Known before they are made: killed in between, we have left nothing unrecorded.
            names.forEach(name -> namespaces.add(new Namespace(name, LabRecords.NOT_MADE)));
            records.write(LabRecords.ours(id, namespaces));
            List<String> commands = names.stream().map(name -> "netns add " + name).toList();
            Programs.Result result = batch(programs, IP, commands);
            int failed = result.ok() ? names.size() : failedLine(result).orElse(names.size());
            // From there on we made none: one that is there now is another lab's.
            namespaces
                    .subList(namespaces.size() - names.size() + failed, namespaces.size())
                    .clear();
            namespaces.replaceAll(one ->
                    new Namespace(
                            one.name(),
                            LabRecords.inodeOf(one.name()).orElse(LabRecords.NOT_MADE)));
            records.write(LabRecords.ours(id, namespaces));
            if (!result.ok()) {
                throw new BedException(failure(IP, commands, result));
            }
        }
        for (String name : names) {
            if (!withIpv6.contains(name)) {
                switchOffIpv6(name);
            }
        }
    }

    private static void switchOffIpv6(String netns) throws BedException {
        for (String which : List.of("all", "default")) {
            Path setting = Path.of("/proc/sys/net/ipv6/conf", which, "disable_ipv6");
            try {
                NetworkNamespace.call(
                        netns,
                        () -> {
                            try {
                                if (Files.exists(setting)) {
                                    Files.writeString(setting, "1");
                                }
                            } catch (IOException e) {
                                throw new DeviceException(
                                        "cannot switch IPv6 off by " + setting, e);
                            }
                            return null;
                        });
            } catch (DeviceException e) {
                throw new BedException(e.getMessage() + " in namespace '" + netns + "'", e);
            }
        }
    }

    /**
     * A veth or TAP has no hardware that would do offloaded work: a frame without checksum, or
     * longer than the MTU, would go through the switch as it is.
     */
    static void switchOffOffloads(String netns, String interfaceName) throws BedException {
        try {
            LinuxInterface link = LinuxInterface.read(netns, interfaceName);
            for (Offload offload :
                    List.of(
                            Offload.TX_CHECKSUM,
                            Offload.TSO,
                            Offload.GSO,
                            Offload.GRO,
                            Offload.RX_VLAN,
                            Offload.TX_VLAN,
                            Offload.TX_STAG)) {
                if (link.offloads().contains(offload)) {
                    link.set(offload, false);
                }
            }
        } catch (DeviceException e) {
            throw new BedException(e);
        }
    }

    /** Has a veth take what its other end sends as XDP frames: as it does with GRO alone. */
    static void takeXdpFrames(String netns, String interfaceName) throws BedException {
        try {
            LinuxInterface.read(netns, interfaceName).set(Offload.GRO, true);
        } catch (DeviceException e) {
            throw new BedException(e);
        }
    }

    /** Runs many commands of {@code ip} in one process, each of which names its namespaces. */
    void ip(List<String> commands) throws BedException {
        run(IP, commands);
    }

    /** Runs many commands of {@code ip} or {@code tc} in a namespace, in one process. */
    void batch(String program, String netns, List<String> commands) throws BedException {
        run(List.of(program, "-n", netns), commands);
    }

    private void run(List<String> program, List<String> commands) throws BedException {
        if (!commands.isEmpty()) {
            Programs.Result result = batch(programs, program, commands);
            if (!result.ok()) {
                throw new BedException(failure(program, commands, result));
            }
        }
    }

    private static Programs.Result batch(
            Programs programs, List<String> program, List<String> commands) throws BedException {
        String name = program.getFirst() + "-" + program.getLast() + ".batch";
        Path file = programs.scratch().resolve(name);
        String lines = String.join("\n", commands) + "\n";
        BedException.unless("cannot write " + file, () -> Files.writeString(file, lines));
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("-batch", file.toString()));
        return programs.run(null, COMMAND_TIMEOUT_MS, command);
    }

    /** Which of the commands failed, as far as the program says so, and why. */
    static String failure(List<String> program, List<String> commands, Programs.Result result) {
        String what = commands.size() == 1 ? commands.getFirst() : "-batch";
        String why = result.lastLine();
        OptionalInt line = failedLine(result);
        if (line.isPresent()) {
            what = commands.get(line.getAsInt());
            why =
                    new Programs.Result(result.exitCode(), result.output().replace(why, ""))
                            .lastLine();
        }
        return "'" + String.join(" ", program) + " " + what + "': " + why;
    }

    /** The place of the command that ended a batch, from 0; empty: the program does not say. */
    private static OptionalInt failedLine(Programs.Result result) {
        Matcher last = FAILED_LINE.matcher(result.lastLine());
        return last.matches()
                ? OptionalInt.of(Integer.parseInt(last.group(1)) - 1)
                : OptionalInt.empty();
    }

    /**
     * Removes namespaces that are still those on record.
     *
     * @return the names of those that are gone now
     */
    private static List<String> remove(Programs programs, List<Namespace> namespaces)
            throws BedException {
        List<String> ours =
                namespaces.stream().filter(Namespaces::isThere).map(Namespace::name).toList();
        if (!ours.isEmpty()) {
            ours.forEach(HostNames::remove);
            endThoseIn(ours);
            List<String> commands = ours.stream().map(name -> "netns del " + name).toList();
            batch(programs, List.of("ip", "-force"), commands);
        }
        return ours.stream().filter(name -> LabRecords.inodeOf(name).isEmpty()).toList();
    }

    private static boolean isThere(Namespace namespace) {
        long inode = LabRecords.inodeOf(namespace.name()).orElse(LabRecords.NOT_MADE);
        return inode != LabRecords.NOT_MADE
                && (namespace.inode() == LabRecords.NOT_MADE || namespace.inode() == inode);
    }

    /**
     * Ends programs that users started in namespaces; otherwise the namespaces and their links
     * would live on without a name.
     */
    private static void endThoseIn(List<String> names) {
        Set<String> netns = new HashSet<>();
        names.forEach(name -> netns.add("net:[" + LabRecords.inodeOf(name).orElse(-1L) + "]"));
        List<ProcessHandle> inside = inside(netns);
        inside.forEach(ProcessHandle::destroy);
        long endNs = System.nanoTime() + GRACE_NS;
        while (inside.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(GRACE_NS / 100);
        }
        // Shells in a terminal ignore the first one; what was born meanwhile is found now.
        inside(netns).forEach(ProcessHandle::destroyForcibly);
    }

    private static List<ProcessHandle> inside(Set<String> netns) {
        long self = ProcessHandle.current().pid();
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != self && netns.contains(netnsOf(process.pid())))
                .toList();
    }

    /** As the kernel names it, such as net:[4026531840]; empty: ended, or not ours to look at. */
    private static String netnsOf(long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "ns", "net"))
                    .toString();
        } catch (IOException e) {
            return "";
        }
    }

    Programs programs() {
        return programs;
    }

    /** Where this bed's own files may lie, gone with it. */
    Path scratch() throws BedException {
        return records.scratch(id);
    }

    /**
     * Ends the programs and removes the namespaces. Idempotent; any thread.
     *
     * @param links namespaces and interfaces in them to be deleted at once: a namespace that is
     *     deleted takes its links along only later
     */
    void close(List<Link> links) {
        programs.close();
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            try (Programs last = new Programs(scratch())) {
                deleteLinks(last, links);
                remove(last, namespaces.reversed());
            } catch (BedException e) {
                return;
            }
            if (namespaces.stream().allMatch(one -> LabRecords.inodeOf(one.name()).isEmpty())) {
                records.forget(id);
            }
        }
    }

    private static void deleteLinks(Programs last, List<Link> links) throws BedException {
        Map<String, List<String>> byNetns = new LinkedHashMap<>();
        for (Link link : links) {
            byNetns.computeIfAbsent(link.netns, _ -> new ArrayList<>())
                    .add("link del " + link.interfaceName);
        }
        for (Map.Entry<String, List<String>> one : byNetns.entrySet()) {
            // Some may be gone already.
            batch(last, List.of("ip", "-force", "-n", one.getKey()), one.getValue());
        }
    }

    record Link(String netns, String interfaceName) {}
}
