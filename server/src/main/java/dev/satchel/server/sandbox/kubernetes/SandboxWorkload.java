package dev.satchel.server.sandbox.kubernetes;

import dev.satchel.server.sandbox.SandboxRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** The resource of a sandbox in the cluster: a pod, or a claim on a pod of a warm pool. */
interface SandboxWorkload {
    /** Creates a resource and returns the secret of its runner. */
    String create(String name, Map<String, String> labels, SandboxRequest request)
            throws IOException;

    /** Whether its workspaces are those that the servers see. */
    boolean sharesWorkspaces();

    /** Waits for the pod and returns its address. */
    String awaitAddress(String name, Duration limit) throws IOException;

    /** Deletes the resource, if it exists. */
    void delete(String name);

    /** The labels of all resources with the given label, by name. */
    Map<String, Map<String, String>> findLabelled(String label, String value);
}
