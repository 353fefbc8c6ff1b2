@NullMarked
package dev.satchel.server.skill;

import org.jspecify.annotations.NullMarked;
