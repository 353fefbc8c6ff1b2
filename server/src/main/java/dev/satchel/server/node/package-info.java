/** The servers on one database, and how they reach each other. */
@NullMarked
package dev.satchel.server.node;

import org.jspecify.annotations.NullMarked;
