package dev.omlx.api.stream;

/** The text of server-sent events. There is a space after the colon: some clients look for it. */
public final class SseFrames {
    private SseFrames() {}

    /** An event. */
    public static String data(String line) {
        return "data: " + line + "\n\n";
    }

    /** An event with a name, which some clients tell events by. */
    public static String event(String name, String line) {
        return "event: " + name + "\n" + data(line);
    }

    /** A line that clients skip. */
    public static String comment(String line) {
        return ": " + line + "\n\n";
    }
}
