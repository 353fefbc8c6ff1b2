package dev.satchel.server.sandbox;

/** Removes a sandbox completely, even when the thread of a cancelled run is interrupted. */
public final class SandboxRemoval {
    private SandboxRemoval() {}

    public static void uninterruptibly(Runnable removal) {
        Thread thread = Thread.ofVirtual().name("sandbox-removal").start(removal);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
