package dev.satchel.cli.chat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Reads messages from standard input, one per line. */
final class PipedPrompt implements Prompt {
    private final BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    @Override
    public PromptInput read(String prompt) throws IOException {
        String line = lines.readLine();
        return line == null ? new PromptInput.Ended() : new PromptInput.Line(line);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
