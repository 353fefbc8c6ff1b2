/** Files that are uploaded before they belong to a conversation. */
@NullMarked
package dev.satchel.server.upload;

import org.jspecify.annotations.NullMarked;
