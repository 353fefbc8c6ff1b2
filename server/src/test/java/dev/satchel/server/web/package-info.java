@NullMarked
package dev.satchel.server.web;

import org.jspecify.annotations.NullMarked;
