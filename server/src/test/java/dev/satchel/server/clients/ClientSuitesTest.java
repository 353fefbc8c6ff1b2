package dev.satchel.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tests of the clients in other languages, each in its own language. */
@Timeout(300)
class ClientSuitesTest {
    private ClientPrograms programs;

    @BeforeEach
    void start() throws Exception {
        programs = ClientPrograms.start();
    }

    @AfterEach
    void stop() {
        programs.close();
    }

    @Test
    void theClientForPython() throws Exception {
        String output =
                programs.run(
                        ClientPrograms.PYTHON,
                        Map.of(),
                        "python3",
                        "-W",
                        "error::ResourceWarning",
                        "-m",
                        "unittest",
                        "discover",
                        "--start-directory",
                        "tests");
        assertThat(output).contains("\nOK\n").doesNotContain("ResourceWarning");
    }

    @Test
    void theClientForTypeScript() throws Exception {
        String output = programs.run(ClientPrograms.typescript(), Map.of(), "node", "--test");
        assertThat(output).contains("# fail 0\n", "# skipped 0\n").doesNotContain("# pass 0\n");
    }
}
