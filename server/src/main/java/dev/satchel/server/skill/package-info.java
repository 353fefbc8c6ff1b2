/** Skills: folders with instructions and scripts that agents read in their sandboxes. */
@NullMarked
package dev.satchel.server.skill;

import org.jspecify.annotations.NullMarked;
