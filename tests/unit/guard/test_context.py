"""The judges of the context rows: which spans of what a row found are secret."""

from __future__ import annotations

import re

import pytest

from tacit.guard.context import JUDGES
from tacit.guard.contextrows import CONTEXT


def _judged(judge: str, text: str) -> list[str]:
    """Return what *judge* takes for secret in the text, by all rows that ask it."""
    raw = text.encode()
    low = raw.lower()
    spans: list[tuple[int, int]] = []
    for _, keywords, name, pattern, _ in CONTEXT:
        places = [found.start() for word in keywords for found in re.finditer(re.escape(word), low)]
        for place in sorted(set(places)) if name == judge else []:
            found = re.compile(pattern).match(low, place)
            spans += JUDGES[judge](raw, low, found.regs) if found else []
    return [raw[start:end].decode() for start, end in sorted(set(spans))]


@pytest.mark.parametrize(
    "text",
    [
        "password=k3Jd8sPq0z",
        "DB_PASSWORD=k3Jd8sPq0z\n",
        "password = k3Jd8sPq0z",
        "password: k3Jd8sPq0z",
        'password: "k3Jd8sPq0z"',
        "password := 'k3Jd8sPq0z'",
        "'password' => 'k3Jd8sPq0z',",
        '{"password": "k3Jd8sPq0z"}',
        r"{\"password\": \"k3Jd8sPq0z\"}",
        "password: str = 'k3Jd8sPq0z'",
        "password=`k3Jd8sPq0z`",
        "password&quot;:&quot;k3Jd8sPq0z&quot;",
        "password: >-\n  k3Jd8sPq0z",
        "password: |\n  k3Jd8sPq0z",
        "password:\nk3Jd8sPq0z\n",
        "password：k3Jd8sPq0z",  # noqa: RUF001  (a full-width colon)
        "the password is k3Jd8sPq0z",
        "the password for the staging box is k3Jd8sPq0z",
        "password for root: k3Jd8sPq0z",
        "das Passwort lautet k3Jd8sPq0z",
        "le mot de passe est k3Jd8sPq0z",
        "пароль: k3Jd8sPq0z",
        "密码是 k3Jd8sPq0z",
        "<password>k3Jd8sPq0z</password>",
        "<password><![CDATA[k3Jd8sPq0z]]></password>",
        "<key>password</key><string>k3Jd8sPq0z</string>",
        'name: DB_PASSWORD\n  value: "k3Jd8sPq0z"',
        'variable "password" { default = "k3Jd8sPq0z" }',
        'setpassword("k3Jd8sPq0z")',
        'set("password", "k3Jd8sPq0z")',
        "--password k3Jd8sPq0z",
        "ENV DB_PASSWORD k3Jd8sPq0z",
        "#define DB_PASSWORD 'k3Jd8sPq0z'",
        "?password=k3Jd8sPq0z&user=app",
        "password=k3Jd8sPq0z;user=app",
        "(password=k3Jd8sPq0z)",
        "password=k3Jd8sPq0z.",
        "password=k3Jd8sPq0z\\nuser=app",
    ],
)
def test_a_named_value_is_secret_in_any_dress(text: str) -> None:
    assert [value.removesuffix("]]>") for value in _judged("assigned", text)] == ["k3Jd8sPq0z"]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (r'password = "k3Jd\"8sPq0z"', r"k3Jd\"8sPq0z"),
        ("password = 'correct horse battery staple'", "correct horse battery staple"),
        ("password = 'k3Jd8sPq0z", "k3Jd8sPq0z"),
        ("PASSWORD=letmein", "letmein"),
        ("password = 'letmein'", "letmein"),
        ("Server=db;Password=Lark(9)Stone;Encrypt=True", "Lark(9)Stone"),
        ("Uid=bo;Pwd=Salmon[3]Bay;", "Salmon[3]Bay"),
        ("password: #kd93!LwqPz0", "#kd93!LwqPz0"),
        ("DB_PASSWORD='$x9Kf!2LmQ'", "$x9Kf!2LmQ"),
    ],
)
def test_a_value_reaches_to_what_closes_it(text: str, secret: str) -> None:
    assert _judged("assigned", text) == [secret]


