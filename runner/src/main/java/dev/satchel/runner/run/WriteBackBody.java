package dev.satchel.runner.run;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLConnection;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Files as one multipart body; each is opened when it is sent. */
final class WriteBackBody implements AutoCloseable {
    private static final byte[] LINE_END = {'\r', '\n'};

    private final SafeDirectory workspace;
    private final List<OutputFiles.Output> files;
    private final String boundary = "satchel-" + UUID.randomUUID();

    /** The HTTP client closes files that it has read completely; close() closes the others. */
    private final Queue<OpenFile> opened = new ConcurrentLinkedQueue<>();

    WriteBackBody(SafeDirectory workspace, List<OutputFiles.Output> files) {
        this.workspace = workspace;
        this.files = List.copyOf(files);
    }

    String contentType() {
        return "multipart/form-data; boundary=" + boundary;
    }

    /** Has a known length, so that the server can refuse it before the first byte. */
    BodyPublisher publisher() {
        List<BodyPublisher> pieces = new ArrayList<>();
        for (OutputFiles.Output file : files) {
            pieces.add(BodyPublishers.ofString(head(file)));
            if (file.size() > 0) {
                pieces.add(content(file));
            }
            pieces.add(BodyPublishers.ofByteArray(LINE_END));
        }
        pieces.add(BodyPublishers.ofString("--" + boundary + "--\r\n"));
        return BodyPublishers.concat(pieces.toArray(BodyPublisher[]::new));
    }

    @Override
    public void close() throws IOException {
        for (OpenFile file : opened) {
            file.close();
        }
    }

    private String head(OutputFiles.Output file) {
        String name = file.name();
        String guessed = URLConnection.guessContentTypeFromName(name);
        return """
        --%s\r
        Content-Disposition: form-data; name="file"; filename="%s"\r
        Content-Type: %s\r
        \r
        """
                .formatted(
                        boundary,
                        escape(name),
                        guessed == null ? "application/octet-stream" : guessed);
    }

    /** Escapes as browsers do, so that a name cannot end its header. */
    private static String escape(String name) {
        return name.replace("\"", "%22").replace("\r", "%0D").replace("\n", "%0A");
    }

    private BodyPublisher content(OutputFiles.Output file) {
        return BodyPublishers.fromPublisher(
                BodyPublishers.ofInputStream(() -> open(file)), file.size());
    }

    /** Null tells the HTTP client that there is nothing to read. */
    private @Nullable InputStream open(OutputFiles.Output file) {
        try {
            OpenFile content = workspace.open(file.path());
            opened.add(content);
            return Channels.newInputStream(content.channel());
        } catch (IOException e) {
            return null;
        }
    }
}
