package dev.satchel.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A Markdown page in which the part between two marks is generated. */
public record MarkdownPage(Path file) {
    static final String BEGIN = "<!-- ./satchel bench --document writes from here -->\n";
    static final String END = "<!-- to here -->\n";

    public void show(Report report) throws IOException {
        String page = Files.readString(file);
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(file + " has no place for a table");
        }
        String before = page.substring(0, begin + BEGIN.length());
        Files.writeString(file, before + "\n" + report.text() + "\n" + page.substring(end));
    }
}
