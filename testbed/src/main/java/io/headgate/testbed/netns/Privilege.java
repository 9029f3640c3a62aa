package io.headgate.testbed.netns;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What this process may do to the network. */
public enum Privilege {
    /** Root of the machine. */
    ROOT,
    /** Root of a user namespace (user_namespaces(7)): of the namespaces made within, no more. */
    USER_NAMESPACE,
    /** Nobody in particular. */
    NONE;

    /** User ids of the first user namespace: all of them, each itself. */
    private static final String WHOLE_MAP = "0 0 4294967295";

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