@pytest.mark.parametrize(
    "text",
    [
        "password = None",
        "password = os.environ['DB_PASSWORD']",
        "password = get_password()",
        "password: ${DB_PASSWORD}",
        "password = '********'",
        "password = 'your-password-here'",
        "password: string",
        "password = user.password",
        "password: $dbPassword1",
        "password: *dbPassword1",
        "password = $config['db2']['password']",
        "Password=decrypt(row[3]);Timeout=30;",
        "password policy: at least 12 characters",
        "password_hash = '9f2b7c1de8a64053b1f7d2c98e03a46b'",
        "max_tokens = 4096",
        "token_count: 12345678",
        "primary_key = 'k3Jd8sPq0z12'",
        "${password:-k3Jd8sPq0z}",
        "{{ password }}: k3Jd8sPq0z",
        "uid:password:k3Jd8sPq0z",
        "[redacted:secret:1a2b] token = k3",
        "[redacted:password:k3Jd8sPq0z",
        "monkey = k3Jd8sPq0z",
        "the password was reset on 2024-01-02",
        "the password is required",
        "<password>Enter your password</password>",
        'get("password", "field")',
        "pass 12",
        "password:\n  min_length: 12",
        "the token expired",
        "key = 9f2b7c1de8a64053b1f7d2c98e03a46b",
    ],
)
def test_a_mention_is_no_secret(text: str) -> None:
    assert _judged("assigned", text) == []


@pytest.mark.parametrize(
    ("judge", "text", "secrets"),
    [
        ("whole", "sshpass -p letmein ssh app@host", ["letmein"]),
        ("whole", "requirepass ${REDIS_PASSWORD}", []),
        ("whole", "IDENTIFIED BY 'k3Jd8sPq0z'", ["k3Jd8sPq0z"]),
        ("whole", "IDENTIFIED BY '<password>'", []),
        ("whole", "machine h login u password k3Jd8sPq0z", ["k3Jd8sPq0z"]),
        ("last_field", "db:5432:app:app:k3Jd8sPq0z", ["k3Jd8sPq0z"]),
        ("last_field", "db:5432:app:app:k3Jd8sPq0z:more", []),
        ("last_field", "*:*:*:app:xxxxxxxx", []),
        ("made_up", "curl -u app:k3Jd8sPq0z https://example.com", ["k3Jd8sPq0z"]),
        ("made_up", "docker run -u node:node app", []),
        ("made_up", "docker run -u 1000:1000 app", []),
        ("made_up", "curl -u app:$PASSWORD https://example.com", []),
        ("made_up", "login with admin / k3Jd8sPq0z", ["k3Jd8sPq0z"]),
        ("made_up", "login with email / password", []),
        ("generated", "Bearer k3Jd8sPq0zLmWx7", ["k3Jd8sPq0zLmWx7"]),
        ("generated", "bearer authentication", []),
        ("generated", "Bearer ${ACCESS_TOKEN_2}", []),
        ("generated", "Authorization: Token 4f1c9a7e-2b6d-4e83-9a5f-c07d1e38b264",
         ["4f1c9a7e-2b6d-4e83-9a5f-c07d1e38b264"]),
        ("generated", "Authorization: required-by-default", []),
        ("in_uri", "postgres://app:k3Jd8sPq0z@db/app", ["k3Jd8sPq0z"]),
        ("in_uri", "redis://:letmein@cache:6379", ["letmein"]),
        ("in_uri", "http://localhost:8080/users/@me", []),
        ("in_uri", "postgres://app:password@db/app", []),
        ("in_uri", "postgres://app:${PASSWORD}@db/app", []),
        ("in_uri", "docker://registry:5000/image@sha256:9f2b7c1de8a64053", []),
        ("basic", "Basic YXBwOmszSmQ4c1Bx", ["YXBwOmszSmQ4c1Bx"]),
        ("basic", '"auth": "YXBwOmszSmQ4c1Bx"', ["YXBwOmszSmQ4c1Bx"]),
        ("basic", "basic authentication", []),
        ("basic", "basic AAAAAAAAAAAA", []),
        ("basic", "basic abcde", []),
        ("numbered", "recovery codes:\nk3jd8-pq0zl\nw7rt2-yv4bn", ["k3jd8-pq0zl\nw7rt2-yv4bn"]),
        ("numbered", "recovery codes: one-time-only", []),
    ],
)  # fmt: skip
def test_a_value_is_judged_by_its_surroundings(judge: str, text: str, secrets: list[str]) -> None:
    assert _judged(judge, text) == secrets


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("Cookie: sid=k3Jd8sPq0zLmWx7; theme=dark", ["k3Jd8sPq0zLmWx7"]),
        ("Set-Cookie: auth=k3Jd8sPq; Path=/; Max-Age=3600", ["k3Jd8sPq"]),
        ("Cookie: a=q7Rz2LmX9vTb; token=k3Jd8sPq0", ["k3Jd8sPq0", "q7Rz2LmX9vTb"]),
        ("Cookie: theme=dark; lang=en-GB", []),
        ("Cookie: session=expired; sid=", []),
        ("Cookie: sid=${SESSION_1}", []),
        ("Set-Cookie: x=y; Expires=Wed, 21 Oct 2026 07:28:00 GMT", []),
    ],
)
def test_a_cookie_is_judged_by_its_name_and_its_value(text: str, secrets: list[str]) -> None:
    assert sorted(_judged("cookies", text)) == secrets


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("use k3Jd8sPq0z as the password", ["k3Jd8sPq0z"]),
        ("set `k3Jd8sPq0z` as my api key", ["k3Jd8sPq0z"]),
        ("use it as the password", []),
        ("use 12345678 as the password", []),
        ("use k3 as the password", []),
        ("use ${PASSWORD_1} as the password", []),
        ("use get_env(k3Jd8) as the password", []),
        (" as the password", []),
    ],
)
def test_a_value_may_stand_before_its_name(text: str, secrets: list[str]) -> None:
    assert _judged("named_after", text) == secrets


