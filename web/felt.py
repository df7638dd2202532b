"""The table's own felt as people show it empty under the live picture, for the watcher."""

from __future__ import annotations

import secrets

from web.forms import BadInput, Form

DO = ("keep", "printed", "forget")


def wish(form: Form) -> dict[str, str]:
    """Return what a form says of the felt, as the watcher takes it (`pi.bare_felt`); raises BadInput."""
    do = form.get("do", "")
    if do not in DO:
        raise BadInput(
            f"{do[:20]!r} cannot be done with the felt (expected keep, printed or forget), in the field 'do'"
        )
    return {"id": secrets.token_hex(4), "do": do}
