package io.headgate.testbed.architecture;

import java.lang.foreign.Linker;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.logging.Logger;

/** Breaks every rule of {@link EngineArchitecture}: what the rules themselves are tested with. */
@SuppressWarnings({"unused", "MutablePublicArray"})
final class Offences {
    static int calls;

    public static final int[] TABLE = {1, 2};

    private Offences() {}

    static String all() throws Exception {
        Map<String, Long> map = new HashMap<>(Map.of("a", System.nanoTime()));
        map.put("r", new Random(1).nextLong() + Double.hashCode(Math.random() + Math.pow(2, 3)));
        Logger.getLogger("x").info("logged");
        System.out.println(Linker.nativeLinker());
        Thread.onSpinWait();
        try (Socket socket = new Socket()) {
            return socket + " " + map;
        }
    }
}
