package dev.satchel.server.sandbox.kubernetes;

import dev.satchel.server.sandbox.SandboxRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** What stands for a sandbox in the cluster: a pod of our own making, or a claim on a ready one. */
interface SandboxWorkload {
    /** Makes one and returns the secret that its runner wants. */
    String create(String name, Map<String, String> labels, SandboxRequest order) throws IOException;

    /** Whether a pod works in the workspaces that the servers see. */
    boolean shareWorkspaces();

    /** Waits for the address of its pod. */
    String awaitAddress(String name, Duration limit) throws IOException;

    /** One that is gone is fine. */
    void delete(String name);

    /** The labels of all that carry this one, by name. */
    Map<String, Map<String, String>> labelled(String label, String value);
}
