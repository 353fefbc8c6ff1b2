package dev.satchel.cli.chat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads messages from standard input, one per line. */
final class PipedPrompt implements Prompt {
    private final BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    @Override
    public PromptInput read(String prompt) throws IOException {
        String line = lines.readLine();
        return line == null ? new PromptInput.Ended() : new PromptInput.Line(line);
    }

    /** A line of a pipe is a message of its own after the turn before it. */
    @Override
    public Optional<String> poll() {
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
