package dev.satchel.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A test of one tool in a directory of its own. */
public abstract class FileToolTest {
    @TempDir protected Path root;
    protected SafeDirectory files;

    @BeforeEach
    void openDirectory() throws IOException {
        files = SafeDirectory.open(root);
    }

    @AfterEach
    void closeDirectory() {
        files.close();
    }

    protected abstract ToolResult call(JsonNode arguments) throws Exception;

    /** Arguments are JSON with single quotes. */
    protected ToolResult call(String arguments) throws Exception {
        return call(Json.MAPPER.readTree(arguments.replace('\'', '"')));
    }

    protected String succeeds(String arguments) throws Exception {
        ToolResult result = call(arguments);
        assertThat(result.succeeded()).as(result.text()).isTrue();
        return result.text();
    }

    protected String fails(String arguments) throws Exception {
        ToolResult result = call(arguments);
        assertThat(result.succeeded()).as(result.text()).isFalse();
        return result.text();
    }

    public FileToolTest file(String path, String content) throws IOException {
        return file(path, content.getBytes(StandardCharsets.UTF_8));
    }

    public FileToolTest file(String path, byte[] content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        return this;
    }
}
