package dev.satchel.server.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Follows docs/guides/python-script.md. */
@Timeout(300)
class PythonGuideTest {
    private static final String GUIDE = "python-script.md";

    @TempDir private Path folder;

    @Test
    void theScriptUploadsAFolderAsksApprovesAndDownloads() throws Exception {
        try (ClientPrograms programs = ClientPrograms.start()) {
            Files.writeString(
                    folder.resolve("summarise.py"), programs.blocks(GUIDE, "python").getFirst());
            String commands = programs.blocks(GUIDE, "sh").getFirst();

            assertThat(programs.run(folder, Map.of(), "bash", "-euc", commands))
                    .isEqualTo(
                            """
                            2 files are uploaded
                            allowed: sh {'command': 'rm -r build'}
                            Here is the summary.
                            saved: summary.md
                            # Summary
                            """);
        }
    }
}
