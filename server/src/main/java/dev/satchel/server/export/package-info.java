/** Everything of a person as one archive, and one chat as Markdown or as an archive. */
@NullMarked
package dev.satchel.server.export;

import org.jspecify.annotations.NullMarked;
