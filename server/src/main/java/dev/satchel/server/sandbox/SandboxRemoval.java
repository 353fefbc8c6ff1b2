package dev.satchel.server.sandbox;

/**
 * Removes a sandbox to the end, even when whoever closes it is being interrupted: a cancelled run
 * usually is.
 */
public final class SandboxRemoval {
    private SandboxRemoval() {}

    public static void undisturbed(Runnable removal) {
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
