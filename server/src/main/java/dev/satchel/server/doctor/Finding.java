package dev.satchel.server.doctor;

/** The result of one check, and what to do if there is a problem. */
public record Finding(String name, Level level, String detail) {
    public enum Level {
        OK,
        /** It works, but with a restriction. */
        WARNING,
        PROBLEM
    }

    public static Finding ok(String name, String detail) {
        return new Finding(name, Level.OK, detail);
    }

    public static Finding warning(String name, String detail) {
        return new Finding(name, Level.WARNING, detail);
    }

    public static Finding problem(String name, String detail) {
        return new Finding(name, Level.PROBLEM, detail);
    }

    public static Finding problem(String name, Exception failure) {
        String message = failure.getMessage();
        return problem(name, message == null ? failure.getClass().getSimpleName() : message);
    }
}
