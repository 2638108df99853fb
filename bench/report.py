"""The rows of a benchmark: a table on the screen, and the same rows in the file that TG_BENCH_JSON names."""

import json
import os
import platform


def machine(tools=""):
    """Processor, cores and the tools of this run."""
    model = platform.processor() or "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                model = line.split(": ", 1)[1].strip()
                break
    return ", ".join(part for part in (model, f"{os.cpu_count()} threads", tools) if part)


class Report:
    """Collects rows; `finish` prints and writes them."""

    def __init__(self, name, tools=""):
        self.name = name
        self.machine = machine(tools)
        self.rows = []

    def add(self, name, ours, other, other_name, unit, better="lower"):
        ratio = ours / other if other else 0
        self.rows.append(
            {"name": name, "ours": ours, "other": other, "other_name": other_name, "unit": unit, "ratio": ratio, "better": better}
        )

    def finish(self):
        """Returns what the program should exit with: 1 when there is no row."""
        width = max([4, *(len(row["name"]) for row in self.rows)])
        print(f"{self.name} on {self.machine}")
        print(f"{'name':{width}} {'ours':>12} {'other':>12}  {'unit':8} {'ratio':>8}")
        for row in self.rows:
            figures = f"{row['ours']:12.4g} {row['other']:12.4g}  {row['unit']:8} {row['ratio']:8.3g}"
            print(f"{row['name']:{width}} {figures}  other: {row['other_name']} ({row['better']} is better)")
        path = os.environ.get("TG_BENCH_JSON")
        if path:
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"bench": self.name, "machine": self.machine, "rows": self.rows}, file, indent=1)
                file.write("\n")
        return 0 if self.rows else 1
