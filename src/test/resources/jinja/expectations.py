#!/usr/bin/env python3
"""Writes what each snippet of snippets.json must render to, as Python's Jinja2 3.1.6 renders it.

Needs `pip install jinja2==3.1.6`. A snippet has a "source" and optionally a "context" of its own; this script adds
"text", or "fails" where rendering must raise. To add snippets, add lines with sources and run the script.
"""
import copy
import datetime
import json
import pathlib

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.sandbox


class Generation(jinja2.ext.Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.TemplateError(message)


def to_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols]
)
environment.filters["tojson"] = to_json
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = datetime.datetime(2026, 1, 2, 15, 4, 5).strftime


def expectation(source, context):
    try:
        return {"text": environment.from_string(source).render(**copy.deepcopy(context))}
    except Exception:
        return {"fails": True}


def main():
    path = pathlib.Path(__file__).with_name("snippets.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    lines = []
    for snippet in data["snippets"]:
        given = {key: snippet[key] for key in ("source", "context") if key in snippet}
        given |= expectation(given["source"], given.get("context", data["context"]))
        lines.append(json.dumps(given, ensure_ascii=False))
    head = json.dumps(data["context"], ensure_ascii=False)
    path.write_text(
        '{"context": ' + head + ',\n"snippets": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8", newline="\n"
    )


if __name__ == "__main__":
    main()
