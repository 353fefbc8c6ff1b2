package dev.satchel.server.search;

/**
 * A word of a text in the form in which words are compared.
 *
 * @param start where the word begins in the text
 * @param end where it ends
 * @param isPart whether it is a part of a run of characters that is written without spaces
 */
record SearchToken(String text, int start, int end, boolean isPart) {}
