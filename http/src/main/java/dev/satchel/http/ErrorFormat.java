package dev.satchel.http;

/** The JSON body of an error response. A group of routes chooses one for all its paths. */
public enum ErrorFormat {
    /**
     * Problem details of RFC 9457, with {@code error} and {@code statusCode} as further members.
     */
    PROBLEM_DETAILS("application/problem+json"),

    /** {@code {"error", "statusCode"}} and no other member. */
    PLAIN("application/json; charset=utf-8"),

    /** {@code {"error": {"message", "type", "param", "code"}}}, as clients of OpenAI read it. */
    OPENAI("application/json; charset=utf-8");

    private final String contentType;

    ErrorFormat(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }
}
