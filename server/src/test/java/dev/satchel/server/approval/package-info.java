@NullMarked
package dev.satchel.server.approval;

import org.jspecify.annotations.NullMarked;
