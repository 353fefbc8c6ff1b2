package dev.satchel.server.callback;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.protocol.RunEnvironment;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagService;
import dev.satchel.server.bag.BagZipWriter;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.TokenPurpose;
import java.io.IOException;
import java.io.OutputStream;

/** The requests of a sandbox for its run, each with a one-time token of its own. */
public final class CallbackRoutes {
    private final CallbackService callbacks;
    private final DispatchFactory dispatches;
    private final BagService bags;
    private final BagZipWriter zip;

    public CallbackRoutes(
            CallbackService callbacks,
            DispatchFactory dispatches,
            BagService bags,
            BagZipWriter zip) {
        this.callbacks = callbacks;
        this.dispatches = dispatches;
        this.bags = bags;
        this.zip = zip;
    }

    public void addTo(Router router) {
        String base = CallbackUrls.PATH + "{sessionId}";
        router.get(base + "/env", this::environment);
        router.get(base + "/config", this::config);
        router.get(base + "/assets.zip", this::assets);
        router.post(base + "/results", this::results);
        router.post(base + "/assets/writeback", this::results);
    }

    private void environment(Exchange exchange) {
        Run run = callbacks.redeem(exchange, TokenPurpose.SETUP);
        exchange.json(200, new RunEnvironment(run.setup().variables(), run.setup().script()));
    }

    private void config(Exchange exchange) {
        Run run = callbacks.redeem(exchange, TokenPurpose.RUN);
        exchange.json(200, dispatches.config(run));
    }

    private void assets(Exchange exchange) throws IOException {
        Run run = callbacks.bySignature(exchange);
        exchange.header("Cache-Control", "no-store");
        OutputStream body = exchange.stream(200, "application/zip");
        if (exchange.isHead()) {
            body.close();
            return;
        }
        // the runner finds each file under the name that its configuration has
        zip.write(bags.ofDispatch(run), BagFile::name, body);
    }

    private void results(Exchange exchange) throws IOException {
        exchange.json(200, callbacks.writeBack(exchange));
    }
}
