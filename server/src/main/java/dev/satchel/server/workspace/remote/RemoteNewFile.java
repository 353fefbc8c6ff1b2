package dev.satchel.server.workspace.remote;

import static dev.satchel.server.workspace.remote.WorkspaceClient.patient;
import static dev.satchel.server.workspace.remote.WorkspaceClient.with;

import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;

/** A file written here and put in its place on the other machine as a whole. */
record RemoteNewFile(
        WorkspaceClient client, ConversationId id, WorkspacePath path, FileChannel channel)
        implements NewFile {
    @Override
    public void commit() throws IOException {
        client.tell(
                with(
                        patient(client.of(id, "file", path)),
                        "PUT",
                        BodyPublishers.ofInputStream(
                                () -> {
                                    try {
                                        return Channels.newInputStream(channel.position(0));
                                    } catch (IOException e) {
                                        throw new UncheckedIOException(e);
                                    }
                                })),
                path);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
