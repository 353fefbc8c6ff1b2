package dev.satchel.cli;

import dev.satchel.client.ClientJson;
import java.io.PrintStream;
import java.util.List;

/** Results go to standard output; everything else goes to standard error. */
final class Output {
    private final PrintStream out;
    private final PrintStream err;
    private final boolean isJson;

    Output(PrintStream out, PrintStream err, boolean isJson) {
        this.out = out;
        this.err = err;
        this.isJson = isJson;
    }

    boolean isJson() {
        return isJson;
    }

    PrintStream out() {
        return out;
    }

    PrintStream err() {
        return err;
    }

    /** Prints one object as JSON, or the text. */
    void value(Object value, String text) {
        if (isJson) {
            json(value);
        } else {
            out.println(text);
        }
        out.flush();
    }

    /** Prints objects as one JSON line each, or as a table. */
    <T> void list(List<T> values, Table<T> table) {
        if (isJson) {
            values.forEach(this::json);
        } else {
            table.lines(values).forEach(out::println);
        }
        out.flush();
    }

    /** Prints the received JSON of an event, or the text. */
    void event(String json, String text) {
        out.println(isJson ? json : text);
        out.flush();
    }

    void json(Object value) {
        out.println(ClientJson.MAPPER.writeValueAsString(value));
    }

    /** Prints a message that is not part of the result. */
    void note(String text) {
        err.println(text);
        err.flush();
    }

    /** Shows the progress of a transfer. */
    TransferProgress progress(String what) {
        return Terminals.isTerminal(Terminals.ERRORS)
                ? new ProgressBar(what, err)
                : new PlainProgress(what, err);
    }
}
