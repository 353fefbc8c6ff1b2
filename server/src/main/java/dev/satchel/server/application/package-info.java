/** Where everything is made once and put together: flags, variables, start and stop. */
@NullMarked
package dev.satchel.server.application;

import org.jspecify.annotations.NullMarked;
