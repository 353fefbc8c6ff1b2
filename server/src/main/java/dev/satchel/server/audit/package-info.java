/** The audit log: changes of files, tool calls and tokens. */
@NullMarked
package dev.satchel.server.audit;

import org.jspecify.annotations.NullMarked;
