"""Properties are judged by what they find, not by how busy the machine is.

``TELHA_EXAMPLES=fixed`` draws the same examples each time, and shrinks none.
"""

import os
import sys

import pytest
from hypothesis import Phase, settings

settings.register_profile("telha", deadline=None)
settings.register_profile(
    "fixed",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=20,
    phases=(Phase.explicit, Phase.generate),
)
settings.load_profile(os.environ.get("TELHA_EXAMPLES", "telha"))


@pytest.fixture(scope="session", autouse=True)
def nothing_remembered() -> None:
    """Forget what `lru_cache` holds: a mutant's run is forked from one that went well."""
    for name, module in list(sys.modules.items()):
        if name.startswith("app.core."):
            for function in vars(module).values():
                if hasattr(function, "cache_clear"):
                    function.cache_clear()
