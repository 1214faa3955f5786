"""Fields about persons, and secrets in addresses, as far as a recording knows them."""

from typing import Any

import pytest

from gasoline.generation.script.privacy import personal_fields, secret_parameters
from gasoline.records import NetworkBody


def answer(body: str, content_type: str = "application/json", **fields: Any) -> NetworkBody:
    return NetworkBody(response_body=body, content_type=content_type, **fields)


@pytest.mark.parametrize(
    "name", ["email", "workEmail", "phone", "birthday", "date_of_birth", "street", "homeAddress"]
)
def test_names_of_personal_data_are_known_wherever_they_are(name: str) -> None:
    assert personal_fields([answer(f'{{"people":[{{"id":1,"{name}":"x"}}]}}')]) == (name,)


@pytest.mark.parametrize("name", ["id", "name", "city", "emailed", "ip_address", "streetlights"])
def test_other_names_are_not(name: str) -> None:
    assert personal_fields([answer(f'{{"{name}":"x"}}')]) == ()


def test_all_answers_of_an_endpoint_count() -> None:
    assert personal_fields([answer('{"email":1}'), answer('[{"phone":1}]')]) == ("email", "phone")


@pytest.mark.parametrize(
    "unreadable",
    [answer("{"), answer("{}", "text/html"), answer("{}", response_truncated=True), answer("")],
)
def test_of_an_answer_that_was_not_read_as_a_whole_nothing_is_known(
    unreadable: NetworkBody,
) -> None:
    assert personal_fields([answer("{}"), unreadable]) is None


def test_parameters_that_hold_secrets_are_told_by_their_names() -> None:
    urls = ("/a?page=2&access_token=x&api_key=", "http://app/b?sessionId=1#token=2", "http://[")

    found = secret_parameters([NetworkBody(url=url) for url in urls])

    assert found == ("access_token", "api_key", "sessionId")
