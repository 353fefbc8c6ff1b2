package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.cli.SatchelProcess.Outcome;
import dev.satchel.cli.common.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Skills in the terminal. */
@Timeout(180)
class SkillsTest {
    private static SatchelProcess satchel;

    @BeforeAll
    static void start() throws IOException {
        satchel = SatchelProcess.start(Map.of());
    }

    @AfterAll
    static void stop() {
        satchel.close();
    }

    @Test
    void aFolderIsStoredShownAndDeleted() throws Exception {
        Path folder = Files.createDirectories(satchel.home().resolve("weekly/scripts"));
        Files.writeString(folder.resolve("add.py"), "print(1)\n");
        Files.writeString(
                folder.resolveSibling("SKILL.md"),
                "---\nname: weekly\ndescription: Adds up\n---\nRun add.py.\n");

        assertThat(satchel.run("skills", "put", "weekly").out()).isEqualTo("weekly version 1\n");
        Outcome second = satchel.run("skills", "put", "weekly", "--json");
        assertThat(second.out()).contains("\"version\":2");
        assertThat(satchel.run("skills").out())
                .contains("NAME", "weekly", "Adds up", "make-chart", "with Satchel");
        assertThat(satchel.run("skills", "show", "weekly", "--number", "1").out())
                .contains("Run add.py.", "scripts/add.py");

        satchel.file("agent.json", "{\"name\": \"writer\", \"skills\": [\"weekly\"]}");
        assertThat(satchel.run("agents", "create", "agent.json").code()).isZero();
        Outcome used = satchel.run("skills", "rm", "weekly");
        assertThat(used.code()).isEqualTo(ExitCode.CONFLICT);
        assertThat(used.err()).contains("used by the agents writer");
        assertThat(satchel.run("agents", "rm", "writer").code()).isZero();
        assertThat(satchel.run("skills", "rm", "weekly").code()).isZero();
        assertThat(satchel.run("skills", "show", "weekly").code()).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void whatIsNoSkillIsRefusedInWords() throws Exception {
        satchel.file("notes.txt", "hello");
        Outcome text = satchel.run("skills", "put", "notes.txt");
        assertThat(text.code()).isNotZero();
        assertThat(text.err()).contains("not a readable zip, tar or tar.gz");
        assertThat(satchel.run("skills", "put", "nowhere").code()).isNotZero();

        Path folder = Files.createDirectories(satchel.home().resolve("linked"));
        Files.createSymbolicLink(folder.resolve("SKILL.md"), Path.of("/etc/passwd"));
        Outcome link = satchel.run("skills", "put", "linked");
        assertThat(link.code()).isEqualTo(ExitCode.WRONG_USE);
        assertThat(link.err()).contains("only files and folders");
    }
}
