@NullMarked
package dev.satchel.server.run;

import org.jspecify.annotations.NullMarked;
