package dev.satchel.runner.sandbox.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.runner.sandbox.OpenSandboxes;
import dev.satchel.runner.sandbox.bubblewrap.BubblewrapSandboxFactory;
import dev.satchel.runner.sandbox.bubblewrap.HostCapabilities;
import dev.satchel.runner.sandbox.unsafe.UnsafeSandboxFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SandboxSetupTest {
    @TempDir Path folder;

    @Test
    void aFolderWithANameThatIsNoneIsPassedOver() {
        Path found = SandboxSetup.findBubblewrap(Map.of("PATH", "/a\0b:/usr/bin:/bin"));

        assertThat(found).hasFileName("bwrap");
    }

    @Test
    void aMachineWithBubblewrapUsesIt() {
        assertThat(OpenSandboxes.BUBBLEWRAP).isInstanceOf(BubblewrapSandboxFactory.class);
    }

    @Test
    void aFullyIsolatedSandboxWarnsOfNothing() throws Exception {
        OpenSandboxes.assumeRoot();

        assertThat(OpenSandboxes.BUBBLEWRAP.warning()).isEmpty();
    }

    @Test
    void withoutBubblewrapItRefusesAndNamesThePackage() {
        assertThatThrownBy(() -> SandboxSetup.detect(Map.of("PATH", folder.toString())))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("apt-get install bubblewrap")
                .hasMessageContaining("SATCHEL_SANDBOX=unsafe");
    }

    @Test
    void aBubblewrapThatDoesNotWorkIsRefusedWithWhatItSays() throws Exception {
        Path broken = folder.resolve("bwrap");
        Files.writeString(broken, "#!/bin/sh\necho 'No permissions to create namespace'; exit 1\n");
        Files.setPosixFilePermissions(broken, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));

        assertThatThrownBy(() -> SandboxSetup.detect(Map.of("PATH", folder.toString())))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("No permissions to create namespace")
                .hasMessageContaining("namespaces")
                .hasMessageContaining("SATCHEL_SANDBOX=unsafe");
    }

    @Test
    void anOperatorMayInsistOnNoSandbox() {
        Map<String, String> unsafe = Map.of("SATCHEL_SANDBOX", "unsafe", "PATH", folder.toString());

        assertThat(SandboxSetup.detect(unsafe)).isInstanceOf(UnsafeSandboxFactory.class);
    }

    @Test
    void aMisspelledChoiceIsRefused() {
        assertThatThrownBy(() -> SandboxSetup.detect(Map.of("SATCHEL_SANDBOX", "non")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("SATCHEL_SANDBOX must be bubblewrap or unsafe, not non");
    }

    @Test
    void whatIsMissingIsSaidOnEveryRun() {
        HostCapabilities plain = new HostCapabilities(folder, 1000, Optional.empty());

        assertThat(plain.limitations())
                .hasValueSatisfying(
                        text -> assertThat(text).contains("no control group", "not root"));
    }
}
