package dev.satchel.bench.workspace;

import dev.satchel.bench.process.ApiClient;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;

/** Another client, which reads its own conversation repeatedly during the measurement. */
final class ConcurrentClient implements AutoCloseable {
    /** The measured work that might delay other clients. */
    interface Work {
        void run() throws Exception;
    }

    private final ApiClient api;
    private final String path;

    ConcurrentClient(URI url) throws IOException, InterruptedException {
        this.api = new ApiClient(url);
        this.path = "/api/assistant/chats/" + api.newChat();
    }

    void warmUp(int requests) throws IOException, InterruptedException {
        for (int i = 0; i < requests; i++) {
            api.get(path);
        }
    }

    /** In milliseconds. */
    double longestWaitDuring(Work work) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        long[] longest = new long[1];
        Exception[] failure = new Exception[1];
        Thread asking =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        while (!done.get()) {
                                            long took = api.timed(api.request(path).build());
                                            longest[0] = Math.max(longest[0], took);
                                        }
                                    } catch (IOException | InterruptedException e) {
                                        failure[0] = e;
                                    }
                                });
        try {
            work.run();
        } finally {
            done.set(true);
            asking.join();
        }
        if (failure[0] != null) {
            throw failure[0];
        }
        return longest[0] / 1e6;
    }

    @Override
    public void close() {
        api.close();
    }
}