_HEAD, _END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
_BODY = "MIIEk3Jd8sPq0zLmWx7RtY2vBn4c"


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        (f"{_HEAD}\n{_BODY}\n{_END}\nmore", [f"{_HEAD}\n{_BODY}\n{_END}"]),
        (f"{_HEAD}\\n{_BODY}\\n{_END}", [f"{_HEAD}\\n{_BODY}\\n{_END}"]),
        (f"{_HEAD}\n{_BODY}\n(cut)", [f"{_HEAD}\n{_BODY}\n"]),
        (f"{_HEAD}\n…\n{_END}", []),
        (f"grep '{_HEAD}' *.pem", []),
        ("-----BEGIN CERTIFICATE-----\n" + _BODY, []),
    ],
)
def test_a_key_block_is_secret_if_it_holds_a_key(text: str, secrets: list[str]) -> None:
    assert _judged("pem", text) == secrets


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("user,password\napp,k3Jd8sPq0z\nweb,Tr0ub4dor&3\n", ["Tr0ub4dor&3", "k3Jd8sPq0z"]),
        ("| user | password |\n|---|---|\n| app | k3Jd8sPq0z |\n\nend", ["k3Jd8sPq0z"]),
        ("user\tpassword\napp\tk3Jd8sPq0z", ["k3Jd8sPq0z"]),
        ('"user";"password"\n"app";"k3Jd8sPq0z"', ["k3Jd8sPq0z"]),
        ("user,password\nend of file\napp,k3Jd8sPq0z", []),
        ("user,password\napp,hidden", []),
        ("user,password", []),
        ("password\nk3Jd8sPq0z", []),
        ("the password, please\n1, k3Jd8sPq0z", []),
    ],
)
def test_the_cells_below_a_telling_heading_are_secret(text: str, secrets: list[str]) -> None:
    assert sorted(_judged("column", text)) == secrets
