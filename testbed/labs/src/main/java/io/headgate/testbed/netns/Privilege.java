package io.headgate.testbed.netns;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rights of this process to change the network. */
public enum Privilege {
    /** Root of the machine. */
    ROOT,
    /** Root of a user namespace (user_namespaces(7)): of the namespaces made within, no more. */
    USER_NAMESPACE,
    /** An ordinary user. */
    NONE;

    /** User ids of the first user namespace: all of them, each itself. */
    private static final String WHOLE_MAP = "0 0 4294967295";

    /** What may forbid ordinary users namespaces of their own, and the values that do. */
    private static final Map<String, String> FORBIDDING = new TreeMap<>();

    static {
        FORBIDDING.put("kernel.apparmor_restrict_unprivileged_userns", "1");
        FORBIDDING.put("kernel.unprivileged_userns_clone", "0");
        FORBIDDING.put("user.max_mnt_namespaces", "0");
        FORBIDDING.put("user.max_net_namespaces", "0");
        FORBIDDING.put("user.max_user_namespaces", "0");
    }

    /** Why an ordinary user has no namespaces, in a sentence without its full stop. */
    public static String whyNone() {
        return whyNone(Path.of("/proc/sys"));
    }

    static String whyNone(Path settings) {
        List<String> set = new ArrayList<>();
        FORBIDDING.forEach((name, value) -> {
            try {
                String is = Files.readString(settings.resolve(name.replace('.', '/'))).strip();
                if (is.equals(value)) {
                    set.add(name + " = " + value);
                }
            } catch (IOException none) {
                // Kernels have one or another of them.
                return;
            }
        });
        return "that needs root, or a user namespace: the headgate launcher makes one where the"
                + " kernel allows it, "
                + (set.isEmpty()
                        ? "and here no sysctl forbids it"
                        : "and here a sysctl forbids it: " + String.join(", ", set));
    }

    /** This process's. */
    public static Privilege of() {
        try {
            Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            if (!Integer.valueOf(0).equals(uid)) {
                return NONE;
            }
            List<String> map = Files.readAllLines(Path.of("/proc/self/uid_map"));
            boolean whole =
                    map.size() == 1
                            && map.getFirst().strip().replaceAll("\\s+", " ").equals(WHOLE_MAP);
            return whole ? ROOT : USER_NAMESPACE;
        } catch (IOException e) {
            return NONE;
        }
    }
}
