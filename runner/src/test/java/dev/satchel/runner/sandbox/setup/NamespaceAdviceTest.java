package dev.satchel.runner.sandbox.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespaceAdviceTest {
    @TempDir private Path root;

    @ParameterizedTest
    @CsvSource({
        ".dockerenv, docker run --security-opt seccomp=unconfined",
        "run/.containerenv, --security-opt unmask=ALL"
    })
    void inAContainerTheOptionsOfItsEngineAreNamed(String marker, String advice) throws Exception {
        write(marker, "");

        assertThat(NamespaceAdvice.of(root)).contains(advice);
    }

    @ParameterizedTest
    @CsvSource({
        "kernel/unprivileged_userns_clone, 0, kernel.unprivileged_userns_clone=1",
        "user/max_user_namespaces, 0, user.max_user_namespaces=10000",
        "kernel/apparmor_restrict_unprivileged_userns, 1,"
                + " kernel.apparmor_restrict_unprivileged_userns=0"
    })
    void aKernelSettingThatForbidsNamespacesIsNamed(String file, String value, String advice)
            throws Exception {
        write("proc/sys/" + file, value + "\n");

        assertThat(NamespaceAdvice.of(root)).endsWith("sysctl -w " + advice);
    }

    @Test
    void otherwiseTheRequirementsAreNamed() {
        assertThat(NamespaceAdvice.of(root)).contains("Debian package bubblewrap");
    }

    private void write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }
}
