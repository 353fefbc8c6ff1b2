package dev.satchel.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.client.model.Event;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunPrinterTest {
    @Test
    void filesThatAreNotSavedYetAreNamedBesideTheAnswer() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Output output = new Output(stream(out), stream(err), false);
        try (RunPrinter printer = new RunPrinter(output)) {
            printer.print(
                    new Event.Result("hi", null, List.of(), List.of(), "pending", null), "{}");
        }

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("hi\n");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("are not saved yet");
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
