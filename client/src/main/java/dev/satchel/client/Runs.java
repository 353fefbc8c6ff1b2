package dev.satchel.client;

import dev.satchel.client.model.Asset;
import dev.satchel.client.model.FileInfo;
import dev.satchel.client.model.Run;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Executions, live or long over. */
public final class Runs {
    private final HttpCalls calls;
    private final FileTransfers transfers;

    Runs(HttpCalls calls, FileTransfers transfers) {
        this.calls = calls;
        this.transfers = transfers;
    }

    public Run read(String run) throws IOException, InterruptedException {
        return calls.get(path(run), Run.class);
    }

    /** From the beginning. */
    public RunEvents events(String run) throws IOException, InterruptedException {
        return events(new EventPosition(run, 0));
    }

    /** What came after a position; nothing when that was the end. */
    public RunEvents events(EventPosition after) throws IOException, InterruptedException {
        return RunEvents.open(position -> open(position == null ? after : position), after);
    }

    /** Every stored line, logs included, as far as the run has come. */
    public Trace trace(String run) throws IOException, InterruptedException {
        return new Trace(calls.send(calls.request(path(run) + "/trace").build()));
    }

    /** Stops it; it has settled when this returns. False when it was over before. */
    public boolean cancel(String run) throws IOException, InterruptedException {
        return calls.post(path(run) + "/cancel", Map.of(), CancelResponse.class).cancelled();
    }

    /** Deletes a run without a chat for good, with its files and its workspace. */
    public void delete(String run) throws IOException, InterruptedException {
        calls.delete(path(run));
    }

    /** What it handed in, and what a run without a chat was given, with the source {@code user}. */
    public List<FileInfo> files(String run) throws IOException, InterruptedException {
        return calls.get(path(run) + "/files", FileList.class).files();
    }

    public DownloadStream open(String run, String file) throws IOException, InterruptedException {
        return transfers.download(path(run) + "/files/" + HttpCalls.encoded(file));
    }

    /** Keeps a copy as an asset. */
    public Asset save(String run, String file) throws IOException, InterruptedException {
        String saved = path(run) + "/files/" + HttpCalls.encoded(file) + "/save";
        return calls.post(saved, Map.of(), Asset.class);
    }

    /** The run that a request begins or finds. */
    RunEvents follow(HttpRequest first) throws IOException, InterruptedException {
        return RunEvents.open(after -> after == null ? calls.send(first) : open(after), null);
    }

    /** The same, with the response that the request has had already. */
    RunEvents follow(HttpRequest first, HttpResponse<InputStream> response)
            throws IOException, InterruptedException {
        AtomicReference<@Nullable HttpResponse<InputStream>> opened =
                new AtomicReference<>(response);
        return RunEvents.open(
                after -> {
                    HttpResponse<InputStream> unread = opened.getAndSet(null);
                    if (unread != null) {
                        return unread;
                    }
                    return after == null ? calls.send(first) : open(after);
                },
                null);
    }

    private HttpResponse<InputStream> open(EventPosition after)
            throws IOException, InterruptedException {
        HttpRequest request =
                calls.request(path(after.runId()) + "/events")
                        .header("Accept", "text/event-stream")
                        .header("Last-Event-ID", after.toString())
                        .build();
        return calls.send(request);
    }

    private static String path(String run) {
        return "/api/runs/" + HttpCalls.encoded(run);
    }
}
