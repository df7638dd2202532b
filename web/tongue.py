"""Which language somebody reads: what they chose, else what their browser asks for, else English."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Flask, Response, request

from web import speech

COOKIE = "feltside-language"
A_YEAR_S = 365 * 24 * 3600


def register(app: Flask) -> None:
    """Let every request of an app speak its reader's language, and templates say things."""
    app.before_request(_speak)
    app.after_request(_remember)
    app.jinja_env.globals.update(
        _=speech.say,
        n_=speech.count,
        echo=speech.echo,
        ordinal=speech.ordinal,
        either=speech.either,
        listed=speech.listed,
        decimal=speech.decimal,
        lang=lambda: speech.spoken().code,
        in_language=_same_page,
        languages=lambda: [(code, language.name) for code, language in speech.languages().items()],
    )


def _same_page(code: str) -> str:
    """Return the query of the page that is shown, in another language."""
    return "?" + urlencode({**request.args, "lang": code})


def asked() -> str:
    """Return the code of the language this request is to be answered in."""
    known = speech.languages()
    for code in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if code in known:
            return str(code)
    wished = (tag.lower().split("-")[0] for tag, quality in request.accept_languages if quality > 0)
    return next((code for code in wished if code in known), "en")


def _speak() -> None:
    # Never taken back: each request sets its own before anything is said.
    speech.speak(asked())


def _remember(response: Response) -> Response:
    chosen: Any = request.args.get("lang")
    if chosen in speech.languages():
        response.set_cookie(COOKIE, chosen, max_age=A_YEAR_S, samesite="Lax", httponly=True)
    response.headers.setdefault("Content-Language", speech.spoken().code)
    response.vary.add("Accept-Language")
    return response
