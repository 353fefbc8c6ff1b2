@NullMarked
package dev.satchel.server.docs;

import org.jspecify.annotations.NullMarked;
