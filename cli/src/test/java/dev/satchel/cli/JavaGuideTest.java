package dev.satchel.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.client.SatchelClient;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the program of docs/guides/java-program.md with the JDK of Debian, which is older. */
@Timeout(300)
class JavaGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guides", "java-program.md");
    private static final int CLASS_FILE_OF_JAVA_17 = 61;

    private FakeModelServer models;
    private SatchelProcess satchel;

    @BeforeEach
    void start() throws IOException {
        models = new FakeModelServer();
        satchel =
                SatchelProcess.start(
                        Map.of(
                                "OPENAI_BASE_URL",
                                "http://127.0.0.1:" + models.port() + "/v1",
                                "SATCHEL_PRIVATE_HOSTS",
                                "127.0.0.1",
                                "SATCHEL_MODEL",
                                "qwen3"));
    }

    @AfterEach
    void stop() {
        satchel.close();
        models.close();
    }

    @Test
    void theProgramUploadsAllowsACallAndDownloads() throws Exception {
        models.callWhenOffered(
                "sh", Map.of("command", "mkdir -p assets; sort fruit.txt >assets/sorted.txt"));
        satchel.file(
                "Work.java",
                block("java").replace("http://localhost:8080", satchel.url().toString()));
        ProcessBuilder builder =
                new ProcessBuilder("bash", "-euc", block("sh"))
                        .directory(satchel.home().toFile())
                        .redirectErrorStream(true);
        Map<String, String> variables = builder.environment();
        variables.put("PATH", olderJdk().resolve("bin") + ":" + variables.get("PATH"));
        variables.put("CLASSPATH", classPath());
        variables.put("SATCHEL_KEY", Files.readString(satchel.data().resolve("api-key")).strip());
        variables.remove("JAVA_TOOL_OPTIONS");

        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output)
                .contains("allowed: sh {\"command\":\"mkdir", "I am qwen3.")
                .endsWith("saved: sorted.txt\napple\npear\n");
    }

    @Test
    void theClientIsCompiledForJava17() throws Exception {
        InputStream file =
                requireNonNull(SatchelClient.class.getResourceAsStream("SatchelClient.class"));
        try (DataInputStream head = new DataInputStream(file)) {
            head.skipNBytes(6); // the magic number, and the minor version
            assertThat(head.readUnsignedShort()).isEqualTo(CLASS_FILE_OF_JAVA_17);
        }
    }

    private static String block(String language) throws IOException {
        String rest = Files.readString(GUIDE).split("(?m)^```" + language + "\n", -1)[1];
        return rest.substring(0, rest.indexOf("```"));
    }

    /** The client and what it needs, and nothing of the server. */
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(
                        entry ->
                                entry.contains("jackson")
                                        || entry.contains("jspecify")
                                        || entry.contains("/client/target/")
                                        || entry.contains("satchel-client"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Java 17 on Debian 12, which scripts/requirements.sh installs. */
    private static Path olderJdk() throws IOException {
        try (Stream<Path> machines = Files.list(Path.of("/usr/lib/jvm"))) {
            List<Path> usable =
                    machines.filter(jdk -> Files.exists(jdk.resolve("bin/javac")))
                            .filter(jdk -> version(jdk) >= 17 && version(jdk) < 25)
                            .sorted(Comparator.comparingInt(JavaGuideTest::version))
                            .toList();
            assertThat(usable).as("JDKs from 17 to 24 in /usr/lib/jvm").isNotEmpty();
            return usable.getFirst();
        }
    }

    private static int version(Path jdk) {
        Properties release = new Properties();
        try (InputStream file = Files.newInputStream(jdk.resolve("release"))) {
            release.load(file);
        } catch (IOException e) {
            return 0; // not a JDK
        }
        String version = release.getProperty("JAVA_VERSION", "0").replace("\"", "");
        return Integer.parseInt(version.split("[.+-]", 2)[0]);
    }
}
