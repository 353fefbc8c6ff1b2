package dev.satchel.runner.tool;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.protocol.Json;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/** A workspace with all tools. The asset {@code 7} can be staged. */
public final class ToolFixture implements AutoCloseable {
    private final Path root;
    private final SafeDirectory workspace;
    private final Toolset tools = Toolset.standard();

    public ToolFixture(Path root) throws IOException {
        this.root = root;
        this.workspace = SafeDirectory.open(root);
    }

    public ToolContext context() {
        return new ToolContext(workspace, new PlainSandbox(root), new Assets());
    }

    public Toolset tools() {
        return tools;
    }

    ToolFixture file(String path, String content) throws IOException {
        return file(path, content.getBytes(StandardCharsets.UTF_8));
    }

    ToolFixture file(String path, byte[] content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        return this;
    }

    /** Arguments are JSON with single quotes, which read better here. */
    ToolResult call(String tool, String arguments) throws IOException, InterruptedException {
        return tools.call(tool, Json.MAPPER.readTree(arguments.replace('\'', '"')), context());
    }

    /** Pages of one asset: 7, then 8; a search finds nothing else than data. */
    private final class Assets implements AssetClient {
        @Override
        public JsonNode list(String search, String cursor)
                throws IOException, InvalidArgumentException {
            return switch (cursor) {
                case "" ->
                        Json.MAPPER.readTree(
                                "data.csv".contains(search)
                                        ? "{'assets':[{'id':'7','name':'data.csv','size':5,'sha256':'abc'}],'nextCursor':'more'}"
                                                .replace('\'', '"')
                                        : "{\"assets\":[],\"nextCursor\":null}");
                case "more" ->
                        Json.MAPPER.readTree("{\"assets\":[{\"id\":\"8\"}],\"nextCursor\":null}");
                case "down" -> throw new IOException("connection to http://internal refused");
                default -> throw new InvalidArgumentException("cursor is invalid");
            };
        }

        @Override
        public String stage(String id) throws IOException {
            if (id.equals("8")) {
                throw new IOException("connection to http://internal refused");
            }
            if (!id.equals("7")) {
                throw new NoSuchFileException(id);
            }
            workspace.write(new WorkspacePath("staged/7-data.csv"), new byte[5]);
            return "staged/7-data.csv";
        }
    }

    @Override
    public void close() {
        workspace.close();
    }
}
