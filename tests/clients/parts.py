"""Runs the parts of a client one by one and says which passed and why the others did not."""
import sys
import traceback


class Parts:
    def __init__(self):
        self.parts = []

    def __call__(self, function):
        self.parts.append(function)
        return function

    def run(self) -> None:
        failed = []
        for part in self.parts:
            name = part.__name__.replace("_", " ")
            try:
                part()
                print("passed:", name, flush=True)
            except Exception as why:  # a part may fail in any way its client does
                line = traceback.extract_tb(why.__traceback__)[1]
                reason = (str(why).strip() or line.line).splitlines()[0] + f" (line {line.lineno})"
                print(f"FAILED: {name}: {type(why).__name__}: {reason}", flush=True)
                failed.append(name)
        print(f"{len(self.parts) - len(failed)} of {len(self.parts)} parts passed")
        sys.exit(1 if failed else 0)
