package dev.omlx.cli;

/**
 * One thing that was looked at.
 *
 * @param text what was found, and what to do where it is not {@link Level#OK}
 */
record HealthCheck(Level level, String name, String text) {
    /** How it is. */
    enum Level {
        OK,
        /** It works, but not well. */
        WARN,
        /** The server cannot run like this. */
        FAIL
    }

    static HealthCheck ok(String name, String text) {
        return new HealthCheck(Level.OK, name, text);
    }

    static HealthCheck warn(String name, String text) {
        return new HealthCheck(Level.WARN, name, text);
    }

    static HealthCheck fail(String name, String text) {
        return new HealthCheck(Level.FAIL, name, text);
    }
}
