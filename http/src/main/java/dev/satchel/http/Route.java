package dev.satchel.http;

/** A method, a path template and the handler of their requests. */
public record Route(String method, String template, Handler handler) {}
