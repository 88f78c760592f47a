"""Who may talk to the studio."""

import socket

import pytest

from poise.studio.origins import is_own, names_of


def allowed(host: str, called: str, *more: str, origin: str | None = "same") -> bool:
    headers = {"host": called}
    if origin is not None:
        headers["origin"] = f"http://{called}" if origin == "same" else origin
    return is_own(headers, host, names_of(host, more), required=True)


@pytest.mark.parametrize("called", ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "LOCALHOST"])
def test_on_this_computer_it_goes_by_the_names_of_every_computer(called: str) -> None:
    assert allowed("127.0.0.1", called)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::", "192.168.1.5"])
@pytest.mark.parametrize(
    "called", ["evil.example:8080", "evil.example.", "", "[", "127.0.0.1.evil"]
)
def test_a_strangers_name_that_leads_here_is_refused(host: str, called: str) -> None:
    assert not allowed(host, called)


def test_where_others_are_let_in_addresses_and_its_own_names_will_do() -> None:
    for called in ("192.168.1.5:8080", "[fe80::1]:8080", "127.0.0.1:8080", socket.gethostname()):
        assert allowed("0.0.0.0", called)
    assert not allowed("127.0.0.1", "192.168.1.5:8080"), "there is only one address then"
    assert not allowed("0.0.0.0", "studio.example")
    assert allowed("0.0.0.0", "studio.example", "studio.example")
    assert allowed("studio.example", "Studio.Example:8080")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "file://", "http://[", None])
def test_a_page_from_elsewhere_is_refused(origin: str | None) -> None:
    assert not allowed("127.0.0.1", "127.0.0.1:8080", origin=origin)
