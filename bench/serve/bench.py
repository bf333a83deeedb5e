"""Runs the scenarios against the servers in turn, round by round; see run.sh."""

import argparse
import asyncio
import contextlib
import dataclasses
import datetime
import json
import os
import pathlib
import platform
import re
import resource
import signal
import subprocess
import sys
import time

import report
from measure import Failed, Settings, check
from prompts import QUESTIONS, Prompts
from scenarios import ALL, SCENARIOS
from servers import RESULTS, Server, StartFailure, versions

METHOD = [
    "Every server has the same weights in float32, the same MLX release and the same BLAS, and its default settings "
    "but for what a scenario's title names. One runs at a time; the others are stopped (SIGSTOP) meanwhile.",
    "Each round gives every server the same prompts in turn. Figures are medians over the rounds; ratios are taken "
    "round by round, median (least–most), above 1 where ours is ahead.",
    "Tokens are those of `usage`. End-of-text tokens do not end an answer. No two prompts begin alike, so no prefix "
    "cache helps.",
]


def arguments():
    parser = argparse.ArgumentParser(prog="bench/serve/run.sh")
    names = ",".join(scenario.name for scenario in SCENARIOS)
    parser.add_argument("--only", help=f"scenarios, of {names}; all by default")
    parser.add_argument("--servers", default=",".join(ALL), help="which to start; the first is compared with the rest")
    parser.add_argument("--url", action="append", metavar="NAME=URL[,MODEL]",
                        help="a server that runs already; repeat it for several. None is started then")
    parser.add_argument("--quick", action="store_true", help="one small round each: shows that all works")
    parser.add_argument("--rounds", type=int, help="instead of each scenario's own number")
    parser.add_argument("--tokens", type=int, help="of each answer in decode; 64 by default")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables there too")
    parser.add_argument("--render", nargs="+", metavar="JSON", help="run nothing, show earlier results")
    options = parser.parse_args()
    for chosen, known in ((options.only or "", names.split(",")), (options.servers, ALL)):
        unknown = set(filter(None, chosen.split(","))) - set(known)
        if unknown:
            parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    return options


def processor():
    for command in (["sysctl", "-n", "machdep.cpu.brand_string"], ["lscpu"]):
        with contextlib.suppress(OSError):
            out = subprocess.run(command, capture_output=True, text=True).stdout
            match = re.search(r"Model name:\s*(.+)", out) if command[0] == "lscpu" else re.search(r"(.+)", out)
            if match:
                return match[1].strip()
    return platform.processor() or "unknown processor"


def machine():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"system": platform.system(), "architecture": platform.machine(), "processor": processor(),
            "cpus": os.cpu_count(), "memory_gb": round(memory / 2**30)}


class Stage:
    """The servers of one batch size; at most one of them is awake."""

    def __init__(self):
        self.servers = {}

    async def start(self, names, batch, notes):
        for name in names:
            try:
                self.servers[name] = server = await Server.launch(name, batch)
                await warm_up(server)
                server.suspend()
            except (StartFailure, Failed, OSError) as failure:
                notes.append(f"{name} is left out: {failure}")
                print(f"{name} is left out: {failure}", flush=True)
                with contextlib.suppress(KeyError):
                    await self.servers.pop(name).stop()

    @contextlib.asynccontextmanager
    async def turn(self, name):
        server = self.servers[name]
        server.resume()
        try:
            yield server
        finally:
            server.suspend()

    async def stop(self):
        for server in self.servers.values():
            await server.stop()


async def warm_up(server):
    prompts = Prompts("warm-up", server.name)
    for replies in (await server.client.together([prompts.chat(40)], 24),
                    await server.client.together([prompts.chat(512)], 2),
                    await server.client.together(prompts.chats(8, 24, 64), 24)):
        for reply in replies:
            if reply.error:
                raise Failed(reply.error)


