package dev.satchel.server.configuration;

import java.util.List;

/** Every problem of the flags and variables, so that an operator can correct all at once. */
public final class ConfigurationException extends Exception {
    private final transient List<String> problems;

    public ConfigurationException(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
