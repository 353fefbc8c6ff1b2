package dev.satchel.cli.output;

import dev.satchel.client.ClientJson;
import java.io.PrintStream;
import java.util.List;

/** Results go to standard output; everything else goes to standard error. */
public final class Output {
    private final PrintStream out;
    private final PrintStream err;
    private final boolean isJson;

    public Output(PrintStream out, PrintStream err, boolean isJson) {
        this.out = out;
        this.err = err;
        this.isJson = isJson;
    }

    public boolean isJson() {
        return isJson;
    }

    public PrintStream out() {
        return out;
    }

    PrintStream err() {
        return err;
    }

    /** Prints one object as JSON, or the text. */
    public void value(Object value, String text) {
        if (isJson) {
            json(value);
        } else {
            out.println(text);
        }
        out.flush();
    }

    /** Prints objects as one JSON line each, or as a table. */
    public <T> void list(List<T> values, Table<T> table) {
        if (isJson) {
            values.forEach(this::json);
        } else {
            table.lines(values).forEach(out::println);
        }
        out.flush();
    }

    /** Prints the received JSON of an event, or the text. */
    public void event(String json, String text) {
        out.println(isJson ? json : text);
        out.flush();
    }

    public void json(Object value) {
        out.println(ClientJson.MAPPER.writeValueAsString(value));
    }

    /** Prints a message that is not part of the result. */
    public void note(String text) {
        err.println(text);
        err.flush();
    }

    /** Shows the progress of a transfer. */
    public TransferProgress progress(String what) {
        return Terminals.isTerminal(Terminals.ERRORS)
                ? new ProgressBar(what, err)
                : new PlainProgress(what, err);
    }
}
