package dev.omlx.sched;

import java.util.List;

/** Gives rows to sequences that decode: all of them, or as many as one step computes efficiently. */
final class DecodePlanner {
    /** Once in so many steps all rows go together, whatever the cost table says, so that it stays true. */
    private static final int PROBE_EVERY = 256;

    void plan(StepBuilder step, Lane.Round round) {
        Lane lane = step.lane();
        boolean probe = lane.steps() % PROBE_EVERY == PROBE_EVERY - 1;
        int batch = probe ? round.rows() : round.batch();
        List<Sequence> rows =
                lane.readyRows().stream().filter(Sequence::hasRoom).limit(batch).toList();
        rows.forEach(step::addRow);
        if (rows.size() < round.rows()) {
            lane.rotate(rows);
        }
    }
}
