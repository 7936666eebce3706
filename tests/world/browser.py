"""A real browser for tests of pages: Chromium without a window, told over a pipe what to do.

Its development protocol (https://chromedevtools.github.io/devtools-protocol/) is JSON with a NUL
behind each message, on descriptors 3 and 4: no port is opened, no driver is needed. Everything that
a page says on its console and every request that it makes is kept.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60.0  # seconds for one answer, on a machine with other work to do
LOUD = ("error", "warning", "assert")


@dataclass
class Page:
    """What a page did since it was opened."""

    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    barred: list[str] = field(default_factory=list)  # why requests were not sent at all


class NavigatedError(Exception):
    """The page went away before it answered."""


class Browser:
    """Chromium with an empty profile in `folder`; ends with its block."""

    def __init__(self, folder: Path) -> None:
        found = next((path for name in NAMES if (path := shutil.which(name))), None)
        assert found is not None, "install chromium first: tests/world/setup.sh"
        self.page = Page()
        self._number = 0
        self._left = b""
        inward, self._write = os.pipe()
        self._read, outward = os.pipe()
        flags = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu",
                 "--no-first-run", "--disable-background-networking", "--hide-scrollbars",
                 "--disable-dev-shm-usage", f"--user-data-dir={folder / 'profile'}"]  # fmt: skip
        # The shell gives the pipes the numbers that Chromium wants.
        start = f'exec "$0" "$@" 3<&{inward} 4>&{outward}'
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", start, found, *flags, "about:blank"],
            pass_fds=(inward, outward),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
        )
        os.close(inward)
        os.close(outward)
        target = self._call("Target.createTarget", {"url": "about:blank"})["targetId"]
        attached = self._call("Target.attachToTarget", {"targetId": target, "flatten": True})
        self._session: str = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._write)
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)

    def call(self, method: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Asks something of the page."""
        return self._call(method, parameters, self._session)

    def open(self, path: Path) -> None:
        """Opens a file and waits until it has loaded."""
        self.page = Page()
        self.call("Page.navigate", {"url": path.as_uri()})
        self.wait_for("document.readyState === 'complete' && location.protocol === 'file:'")

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression, a promise's once it is there."""
        answer = self.call(
            "Runtime.evaluate",
            {"expression": expression, "returnByValue": True, "awaitPromise": True},
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Waits until an expression is true."""
        end = time.monotonic() + PATIENCE
        while True:
            with suppress(NavigatedError):
                if self.evaluate(expression):
                    return
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.05)

    def follow(self, link: str) -> None:
        """Clicks on the link that a selector finds, and waits until its page has loaded."""
        found = f"document.querySelector({json.dumps(link)})"
        target = self.evaluate(f"{found}.href")
        with suppress(NavigatedError):
            self.evaluate(f"{found}.click()")
        self.wait_for(f"location.href === '{target}' && document.readyState === 'complete'")

    def press(self, key: str) -> None:
        """Presses and lets go of a key."""
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", {"type": "keyDown", "key": key, **text})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", "key": key})

    def look(self, width: int, height: int = 800, *, dark: bool = False) -> None:
        """Sets the size of the window, and whether its owner likes it dark."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", {"features": [scheme]})

    def picture(self, path: Path) -> None:
        """Saves the whole page as a PNG."""
        shot = self.call("Page.captureScreenshot", {"captureBeyondViewport": True})
        path.write_bytes(base64.b64decode(shot["data"]))

    def _call(
        self, method: str, parameters: Mapping[str, Any] | None = None, session: str = ""
    ) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": dict(parameters or {})}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            told = self._next()
            if told.get("id") == self._number:
                if "navigated" in told.get("error", {}).get("message", ""):
                    raise NavigatedError
                assert "error" not in told, told["error"]
                result: dict[str, Any] = told["result"]
                return result
            self._note(told)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], PATIENCE)
            assert ready, "the browser does not answer"
            data = os.read(self._read, 2**20)
            assert data, "the browser has ended"
            self._left += data
        message, _, self._left = self._left.partition(b"\0")
        told: dict[str, Any] = json.loads(message)
        return told

    def _note(self, told: Mapping[str, Any]) -> None:
        method, about = told.get("method"), told.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.page.console.append(str(about["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in LOUD:
            self.page.console.append(str(about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in LOUD:
            self.page.console.append(f"{about['entry']['text']} {about['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.page.requests.append(about["request"]["url"])
        elif method == "Network.loadingFailed" and "blockedReason" in about:
            self.page.barred.append(about["blockedReason"])
