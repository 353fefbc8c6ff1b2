package dev.satchel.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a person gave as an argument, where - stands for standard input. */
final class Given {
    private static final String STANDARD_INPUT = "-";

    private Given() {}

    static String text(String argument) throws IOException {
        return argument.equals(STANDARD_INPUT)
                ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                : argument;
    }

    static byte[] content(Path file) throws IOException {
        return file.toString().equals(STANDARD_INPUT)
                ? System.in.readAllBytes()
                : Files.readAllBytes(file);
    }
}
