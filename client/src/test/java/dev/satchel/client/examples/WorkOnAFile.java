package dev.satchel.client.examples;

import dev.satchel.client.DownloadStream;
import dev.satchel.client.RunEvents;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.TransferProgressListener;
import dev.satchel.client.model.Event;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.TurnRequest;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Puts a file into a new chat, asks for work on it, and saves what comes back beside it. */
public final class WorkOnAFile {
    private WorkOnAFile() {}

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[2]);
        try (SatchelClient client = SatchelClient.of(URI.create(arguments[0]), arguments[1])) {
            String chat = client.chats().create("Work on " + file.getFileName()).id();
            FileInfo sent =
                    client.bags()
                            .put(chat, List.of(file), TransferProgressListener.NONE)
                            .getFirst();
            TurnRequest turn = TurnRequest.of(arguments[3]).in(chat).with(List.of(sent.id()));
            try (RunEvents events = client.chats().send(turn)) {
                for (FileInfo made : filesOf(events)) {
                    try (DownloadStream content = client.bags().open(chat, made.id())) {
                        content.saveTo(
                                file.resolveSibling(made.name()), TransferProgressListener.NONE);
                    }
                    System.out.println("made " + made.name());
                }
            }
        }
    }

    private static List<FileInfo> filesOf(RunEvents events) throws Exception {
        List<FileInfo> files = List.of();
        for (Optional<Event> event = events.next(); event.isPresent(); event = events.next()) {
            if (event.get() instanceof Event.Result result) {
                files = result.files();
            }
        }
        return files;
    }
}
