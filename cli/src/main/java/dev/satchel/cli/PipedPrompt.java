package dev.satchel.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Each line that comes is a message. */
final class PipedPrompt implements Prompt {
    private final BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    @Override
    public Input read(String prompt) throws IOException {
        String line = lines.readLine();
        return line == null ? new Input.Ended() : new Input.Line(line);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
