package dev.satchel.server.runlog;

import dev.satchel.http.Exchange;
import dev.satchel.http.IdempotentOperation;
import dev.satchel.server.access.Caller;
import dev.satchel.server.database.Database;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunId;
import dev.satchel.server.run.RunStore;
import java.io.IOException;
import java.util.Optional;

/**
 * Begins the run of a request, or finds the one that an earlier sending of the request has begun:
 * the operation's id is the run's, so no crash in between can make two of one.
 */
public final class RunRequests {
    private final Database database;
    private final RunStore store;

    public RunRequests(Database database, RunStore store) {
        this.database = database;
        this.store = store;
    }

    /** Makes the run of this id. */
    @FunctionalInterface
    public interface Beginning {
        Run begin(RunId id) throws IOException;
    }

    public Run begin(Exchange exchange, Caller caller, Beginning beginning) throws IOException {
        Optional<IdempotentOperation> operation = exchange.operation();
        if (operation.isEmpty()) {
            return beginning.begin(RunId.random());
        }
        RunId id = new RunId(operation.get().id());
        boolean begun = database.read(tx -> store.find(tx, id)).isPresent();
        Run run = begun ? readable(caller, id) : beginning.begin(id);
        operation.get().begun().run();
        return run;
    }

    private Run readable(Caller caller, RunId id) {
        return database.read(tx -> store.findReadable(tx, caller.tenant(), id))
                .orElseThrow(RunRoutes::noSuchRun);
    }
}
