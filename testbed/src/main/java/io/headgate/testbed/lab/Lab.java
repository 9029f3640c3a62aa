package io.headgate.testbed.lab;

import io.headgate.control.report.RunReport;
import io.headgate.testbed.netns.BedException;

/**
 * A ready-made demonstration. {@link #run} once, on one thread; {@link #close} from any, at any
 * moment, takes everything down.
 */
public interface Lab extends AutoCloseable {
    /**
     * Runs it; what was not as it should be is in {@link RunReport#problems}.
     *
     * @throws BedException if it could not be run, in one sentence
     */
    RunReport run() throws BedException;

    /** Ends whatever runs and removes whatever was made. Idempotent. */
    @Override
    void close();

    /** Whether somebody closed it. */
    boolean isClosed();
}
