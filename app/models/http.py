"""One JSON call to an OpenAI-compatible endpoint: bounded retries, and no secret in any error."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx2
import stamina
from pydantic import SecretStr

_AGAIN: Final = frozenset({408, 409, 425, 429})
_LONGEST_PAUSE: Final = 10.0


class ModelDown(Exception):
    """The endpoint did not answer, or not for now, however often it was tried; ``why`` in words."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why: Final = why


class ModelRefused(Exception):
    """The endpoint refused the call; the same call will be refused again."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why: Final = why


class _ForNow(Exception):
    """One attempt failed in a way that another may not."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why: Final = why


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers. ``attempts`` counts the first one; ``pause`` is the first pause, s."""

    url: str
    api_key: SecretStr | None
    timeout: float
    attempts: int = 3
    pause: float = 0.5

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return the JSON that the endpoint answers; raise ``ModelDown`` or ``ModelRefused``.

        Time-outs, broken connections, 408, 409, 425, 429 and 5xx are tried again.
        """
        try:
            for attempt in stamina.retry_context(
                on=_ForNow,
                attempts=self.attempts,
                timeout=None,
                wait_initial=self.pause,
                wait_max=_LONGEST_PAUSE,
                wait_jitter=self.pause,
            ):
                with attempt:
                    return self._once(path, body)
        except _ForNow as failed:
            tried = "once" if self.attempts == 1 else f"{self.attempts} times"
            raise ModelDown(f"{failed.why}, tried {tried}") from None
        raise AssertionError("unreachable")  # pragma: no cover

    def _once(self, path: str, body: Mapping[str, Any]) -> Any:
        try:
            answer = httpx2.post(
                f"{self.url}{path}",
                json=dict(body),
                headers=self._headers(),
                timeout=self.timeout,
                follow_redirects=False,
            )
        except httpx2.TimeoutException:
            raise _ForNow(f"no answer within {self.timeout:g} s") from None
        except httpx2.TransportError as broken:
            raise _ForNow(f"the connection failed ({type(broken).__name__})") from None
        if answer.status_code in _AGAIN or answer.status_code >= 500:
            raise _ForNow(f"status {answer.status_code}")
        if answer.status_code != 200:
            raise ModelRefused(f"status {answer.status_code}")
        try:
            return answer.json()
        except ValueError:
            raise ModelRefused("the answer is no JSON") from None

    def _headers(self) -> dict[str, str]:
        if self.api_key is None:
            return {}
        return {"Authorization": f"Bearer {self.api_key.get_secret_value()}"}
