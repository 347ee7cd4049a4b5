"""Properties are judged by what they find, not by how busy the machine is.

``TELHA_EXAMPLES=fixed`` draws the same examples each time, and shrinks none.
"""

import os

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
