package io.headgate.testbed.scenario.campaign;

/** Threads that share the work of a campaign. */
public final class WorkerPool {
    private WorkerPool() {}

    /**
     * Runs the same work on several threads and waits for all. An interrupt cancels the work; the
     * method still waits for the threads to end.
     *
     * @param name prefix of the threads' names, before their number
     * @param work takes items until none is left
     * @param cancel makes the work end early; called by the waiting thread
     */
    public static void run(String name, int threads, Runnable work, Runnable cancel) {
        Thread[] workers = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = Thread.ofPlatform().daemon().name(name + i).start(work);
        }
        boolean interrupted = false;
        for (Thread worker : workers) {
            while (worker.isAlive()) {
                try {
                    worker.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    cancel.run();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
