#!/usr/bin/env python3
"""Opens a report in headless Chromium as a desktop, a laptop, a wide screen and a telephone, light and dark: no error in its
script, nothing fetched, no line wider than the screen. Skipped (77) where there is no Chromium.

screenshots.py PAGE.html [FOLDER]    keeps the screenshots in FOLDER
screenshots.py --explain PROGRAM     a report that PROGRAM makes
"""

import base64
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SCREENS = {"desktop": (1280, 800), "laptop": (1400, 900), "wide": (1500, 900), "telephone": (390, 844)}
CHARACTERS = 75  # of a C++ line that is seen, but on a telephone
SHOWN = """(() => {
  const box = document.querySelector('.beside .scroll'), cell = box?.querySelector('tr[data-l] td:last-child');
  if (!cell) return 1000;
  const style = getComputedStyle(cell), ruler = document.createElement('canvas').getContext('2d');
  ruler.font = style.fontSize + ' ' + style.fontFamily;
  const left = cell.getBoundingClientRect().left + parseFloat(style.paddingLeft);
  return Math.floor((box.getBoundingClientRect().right - left) / ruler.measureText('x'.repeat(100)).width * 100);
})()"""


class Browser:
    """Chromium at the other end of two pipes, with messages of JSON that end in a zero byte."""

    def __init__(self, program, profile):
        to_read, self.write = os.pipe()
        self.read, to_write = os.pipe()

        def lay_pipes():
            os.dup2(to_read, 63), os.dup2(to_write, 64)
            os.dup2(63, 3), os.dup2(64, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=lay_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read), os.close(to_write)
        self.numbers, self.waiting, self.events, self.session = itertools.count(1), b"", [], None

    def receive(self):
        while b"\0" not in self.waiting:
            more = os.read(self.read, 1 << 20)
            if not more:
                sys.exit("Chromium went away")
            self.waiting += more
        message, self.waiting = self.waiting.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while (answer := self.receive()).get("id") != number:
            self.events.append(answer)
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']}")
        return answer["result"]

    def wait_for(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.receive())

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def close(self):
        self.process.terminate()
        self.process.wait()


def look_at(browser, url, screen, scheme, picture, folder=None):
    """`folder`: the URL of the folder that the page may fetch from; None: nothing."""
    width, height = SCREENS[screen]
    browser.session = None
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    browser.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    browser.events.clear()
    for domain in ("Page", "Runtime", "Log", "Network"):
        browser.call(f"{domain}.enable")
    browser.call("Network.emulateNetworkConditions", offline=folder is None, latency=0, downloadThroughput=-1, uploadThroughput=-1)
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=screen == "telephone")
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    if folder:  # a scheme that an earlier visit remembers
        browser.call("Storage.clearDataForOrigin", origin=folder, storageTypes="all")
    browser.call("Page.navigate", url=url)
    browser.wait_for("Page.loadEventFired")
    # A pointer on a line lights it up on both sides.
    browser.value("document.querySelector('tr[data-l]')?.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))")
    out = []
    if browser.value("document.querySelectorAll('tr[data-l]').length") and browser.value("document.querySelectorAll('.lit').length") < 2:
        out.append("a line and its PTX do not light up")
    shown = browser.value(SHOWN)
    out += [f"{shown} characters of a C++ line are seen, less than {CHARACTERS}"] * (screen != "telephone" and shown < CHARACTERS)
    wide = browser.value("document.documentElement.scrollWidth")
    out += [f"the page is {wide} wide"] * (wide > width)
    seen = browser.value("innerWidth")
    out += [f"the window is {seen} wide, not {width}"] * (seen != width)
    for event in browser.events:
        method, about = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            out.append(f"exception: {about['exceptionDetails']['text']}")
        if method == "Log.entryAdded" and about["entry"]["level"] == "error":
            out.append(f"error: {about['entry']['text']}")
        if method == "Network.requestWillBeSent" and not about["request"]["url"].startswith((folder or url, "data:", "blob:")):
            out.append(f"fetches {about['request']['url']}")
    if picture:
        # The whole page, as far as one picture reaches.
        high = min(browser.value("document.documentElement.scrollHeight"), 16000)
        clip = {"x": 0, "y": 0, "width": width, "height": high, "scale": 1}
        data = browser.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)["data"]
        picture.write_bytes(base64.b64decode(data))
    browser.call("Page.close")
    return [f"{screen}, {scheme}: {complaint}" for complaint in out]


def chromium():
    """The program; skips the test where there is none."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        print("no Chromium: skipped")
        sys.exit(77)
    return program


def main():
    program = chromium()
    # Children of Chromium may write into its profile for a moment after it has ended.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        page, folder = pathlib.Path(sys.argv[1]), None
        if sys.argv[1] == "--explain":
            page = pathlib.Path(scratch) / "report.html"
            subprocess.run([sys.argv[2], "transpose_naive", "--run", "--out", page], check=True, stdout=subprocess.DEVNULL)
        elif len(sys.argv) > 2:
            folder = pathlib.Path(sys.argv[2])
            folder.mkdir(parents=True, exist_ok=True)
        browser = Browser(program, pathlib.Path(scratch) / "profile")
        complaints = []
        for screen, scheme in itertools.product(SCREENS, ("light", "dark")):
            picture = folder and folder / f"{page.stem}-{screen}-{scheme}.png"
            complaints += look_at(browser, page.absolute().as_uri(), screen, scheme, picture)
        browser.close()
    print("\n".join(complaints) or "fits both screens, no error, nothing fetched")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main()
