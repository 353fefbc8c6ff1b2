package dev.satchel.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the value of an argument; {@code -} means standard input. */
final class ArgumentReader {
    private static final String STANDARD_INPUT = "-";

    private ArgumentReader() {}

    static String readText(String argument) throws IOException {
        return argument.equals(STANDARD_INPUT)
                ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                : argument;
    }

    static byte[] readBytes(Path file) throws IOException {
        return file.toString().equals(STANDARD_INPUT)
                ? System.in.readAllBytes()
                : Files.readAllBytes(file);
    }
}
