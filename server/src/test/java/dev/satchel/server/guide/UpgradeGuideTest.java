package dev.satchel.server.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.guide.GuideShell.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every command of docs/guides/upgrade.md, from the version before to this one and back. The
 * version before is the build that {@code -Dsatchel.previous} names by its class path, else this
 * one.
 */
@Timeout(300)
class UpgradeGuideTest {
    private static final String CURRENT = System.getProperty("java.class.path");
    private static final String PREVIOUS = System.getProperty("satchel.previous", CURRENT);

    @TempDir private Path folder;

    @Test
    void everyCommandWorksAndNothingIsLost() throws Exception {
        List<String> blocks = GuideShell.blocks("upgrade.md");
        assertThat(blocks).hasSize(4);
        GuideShell shell = new GuideShell(cloneOfTheVersionBefore());
        String chat;
        try (Server before = shell.serve("./satchel serve --data data")) {
            chat = Json.MAPPER.readTree(before.newChat()).get("id").stringValue();
            assertThat(shell.run(blocks.get(0))).contains("Done: ");
        }
        String later;
        try (Server next = shell.serve(blocks.get(1))) {
            assertThat(Files.readString(folder.resolve("clone/version"))).isEqualTo("next");
            assertThat(next.chats()).contains(chat);
            later = Json.MAPPER.readTree(next.newChat()).get("id").stringValue();
        }
        try (Server back = shell.serve(blocks.get(2))) {
            assertThat(Files.readString(folder.resolve("clone/version"))).isEqualTo("before");
            assertThat(back.chats()).contains(chat, later);
        }
        try (Server restored = shell.serve(blocks.get(3))) {
            assertThat(restored.chats()).contains(chat).doesNotContain(later);
        }
    }

    /** A clone that is one version behind its origin, which has tagged it. */
    private Path cloneOfTheVersionBefore() throws Exception {
        Path origin = Files.createDirectory(folder.resolve("origin"));
        GuideShell shell = new GuideShell(origin);
        shell.run("git init -q -b main");
        release(shell, origin, "before", PREVIOUS);
        shell.run("git tag v0.1.0");
        new GuideShell(folder).run("git clone -q origin clone");
        release(shell, origin, "next", CURRENT);
        return folder.resolve("clone");
    }

    private static void release(GuideShell shell, Path origin, String version, String classPath)
            throws Exception {
        shell.writeLauncher(classPath);
        Files.writeString(origin.resolve("version"), version);
        shell.run(
                "git add . && git -c user.name=test -c user.email=test@example.org commit -q -m "
                        + version);
    }
}
