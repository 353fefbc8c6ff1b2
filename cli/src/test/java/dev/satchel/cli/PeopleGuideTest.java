package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.cli.SatchelProcess.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs every command of docs/guides/people.md in its order, as it is written there. */
@Timeout(300)
class PeopleGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guides", "people.md");

    private SatchelProcess satchel;

    @BeforeEach
    void start() throws IOException {
        satchel = SatchelProcess.start(Map.of());
        Path script =
                satchel.file(
                        "satchel",
                        "#!/bin/sh\nexec %s \"$@\" %s\n"
                                .formatted(
                                        quoted(SatchelProcess.java("dev.satchel.cli.Main")),
                                        quoted(List.of(satchel.withServer()))));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void stop() {
        satchel.close();
    }

    @Test
    void everyCommandWorks() throws Exception {
        Outcome ran = bash(String.join("\n", blocks()));

        assertThat(ran.code()).as(ran.out() + ran.err()).isZero();
        assertThat(ran.out())
                .contains("/login?token=") // the invitation
                .contains("ada@example.org")
                .contains("Ada is viewer")
                .contains("chat,read")
                .contains("\"action\":\"person\"", "\"event\":\"removed\"");
    }

    private List<String> blocks() throws IOException {
        String address = satchel.url().getHost() + ":" + satchel.url().getPort();
        return Stream.of(Files.readString(GUIDE).split("(?m)^```sh\n", -1))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .map(block -> block.replace("localhost:8080", address))
                .toList();
    }

    /** A refused request ends the script, unlike in the guide. */
    private Outcome bash(String commands) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(
                                "bash",
                                "-euo",
                                "pipefail",
                                "-c",
                                "curl() { command curl --fail-with-body \"$@\"; }\n" + commands)
                        .directory(satchel.home().toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SATCHEL_"));
        builder.environment()
                .put(
                        "SATCHEL_API_KEY",
                        Files.readString(satchel.data().resolve("api-key")).strip());
        return SatchelProcess.finish(builder.start());
    }

    private static String quoted(List<String> words) {
        return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    }
}
