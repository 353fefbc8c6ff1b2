/** The Model Context Protocol over Streamable HTTP, with the file tools of one conversation. */
@NullMarked
package dev.satchel.server.mcp;

import org.jspecify.annotations.NullMarked;
