package dev.satchel.server.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.configuration.ConfigurationReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Read by the programs of systemd; no service is started. */
class SystemdUnitTest {
    private static final Path FILE = Path.of("../deploy/satchel.service");

    @TempDir private Path folder;

    @Test
    void systemdTakesTheUnit() throws Exception {
        assertThat(systemdAnalyze("verify", "--man=no")).isEmpty();
    }

    /** From 0 to 10; a service without any restriction has 9.6. */
    @Test
    void theServiceIsRestricted() throws Exception {
        assertThat(systemdAnalyze("security", "--offline=true", "--threshold=40", "--no-pager"))
                .contains("Overall exposure level");
    }

    @Test
    void theServerUnderstandsTheVariablesItIsGiven() throws Exception {
        Map<String, String> variables =
                Files.readAllLines(FILE).stream()
                        .filter(line -> line.startsWith("Environment="))
                        .flatMap(line -> Arrays.stream(line.split("=", 2)[1].split(" ", -1)))
                        .map(pair -> pair.split("=", 2))
                        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));

        assertThat(variables).containsKey("SATCHEL_DATA_DIR");
        assertThat(ConfigurationReader.read(Map.of(), List.of(), variables).unknownVariables())
                .isEmpty();
    }

    private String systemdAnalyze(String command, String... options)
            throws IOException, InterruptedException {
        Path unit = folder.resolve("satchel.service");
        String text = Files.readString(FILE).replace("/srv/satchel/satchel", "/bin/true");
        Files.writeString(unit, text);
        List<String> words = new ArrayList<>(List.of("systemd-analyze", command));
        words.addAll(List.of(options));
        words.add(unit.toString());
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
