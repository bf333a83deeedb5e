package dev.omlx.sched;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All models' lanes; the one that has used the least time goes first. */
final class Lanes {
    private final Map<String, Lane> byModel = new LinkedHashMap<>();

    Collection<Lane> all() {
        return byModel.values();
    }

    Lane of(Sequence sequence) {
        return of(sequence.model());
    }

    Lane of(String model) {
        return byModel.computeIfAbsent(model, Lane::new);
    }

    /** The lane is about to get work. */
    void wake(Lane lane) {
        if (lane.isIdle()) {
            busy().stream().mapToLong(Lane::usedNanos).min().ifPresent(lane::catchUp);
        }
    }

    /** Lanes with work, the one with the least time used first. */
    List<Lane> inTurn() {
        List<Lane> lanes = new ArrayList<>(busy());
        lanes.sort(Comparator.comparingLong(Lane::usedNanos));
        return lanes;
    }

    private List<Lane> busy() {
        return byModel.values().stream().filter(lane -> !lane.isIdle()).toList();
    }

    /** Time that one token for each row that decodes takes, over all models. */
    long decodeRoundNanos() {
        return byModel.values().stream().mapToLong(lane -> lane.round().nanos()).sum();
    }

    boolean anyDecoding() {
        return byModel.values().stream()
                .anyMatch(lane -> lane.decoding().stream().anyMatch(Sequence::canDecode));
    }

    int withPrefill() {
        return (int) byModel.values().stream().filter(Lane::hasPrefill).count();
    }

    int running() {
        return byModel.values().stream().mapToInt(Lane::running).sum();
    }

    int waiting() {
        return byModel.values().stream().mapToInt(Lane::waitingCount).sum();
    }

    /** The running sequence to give up first. */
    @Nullable
    Sequence leastValuable() {
        Sequence least = null;
        for (Lane lane : all()) {
            for (Sequence sequence : lane.runningSequences()) {
                least = least == null || Sequence.BY_VALUE.compare(sequence, least) < 0 ? sequence : least;
            }
        }
        return least;
    }
}
