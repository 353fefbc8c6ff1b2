package dev.satchel.server.doctor;

/** One thing that was looked at, how it is, and what to do if it is not well. */
public record Finding(String name, Level level, String detail) {
    public enum Level {
        OK,
        /** It works, but less well than it could. */
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
