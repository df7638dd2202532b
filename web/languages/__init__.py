"""One file a language; `web.speech` finds them."""
