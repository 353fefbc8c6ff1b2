package dev.satchel.client;

import dev.satchel.client.model.Asset;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.FileText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The files of chats, put in by people or handed back by runs. */
public final class Bags {
    private final HttpCalls calls;
    private final FileTransfers transfers;

    Bags(HttpCalls calls, FileTransfers transfers) {
        this.calls = calls;
        this.transfers = transfers;
    }

    public List<FileInfo> list(String chat) throws IOException, InterruptedException {
        return calls.get(path(chat), FileList.class).files();
    }

    /** Also the versions that others supersede, which can be opened by their ids. */
    public List<FileInfo> versions(String chat) throws IOException, InterruptedException {
        return calls.get(path(chat) + "?versions=true", FileList.class).files();
    }

    /** All of them or none; a name that is taken gets a number. */
    public List<FileInfo> put(String chat, List<Path> files, TransferProgressListener progress)
            throws IOException, InterruptedException {
        return transfers.upload(path(chat), files, progress, FileList.class).files();
    }

    public DownloadStream open(String chat, String file) throws IOException, InterruptedException {
        return transfers.download(path(chat, file));
    }

    /** What is read of its text by now; of one page, sheet or slide if {@code page} is above 0. */
    public FileText text(String chat, String file, int page)
            throws IOException, InterruptedException {
        return calls.get(
                path(chat, file) + "/text" + (page > 0 ? "?page=" + page : ""), FileText.class);
    }

    /** Everything as one zip. */
    public DownloadStream zip(String chat) throws IOException, InterruptedException {
        return transfers.download(Chats.path(chat) + "/files.zip");
    }

    public void delete(String chat, String file) throws IOException, InterruptedException {
        calls.delete(path(chat, file));
    }

    /** Keeps a copy that outlives the chat. */
    public Asset save(String chat, String file) throws IOException, InterruptedException {
        return calls.post(path(chat, file) + "/save", Map.of(), Asset.class);
    }

    private static String path(String chat) {
        return Chats.path(chat) + "/files";
    }

    private static String path(String chat, String file) {
        return path(chat) + "/" + HttpCalls.encoded(file);
    }
}
