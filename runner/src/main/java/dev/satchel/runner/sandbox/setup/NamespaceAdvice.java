package dev.satchel.runner.sandbox.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What an operator has to change when the kernel or a container refuses namespaces. */
final class NamespaceAdvice {
    private static final String CLONE = "proc/sys/kernel/unprivileged_userns_clone";
    private static final String MAXIMUM = "proc/sys/user/max_user_namespaces";
    private static final String APPARMOR = "proc/sys/kernel/apparmor_restrict_unprivileged_userns";

    private NamespaceAdvice() {}

    /** {@code root} is the root of the file system, or of a copy for a test. */
    static String of(Path root) {
        if (Files.exists(root.resolve(".dockerenv"))) {
            return container("docker", "systempaths=unconfined");
        }
        if (Files.exists(root.resolve("run/.containerenv"))) {
            return container("podman", "unmask=ALL");
        }
        if (value(root, CLONE).equals("0")) {
            return "user namespaces are disabled, run: sysctl -w kernel.unprivileged_userns_clone=1";
        }
        if (value(root, MAXIMUM).equals("0")) {
            return "user namespaces are disabled, run: sysctl -w user.max_user_namespaces=10000";
        }
        if (value(root, APPARMOR).equals("1")) {
            return "AppArmor restricts user namespaces, run:"
                    + " sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
        }
        return "it needs the Debian package bubblewrap, 0.8 or newer, and a kernel or container"
                + " that allows user namespaces";
    }

    private static String container(String engine, String paths) {
        return "this container may not create namespaces, start it as a user other than root with: "
                + engine
                + " run --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
                + " --security-opt "
                + paths;
    }

    private static String value(Path root, String file) {
        try {
            return Files.readString(root.resolve(file)).strip();
        } catch (IOException e) {
            return ""; // this kernel has no such setting
        }
    }
}
