package dev.satchel.server.callback;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
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
    private final RunJournals journals;
    private final BagService bags;
    private final BagZipWriter zip;

    public CallbackRoutes(
            CallbackService callbacks,
            DispatchFactory dispatches,
            RunJournals journals,
            BagService bags,
            BagZipWriter zip) {
        this.callbacks = callbacks;
        this.dispatches = dispatches;
        this.journals = journals;
        this.bags = bags;
        this.zip = zip;
    }

    public void addTo(Router router) {
        String base = CallbackUrls.PATH + "{sessionId}";
        router.get(base + "/env", this::environment);
        router.get(base + "/config", this::config);
        router.get(base + "/inbox", this::inbox);
        router.get(base + "/journal", this::journal);
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
        exchange.json(200, journals.withJournal(run, dispatches.config(run)));
    }

    /** Returns when the journal is durable up to a line. */
    private void inbox(Exchange exchange) throws InterruptedException {
        Run run = callbacks.recognise(exchange, TokenPurpose.RUN);
        exchange.json(200, journals.inbox(run, number(exchange, "journal")));
    }

    /** The rest of a journal that is too large for the configuration. */
    private void journal(Exchange exchange) {
        Run run = callbacks.recognise(exchange, TokenPurpose.RUN);
        exchange.json(200, journals.page(run, number(exchange, "after")));
    }

    private static long number(Exchange exchange, String parameter) {
        String given = exchange.query(parameter).orElse("0");
        if (!given.matches("[0-9]{1,18}")) {
            throw Fields.invalid(parameter, "is not a number of a line");
        }
        return Long.parseLong(given);
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
