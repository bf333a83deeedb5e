package dev.omlx.text.jinja;

/** Collects a text under the budget's length limit. */
final class TextOutput {
    private final StringBuilder text = new StringBuilder();
    private final Budget budget;

    TextOutput(Budget budget) {
        this.budget = budget;
    }

    TextOutput append(String part) {
        budget.text((long) text.length() + part.length(), part.length());
        text.append(part);
        return this;
    }

    TextOutput append(char part) {
        budget.text(text.length() + 1L, 1);
        text.append(part);
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
