package dev.satchel.documents.pdf;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.reading.ChildProgram;
import dev.satchel.documents.reading.PartRange;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The programs of poppler, which read a PDF many times faster than a library in Java. */
final class Poppler {
    private static final int MAX_INFORMATION = 64 * 1024;
    private static final int MAX_PICTURE = 48 * 1024 * 1024;
    private static final int MAX_PAGE_CHARS = 8 * 1024 * 1024;

    private Poppler() {}

    /** What the file says about itself. */
    record Information(int pages, @Nullable String title) {}

    /** Takes the text of one page. */
    interface PageSink {
        /** Returns whether more pages are wanted. */
        boolean page(int number, String text) throws IOException;
    }

    /** Empty if the programs are not installed, or if they cannot read the file. */
    static Optional<Information> information(Path file) throws IOException {
        Optional<String> program = ChildProgram.find("pdfinfo");
        if (program.isEmpty() || ChildProgram.find("pdftotext").isEmpty()) {
            return Optional.empty();
        }
        Optional<String> output =
                ChildProgram.text(
                        List.of(program.get(), "-enc", "UTF-8", file.toString()), MAX_INFORMATION);
        return output.flatMap(Poppler::parse);
    }

    /** Gives the text of the pages in order; gives false if the program failed. */
    static boolean text(Path file, PartRange pages, PageSink sink) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                ChildProgram.find("pdftotext").orElse("pdftotext"),
                                "-enc",
                                "UTF-8",
                                "-layout",
                                "-eol",
                                "unix",
                                "-f",
                                String.valueOf(pages.first())));
        if (pages.last() != Integer.MAX_VALUE) {
            command.addAll(List.of("-l", String.valueOf(pages.last())));
        }
        command.addAll(List.of(file.toString(), "-"));
        try (ChildProgram program = ChildProgram.start(command);
                BufferedReader reader =
                        new BufferedReader(
                                new InputStreamReader(program.output(), StandardCharsets.UTF_8),
                                64 * 1024)) {
            return pages(reader, pages.first(), sink) || program.hasSucceeded();
        }
    }

    /** One page as PNG; empty if it cannot be rendered here. */
    static Optional<byte[]> render(Path file, int page, int maxPixels) throws IOException {
        Optional<String> program = ChildProgram.find("pdftoppm");
        if (program.isEmpty()) {
            return Optional.empty();
        }
        String number = String.valueOf(page);
        return ChildProgram.run(
                        List.of(
                                program.get(),
                                "-png",
                                "-singlefile",
                                "-scale-to",
                                String.valueOf(maxPixels),
                                "-f",
                                number,
                                "-l",
                                number,
                                file.toString()),
                        MAX_PICTURE)
                .filter(picture -> picture.length > 0);
    }

    /** Reads pages that end with a form feed. Returns true if the sink wanted no more. */
    private static boolean pages(BufferedReader reader, int first, PageSink sink)
            throws IOException {
        StringBuilder page = new StringBuilder();
        char[] buffer = new char[32 * 1024];
        int number = first;
        int count = reader.read(buffer);
        while (count >= 0) {
            int start = 0;
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '\f') {
                    page.append(buffer, start, i - start);
                    start = i + 1;
                    if (!sink.page(number++, page.toString())) {
                        return true;
                    }
                    page.setLength(0);
                }
            }
            if (page.length() > MAX_PAGE_CHARS) {
                throw new DocumentException(
                        Failure.Code.TOO_LARGE,
                        "Page %d has more than %d characters, which is the limit."
                                .formatted(number, MAX_PAGE_CHARS));
            }
            page.append(buffer, start, count - start);
            count = reader.read(buffer);
        }
        return false;
    }

    private static Optional<Information> parse(String output) {
        int pages = 0;
        String title = null;
        for (String line : output.split("\n", -1)) {
            int colon = line.indexOf(':');
            String value = colon < 0 ? "" : line.substring(colon + 1).strip();
            if (line.startsWith("Pages:") && value.matches("\\d{1,9}")) {
                pages = Integer.parseInt(value);
            } else if (line.startsWith("Title:") && !value.isEmpty()) {
                title = value;
            }
        }
        return pages == 0 ? Optional.empty() : Optional.of(new Information(pages, title));
    }
}
