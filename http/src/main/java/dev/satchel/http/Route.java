package dev.satchel.http;

/** One method on one path template, and what answers it. */
public record Route(String method, String template, Handler handler) {}
