"""The programs of the cookbook are imported as they stand, beside this folder."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE))
