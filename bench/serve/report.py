"""Rows of medians and ratios out of raw rounds, as text, JSON and Markdown."""

import statistics

from servers import MLX_LM, OURS


def rows_of(scenario):
    """
    One row a label: each server's median, and for each peer the median and range of the ratios round by round, above 1
    where we are ahead.
    """
    labels = {}
    for turn in scenario["rounds"]:
        for server, samples in turn.items():
            for sample in samples:
                labels.setdefault(sample["label"], sample)
    return [row_of(scenario, sample) for sample in labels.values()]


def row_of(scenario, kind):
    rounds = [{server: sample["value"] for server, samples in turn.items() for sample in samples
               if sample["label"] == kind["label"]} for turn in scenario["rounds"]]
    servers = [name for name in scenario["servers"] if any(name in turn for turn in rounds)]
    row = {"label": kind["label"], "unit": kind["unit"], "medians": {}, "ratios": {}}
    for server in servers:
        row["medians"][server] = statistics.median(turn[server] for turn in rounds if server in turn)
    ours = scenario["servers"][0]
    for peer in servers:
        pairs = [(turn[ours], turn[peer]) for turn in rounds if ours in turn and peer in turn]
        ratios = [(a / b if kind["better"] == "high" else b / a) for a, b in pairs if a and b]
        if peer != ours and ratios:
            row["ratios"][peer] = [statistics.median(ratios), min(ratios), max(ratios)]
    row["verdict"] = verdict(row, kind, ours)
    return row


def verdict(row, kind, ours):
    """The bound in words with `ok` or `MISSED`; empty if there is none or it cannot be judged."""
    if kind["ratio"] and MLX_LM in row["ratios"]:
        good = row["ratios"][MLX_LM][0] >= kind["ratio"]
        return f"{'ok' if good else 'MISSED'} (≥ {kind['ratio']:g} × {MLX_LM})"
    if kind["limit"] and ours in row["medians"]:
        sign, limit = kind["limit"]
        value = row["medians"][ours]
        good = value <= limit if sign == "<=" else value >= limit
        return f"{'ok' if good else 'MISSED'} ({'≤' if sign == '<=' else '≥'} {limit:g})"
    return ""


def number(value):
    return f"{value:.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.3g}"


def ratio(values):
    median, least, most = values
    return f"{median:.2f} ({least:.2f}–{most:.2f})"


def table(scenario):
    """Header and cells."""
    servers = scenario["servers"]
    header = ["", *servers, "", *(f"against {peer}" for peer in servers[1:]), ""]
    lines = []
    for row in rows_of(scenario):
        lines.append([row["label"],
                      *(number(row["medians"][name]) if name in row["medians"] else "–" for name in servers),
                      row["unit"],
                      *(ratio(row["ratios"][peer]) if peer in row["ratios"] else "–" for peer in servers[1:]),
                      row["verdict"]])
    return header, lines


def text(scenario):
    header, lines = table(scenario)
    widths = [max(len(line[i]) for line in [header, *lines]) for i in range(len(header))]
    count = len(scenario["rounds"])
    out = [f"\n{scenario['name']}: {scenario['title']}; {count} round{'s' if count != 1 else ''}"]
    for line in [header, *lines]:
        cells = [line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        out.append("  ".join(cells).rstrip())
    return "\n".join(out + [f"! {note}" for note in scenario["notes"]])


def machine_line(result):
    machine = result["machine"]
    return (f"{machine['system']} {machine['architecture']}, {machine['processor']}, {machine['cpus']} CPUs, "
            f"{machine['memory_gb']} GB; load {result['load']:.1f} at the start; {result['started']}")


def equality_lines(result):
    return [f"equal greedy answers with {peer}: {each['equal']} of {each['of']}, {each['tokens']} tokens each"
            + (f"; the others share {each['shared']}" if each["shared"] else "")
            for peer, each in result["equality"].items()]


def markdown(results):
    """One page out of one or more runs; of a scenario that several have the last counts."""
    newest = results[-1]
    out = ["# Benchmarks", "", "Written by `bench/serve/run.sh --markdown`; see [bench](../bench/README.md).", "",
           f"- Machine: {machine_line(newest)}"]
    out += [f"- {name}: {version}" for name, version in newest["versions"].items()]
    out += [f"- {line[0].upper()}{line[1:]}" for line in equality_lines(newest)]
    out += [f"- {line}" for line in newest["method"]]
    scenarios = {scenario["name"]: scenario for result in results for scenario in result["scenarios"]}
    for scenario in scenarios.values():
        header, lines = table(scenario)
        out += ["", f"## {scenario['name']}", "", f"{scenario['title']}; rounds: {len(scenario['rounds'])}.", "",
                "| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
        out += ["| " + " | ".join(line) + " |" for line in lines]
        out += [f"\n{note}." for note in scenario["notes"]]
    if any(result["quick"] for result in results):
        out.insert(2, "**Of a quick run: these figures mean nothing.**\n")
    return "\n".join(out) + "\n"
