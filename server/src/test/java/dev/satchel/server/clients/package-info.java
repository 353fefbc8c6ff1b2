/** The clients in TypeScript and Python, and the guides of their users, against a real server. */
@NullMarked
package dev.satchel.server.clients;

import org.jspecify.annotations.NullMarked;