async def equality(stage, settings):
    """Greedy answers to a few questions: equal to ours, or how much of them is."""
    questions, tokens = settings.pick((QUESTIONS, 48), (QUESTIONS[:3], 16))
    texts = {}
    for name in stage.servers:
        async with stage.turn(name) as server:
            answers = check([await server.client.chat([{"role": "user", "content": question}], tokens)
                             for question in questions], cached=1000)
            texts[name] = [re.sub(r"<\|\w+\|>", "", answer.text).strip() for answer in answers]
    first, *peers = texts
    result = {}
    for peer in peers:
        pairs = list(zip(texts[first], texts[peer]))
        shared = [f"{len(os.path.commonprefix(pair))} of {max(map(len, pair))} characters"
                  for pair in pairs if pair[0] != pair[1]]
        result[peer] = {"equal": sum(a == b for a, b in pairs), "of": len(pairs), "tokens": tokens,
                        "shared": ", ".join(shared)}
    return result, texts


async def play(scenario, stage, settings, notes):
    names = [name for name in stage.servers if name in scenario.servers or name not in ALL]
    result = {"name": scenario.name, "title": scenario.title, "servers": names, "rounds": [], "notes": list(notes)}
    start = time.monotonic()
    for number in range(1 if settings.quick else settings.rounds or scenario.rounds):
        turns = {}
        for name in names:
            try:
                async with stage.turn(name) as server:
                    samples = await scenario.run(server, settings, number)
                    await server.settle()
            except Failed as failure:
                samples = failure.samples
                result["notes"].append(f"{name}, round {number + 1}: {failure}")
            turns[name] = [dataclasses.asdict(sample) for sample in samples]
        result["rounds"].append(turns)
    result["seconds"] = round(time.monotonic() - start)
    print(report.text(result), flush=True)
    return result


async def run(options):
    chosen = [each for each in SCENARIOS if not options.only or each.name in options.only.split(",")]
    settings = Settings(options.quick, options.tokens or (16 if options.quick else 64), options.rounds)
    result = {"started": datetime.datetime.now().astimezone().isoformat(timespec="seconds"), "quick": options.quick,
              "machine": machine(), "load": os.getloadavg()[0], "method": METHOD, "equality": {}, "scenarios": []}
    names = options.servers.split(",")
    result["versions"] = {name: versions()[name] for name in names} if not options.url else {}
    print(report.machine_line(result), flush=True)
    for batch in dict.fromkeys(scenario.batch for scenario in chosen):
        group = [scenario for scenario in chosen if scenario.batch == batch]
        stage, notes = Stage(), []
        try:
            if options.url:
                for each in options.url:
                    name, rest = each.split("=", 1)
                    stage.servers[name] = Server.at(name, *(rest.split(",", 1) + [None])[:2])
                    await warm_up(stage.servers[name])
            else:
                await stage.start([name for name in names if any(name in each.servers for each in group)], batch, notes)
            if not result["equality"] and len(stage.servers) > 1:
                result["equality"], result["answers"] = await equality(stage, settings)
                print("\n".join(report.equality_lines(result)), flush=True)
            for scenario in group:
                result["scenarios"].append(await play(scenario, stage, settings, notes))
        finally:
            await stage.stop()
    return result


def save(result):
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{result['started'].replace(':', '')[:17]}{'-quick' if result['quick'] else ''}.json"
    for scenario in result["scenarios"]:
        scenario["rows"] = report.rows_of(scenario)
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    print(f"\nwritten to {os.path.relpath(path)}")


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard) if hard != resource.RLIM_INFINITY else 8192, hard))
    if options.render:
        results = [json.loads(pathlib.Path(each).read_text()) for each in options.render]
        for result in results:
            print(report.machine_line(result), *report.equality_lines(result), sep="\n")
            print(*map(report.text, result["scenarios"]), sep="\n")
    else:
        results = [asyncio.run(run(options))]
        save(results[0])
    if options.markdown:
        pathlib.Path(options.markdown).write_text(report.markdown(results))
    missed = any("MISSED" in row["verdict"] for result in results for scenario in result["scenarios"]
                 for row in report.rows_of(scenario))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
