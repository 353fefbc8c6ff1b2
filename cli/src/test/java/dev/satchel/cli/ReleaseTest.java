package dev.satchel.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.cli.SatchelProcess.Outcome;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code ./satchel release} with the real sources and tools. Only what other tests build is taken
 * as built: the jars of the programs, their bills of materials and the image.
 */
@Timeout(300)
class ReleaseTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final String CLIENT =
            "maven/dev/satchel/satchel-client/0.1.0/satchel-client-0.1.0";
    private static final String WHEEL = "python/satchel_client-0.1.0-py3-none-any.whl";

    @TempDir private Path folder;
    private Path root;
    private Path release;

    @BeforeEach
    void copy() throws IOException {
        root = Files.createDirectories(folder.resolve("project"));
        release = folder.resolve("dist");
        copyAll(
                List.of(
                        "satchel",
                        "pom.xml",
                        "LICENSE",
                        "NOTICE",
                        "THIRD-PARTY.md",
                        "deploy/jvm-flags",
                        "web/package.json",
                        "web/package-lock.json"));
        for (String script :
                List.of("requirements", "build", "sandbox-root", "test-tools", "release")) {
            copyAll(List.of("scripts/" + script + ".sh"));
        }
        copyAll(List.of("scripts/wheel.py"));
        for (String link : List.of("clients", "client/src", "server/src", "cli/src", "web/src")) {
            Files.createDirectories(root.resolve(link).getParent());
            Files.createSymbolicLink(root.resolve(link), PROJECT.resolve(link));
        }
        for (String module : List.of("server", "cli", "client")) {
            Files.createDirectories(root.resolve(module + "/target/lib"));
            Files.writeString(root.resolve(module + "/target/satchel-" + module + ".jar"), module);
            Files.writeString(
                    root.resolve(module + "/target/satchel-" + module + ".cdx.json"), "{}");
        }
        Files.createSymbolicLink(
                root.resolve("client/target/classes"), PROJECT.resolve("client/target/classes"));
        libraries();
        program("project/deploy/image/build", "echo \"$SATCHEL_VERSION\" >\"$1\"");
        program("bin/mmdebstrap", "exit 1");
        Files.createDirectories(root.resolve("web/public"));
        Files.createFile(root.resolve("web/build"));
        Files.createFile(root.resolve("server/target/built"));
    }

    @Test
    void everythingIsInOneFolderWithItsSums() throws Exception {
        Outcome made =
                satchel("release", release.toString(), "--homepage", "https://satchel.example");
        assertThat(made.code()).as(made.out() + made.err()).isZero();

        assertThat(bash("cd dist && sha256sum --check --quiet SHA256SUMS")).isEmpty();
        assertThat(bash("cut -c 67- dist/SHA256SUMS | grep -v -E '[.](md5|sha1|sha256|sha512)$'"))
                .isEqualTo(
                        """
                        maven/dev/satchel/satchel-client/0.1.0/satchel-client-0.1.0-javadoc.jar
                        maven/dev/satchel/satchel-client/0.1.0/satchel-client-0.1.0-sources.jar
                        maven/dev/satchel/satchel-client/0.1.0/satchel-client-0.1.0.jar
                        maven/dev/satchel/satchel-client/0.1.0/satchel-client-0.1.0.pom
                        npm/satchel-client-0.1.0.tgz
                        python/satchel_client-0.1.0-py3-none-any.whl
                        satchel-0.1.0-image.tar
                        satchel-cli-0.1.0-sources.jar
                        satchel-cli-0.1.0.cdx.json
                        satchel-cli-0.1.0.tar.gz
                        satchel-client-0.1.0.cdx.json
                        satchel-page-0.1.0.cdx.json
                        satchel-server-0.1.0-sources.jar
                        satchel-server-0.1.0.cdx.json
                        satchel-server-0.1.0.tar.gz
                        """);
        theJavaClientIsWhole();
        theWheelIsWhole();
        theNpmPackageInstalls();
        theProgramsHaveTheirLibraries();
        assertThat(release.resolve("satchel-0.1.0-image.tar")).hasContent("0.1.0");
        assertThat(release.resolve("satchel-page-0.1.0.cdx.json"))
                .content()
                .contains("\"bomFormat\": \"CycloneDX\"");
    }

    @Test
    void partsOfDifferentVersionsAreRefused() throws Exception {
        Path pom = root.resolve("pom.xml");
        Files.writeString(pom, Files.readString(pom).replaceFirst("0\\.1\\.0", "0.2.0"));
        Files.setLastModifiedTime(
                root.resolve("server/target/built"), Files.getLastModifiedTime(pom));

        Outcome made = satchel("release", release.toString());

        assertThat(made.code()).isEqualTo(1);
        assertThat(made.err())
                .contains("package.json has another version than 0.2.0, that of pom.xml");
    }

    @Test
    void aFolderWithFilesIsRefused() throws Exception {
        Outcome made = satchel("release", root.toString());

        assertThat(made.code()).isEqualTo(1);
        assertThat(made.err()).contains("is not empty");
    }

    private void theJavaClientIsWhole() throws Exception {
        String client = "dev/satchel/client/SatchelClient";
        assertThat(entry(CLIENT + ".jar", client + ".class")).isNotEmpty();
        assertThat(entry(CLIENT + ".jar", "LICENSE")).isNotEmpty();
        assertThat(entry(CLIENT + "-sources.jar", client + ".java")).isNotEmpty();
        assertThat(
                        new String(
                                entry(CLIENT + "-javadoc.jar", client + ".html"),
                                StandardCharsets.UTF_8))
                .contains("A client of a Satchel server.");
        assertThat(release.resolve(CLIENT + ".pom"))
                .content()
                .contains(
                        "<groupId>dev.satchel</groupId>",
                        "<version>0.1.0</version>",
                        "<url>https://satchel.example</url>",
                        "<artifactId>jackson-databind</artifactId>")
                .doesNotContain("<version></version>");
        assertThat(bash("sha1sum <dist/" + CLIENT + ".jar"))
                .startsWith(Files.readString(release.resolve(CLIENT + ".jar.sha1")).strip());
    }

    private void theWheelIsWhole() throws Exception {
        String info = "satchel_client-0.1.0.dist-info/";
        String record = new String(entry(WHEEL, info + "RECORD"), StandardCharsets.UTF_8);
        assertThat(record).contains("satchel/__init__.py,sha256=", "satchel/py.typed,");
        for (String line : record.lines().toList()) {
            String[] fields = line.split(",", -1);
            if (!fields[1].isEmpty()) {
                byte[] sum = MessageDigest.getInstance("SHA-256").digest(entry(WHEEL, fields[0]));
                assertThat(fields[1])
                        .isEqualTo(
                                "sha256="
                                        + Base64.getUrlEncoder()
                                                .withoutPadding()
                                                .encodeToString(sum));
            }
        }
        assertThat(
                        bash(
                                "PYTHONPATH=dist/"
                                        + WHEEL
                                        + " python3 -c 'import satchel; satchel.Satchel'"))
                .isEmpty();
    }

    private void theNpmPackageInstalls() throws Exception {
        String program =
                "import { Satchel } from \"satchel-client\"; import { filesOf } from"
                        + " \"satchel-client/node\"; console.log(typeof Satchel, typeof filesOf)";
        assertThat(
                        bash(
                                "mkdir user && cd user && npm init --yes >init 2>&1 && npm install"
                                        + " --silent --no-audit --no-fund --offline"
                                        + " ../dist/npm/satchel-client-0.1.0.tgz >&2 && node"
                                        + " --input-type=module -e '"
                                        + program
                                        + "'"))
                .isEqualTo("function function\n");
    }

    private void theProgramsHaveTheirLibraries() throws Exception {
        assertThat(bash("tar -tzf dist/satchel-cli-0.1.0.tar.gz"))
                .contains("satchel-cli-0.1.0/satchel-cli.jar\n", "satchel-cli-0.1.0/LICENSE\n")
                .containsPattern("satchel-cli-0.1.0/lib/jackson-databind-.*jar");
    }

    private byte[] entry(String archive, String name) throws IOException {
        try (ZipFile zip = new ZipFile(release.resolve(archive).toFile())) {
            ZipEntry entry = requireNonNull(zip.getEntry(name), name + " in " + archive);
            try (InputStream content = zip.getInputStream(entry)) {
                return content.readAllBytes();
            }
        }
    }

    /** The libraries of the client; the programs have more. */
    private void libraries() throws IOException {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path jar = Path.of(entry);
            if (entry.endsWith(".jar") && entry.matches(".*/(jackson|jspecify)[^/]*")) {
                Files.copy(jar, root.resolve("cli/target/lib").resolve(jar.getFileName()));
            }
        }
    }

    private void copyAll(List<String> names) throws IOException {
        for (String name : names) {
            Files.createDirectories(root.resolve(name).getParent());
            Files.copy(PROJECT.resolve(name), root.resolve(name));
        }
    }

    private void program(String name, String line) throws IOException {
        Path script = folder.resolve(name);
        Files.createDirectories(script.getParent());
        Files.writeString(script, "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Outcome satchel(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "project/satchel"));
        command.addAll(List.of(arguments));
        return SatchelProcess.finish(process(command).start());
    }

    private String bash(String line) throws IOException, InterruptedException {
        Process process =
                process(List.of("bash", "-eo", "pipefail", "-c", line))
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private ProcessBuilder process(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        Map<String, String> variables = builder.environment();
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        variables.put("PATH", folder.resolve("bin") + ":" + variables.get("PATH"));
        variables.remove("JAVA_TOOL_OPTIONS");
        return builder;
    }
}
