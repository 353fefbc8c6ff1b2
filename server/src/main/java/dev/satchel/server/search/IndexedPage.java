package dev.satchel.server.search;

import org.jspecify.annotations.Nullable;

/** A part of the text of a file, with the number of its page, sheet or slide if it has one. */
public record IndexedPage(@Nullable Integer number, String text) {}
