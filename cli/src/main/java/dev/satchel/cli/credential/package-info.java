/** The command {@code credentials}, and logins at other services. */
@NullMarked
package dev.satchel.cli.credential;

import org.jspecify.annotations.NullMarked;
