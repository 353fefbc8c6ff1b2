package dev.satchel.documents.reading;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the text of a picture with {@code tesseract} (OCR). */
public final class TextRecognition {
    private static final int MAX_OUTPUT = 4 * 1024 * 1024;

    private final String program;
    private final String languages;

    private TextRecognition(String program, String languages) {
        this.program = program;
        this.languages = languages;
    }

    /**
     * The program with languages such as {@code eng+deu}.
     *
     * @throws DocumentException if it is not installed
     */
    public static TextRecognition with(String languages) throws DocumentException {
        if (!languages.matches("[A-Za-z0-9_/]+(\\+[A-Za-z0-9_/]+)*")) {
            throw new DocumentException(
                    Failure.Code.UNSUPPORTED, "Languages of OCR are written as eng+deu.");
        }
        String program =
                ChildProgram.find("tesseract")
                        .orElseThrow(
                                () ->
                                        new DocumentException(
                                                Failure.Code.UNSUPPORTED,
                                                "The program tesseract is not installed."));
        return new TextRecognition(program, languages);
    }

    /** The text of a picture in a file; empty if it has none that can be recognized. */
    public String read(Path picture) throws IOException {
        Optional<byte[]> text =
                ChildProgram.run(
                        List.of(program, picture.toString(), "stdout", "-l", languages),
                        MAX_OUTPUT);
        return text.map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .map(String::strip)
                .orElseThrow(
                        () ->
                                new DocumentException(
                                        Failure.Code.UNSUPPORTED,
                                        "OCR failed; perhaps the language "
                                                + languages
                                                + " is not installed."));
    }

    /** The text of a picture in memory, which lies in a temporary file meanwhile. */
    public String read(byte[] png) throws IOException {
        Path file = Files.createTempFile("page", ".png");
        try {
            Files.write(file, png);
            return read(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
