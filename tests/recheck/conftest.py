"""Makes the expression builders of tests/canon importable here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "canon"))
