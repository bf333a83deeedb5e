/**
 * The command line and the application class: {@code serve} starts the HTTP server, {@code run} chats in the terminal,
 * and the smaller commands look inside a model. The outermost module: no other may use it.
 */
@NullMarked
package dev.omlx.cli;

import org.jspecify.annotations.NullMarked;
