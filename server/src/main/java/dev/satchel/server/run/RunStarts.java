package dev.satchel.server.run;

import dev.satchel.http.Exchange;
import dev.satchel.http.Operation;
import dev.satchel.server.access.Caller;
import dev.satchel.server.database.Database;

import java.io.IOException;
import java.util.Optional;

/**
 * Begins the run of a request, or finds the one that an earlier sending of the request has begun:
 * the operation's id is the run's, so no crash in between can make two of one.
 */
public final class RunStarts {
    private final Database database;
    private final RunStore store;

    public RunStarts(Database database, RunStore store) {
        this.database = database;
        this.store = store;
    }

    /** Makes the run of this id. */
    @FunctionalInterface
    public interface Beginning {
        Run begin(RunId id) throws IOException;
    }

    public Run begin(Exchange exchange, Caller caller, Beginning beginning) throws IOException {
        Optional<Operation> operation = exchange.operation();
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
