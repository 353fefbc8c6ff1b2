@NullMarked
package dev.satchel.server.audit;

import org.jspecify.annotations.NullMarked;
