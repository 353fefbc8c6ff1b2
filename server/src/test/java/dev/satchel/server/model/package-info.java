@NullMarked
package dev.satchel.server.model;

import org.jspecify.annotations.NullMarked;
