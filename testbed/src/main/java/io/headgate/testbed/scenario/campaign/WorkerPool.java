package io.headgate.testbed.scenario.campaign;

/** Threads that share the work of a campaign. */
public final class WorkerPool {
    private WorkerPool() {}

    /**
     * Runs the same on several threads and waits for all, even when interrupted: they are told to
     * end then, and do.
     *
     * @param name of the threads, before their number
     * @param work takes what is next until nothing is left
     * @param cancel tells it to end early; called by the waiting thread
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
