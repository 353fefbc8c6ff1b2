package dev.satchel.bench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A program that ours is compared with; each is a Debian package. */
public enum ReferenceProgram {
    NGINX("nginx"),
    NODE("node"),
    PDFTOTEXT("pdftotext"),
    RIPGREP("rg"),
    TAR("tar"),
    GZIP("gzip"),
    WRK("wrk");

    /** Debian installs servers into sbin, which is not on every path. */
    private static final String FOR_ROOT = "/usr/sbin";

    private final String command;

    ReferenceProgram(String command) {
        this.command = command;
    }

    public String command() {
        return command;
    }

    public Optional<Path> find() {
        List<String> folders = List.of(System.getenv("PATH").split(File.pathSeparator));
        return Stream.concat(folders.stream(), Stream.of(FOR_ROOT))
                .map(folder -> Path.of(folder, command))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
