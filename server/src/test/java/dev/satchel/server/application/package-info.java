@NullMarked
package dev.satchel.server.application;

import org.jspecify.annotations.NullMarked;
