package dev.satchel.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program as the runner starts it, with little memory and little time. */
final class ExtractProcess {
    private ExtractProcess() {}

    static Extraction run(Path folder, String filename, byte[] content, String... options)
            throws IOException, InterruptedException {
        Path file = Files.write(folder.resolve("document"), content);
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx96m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ExtractMain.class.getName(),
                                file.toString(),
                                filename));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        process.getOutputStream().close();
        byte[] printed = process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).isZero();
        return Extraction.parse(printed);
    }
}
