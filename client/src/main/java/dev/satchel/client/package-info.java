/**
 * Talks to a Satchel server: chats and their files, agents and their runs, keys. Begin with {@link
 * dev.satchel.client.SatchelClient}; it stands on {@code java.net.http} and Jackson alone.
 */
@NullMarked
package dev.satchel.client;

import org.jspecify.annotations.NullMarked;
