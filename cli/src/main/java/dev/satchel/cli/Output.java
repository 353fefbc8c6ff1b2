package dev.satchel.cli;

import dev.satchel.client.ClientJson;
import java.io.PrintStream;
import java.util.List;

/** What was asked for goes to standard output; everything else goes to standard error. */
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

    /** One thing: its JSON, or what people read instead. */
    void value(Object value, String text) {
        if (isJson) {
            json(value);
        } else {
            out.println(text);
        }
        out.flush();
    }

    /** Many things of a kind: a JSON line each, or a table. */
    <T> void list(List<T> values, Table<T> table) {
        if (isJson) {
            values.forEach(this::json);
        } else {
            table.lines(values).forEach(out::println);
        }
        out.flush();
    }

    /** An event: its JSON as it came, or what people read instead. */
    void event(String json, String text) {
        out.println(isJson ? json : text);
        out.flush();
    }

    void json(Object value) {
        out.println(ClientJson.MAPPER.writeValueAsString(value));
    }

    /** A word beside the matter. */
    void note(String text) {
        err.println(text);
        err.flush();
    }

    /** How far bytes have come, for whoever waits. */
    TransferProgress progress(String what) {
        return Terminals.isTerminal(Terminals.ERRORS)
                ? new ProgressBar(what, err)
                : new PlainProgress(what, err);
    }
}
