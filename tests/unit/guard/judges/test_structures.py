"""Secrets that are known by the structure that they are part of."""

from __future__ import annotations

import pytest

from tacit.compose import redactor

_REDACTOR = redactor(b"k" * 32)
_VALUE = "k3Jd8sPq0Z"
_RANDOM = "q7Rz2LmX9vTbK4sWp8Yd"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "apiVersion: v1\ndata:\n  a: {}\nkind: Secret\nmetadata:\n  name: x\n",
            "azNKZDhzUHEwWg==",
        ),
        ("kind: Secret\nstringData:\n  conf: |\n    {}\n  b: c\n", _VALUE),
        ('{{"data":{{"COOKIE":"{}"}},"kind":"Secret"}}', "azNKZDhzUHEwWg=="),
        ('"type": "random_password", "attributes": {{"length": 9, "result": "{}"}}', _VALUE),
        ('{{"db": {{"sensitive": true, "type": "string", "value": "{}"}}}}', _VALUE),
        ('{{"db":{{"value":"{}","type":"string","sensitive":true}}}}', _VALUE),
        ("INSERT INTO users (id, login, password) VALUES (1, 'bo', '{}');", _VALUE),
        ("insert into `t`\n  (`a`, `access_token`)\nvalues\n  ('x', '{}')", _RANDOM),
        ("cat > /run/secrets/db_password <<'EOF'\n{}\nEOF\n", _VALUE),
        ('form-data; name="password"\r\n\r\n{}\r\n--b', _VALUE),
        ('requests.get(url, auth=("bo", "{}"))', _VALUE),
        ("$ aws ssm get-parameter --name /x --with-decryption --output text\n{}\n", _VALUE),
        ('"Type": "SecureString",\n  "Value": "{}"', _VALUE),
        ("$ vault kv get secret/app\nKey   Value\nsigner   {}\n", _RANDOM),
        ("my.cnf\n+kind: Secret\n+stringData:\n+  a: {}\n", _VALUE),
        ("  1 kind: Secret\n  2 stringData:\n  3   a: {}\n", _VALUE),
        ('{{"a": "random_password.db[0]", "v": "{}"}}', "k3Jd8!sPq0z"),
        (
            '"sensitive": true, "type": ["object", {{"value": "string"}}], "value": {{"k": "{}"}}',
            _RANDOM,
        ),
        ("INSERT INTO accounts VALUES\n  (1, 'bo', '{}', '2031-01-02');", "k3Jd8!sPq0z"),
        ("sqlite> insert into users(login,pw) values\n   ...> ('bo','{}');", _VALUE),
        ('ssh.connect("db", 22, "bo", "{}")', "k3Jd8!sPq0z"),
        ('const mail = new MailClient("{}");', _RANDOM),
        (
            "$ pass show mail/bo\ngpg: encrypted with cv25519 key, ID 5D20\n{}\nuser: bo",
            _VALUE,
        ),
        ('Bash(op read "op://dev/db/pw")\n  ⎿  {}\n', _VALUE),
        ("`gcloud secrets versions access 1` printed `{}`", _RANDOM),
        ("get-parameters --with-decryption\n|  /x  |  String |  {}|\n", _RANDOM),
        ("echo '{}' | sudo -S ls", _VALUE),
        ("user   password\n----   ---------\nbo     {}\n", "k3Jd8!sPq0z"),
        ("| name | initial_password |\n|---|---|\n| bo | {} |\n", "k3Jd8!sPq0z"),
        ("password | {}\n", "k3Jd8!sPq0z"),
        ("user/pass: bo/{}", _VALUE),
        ("use admin/{} as the login", "k3Jd8!sPq0z"),
        ("key = Fernet(b'{}')", "Zt5bQ8nXw2LrV7kMd3HsJ9fPcY6gTe1uRa4oBi0xk3J="),
        ("my card PIN is {}", "4817"),
        ("her SSN is {}", "536-22-8146"),
        ("  41\t  - name: DB_PASSWORD\n  42\t    value: {}\n", "k3Jd8!sPq0z"),
        ("> kind: Secret\n> stringData:\n>   pw: {}\n", _VALUE),
        ("+  db_password: |\n+    {}\n", "k3Jd8!sPq0z"),
        ('$ tofu output -json db_logins\n[\n  "bo",\n  "{}"\n]', "k3Jd8!sPq0z"),
        ("for n in a b; do op read op://v/$n/pw; done\na:\nnot found\nb:\n{}\n", _VALUE),
        (
            '(\n b"form-data; name=\\"pw\\"\\r\\n\\r\\n"\n  b"{}\\r\\n"\n)',
            "k3Jd8!sPq0z",
        ),
        ('< form-data; name="password_confirm"\n< \n< {}\n', "k3Jd8!sPq0z"),
        ('mail.login("bo@example.org", "{}")', "qhzt lmwe vbnk oapx"),
        ('link.Bind("cn=bo,dc=example,dc=org", "{}")', "k3Jd8!sPq0z"),
        ("the license key is {}", "K3JD8-SPQ0Z-LMWX7-RTY2V"),
        ("the credentials are bo@example.org and {}", "k3Jd8!sPq0z"),
        ('db_password = old -> "{}"', "k3Jd8!sPq0z"),
        ('db_password = "Old4Word!" -> "{}"', "k3Jd8!sPq0z"),
        ("password:\n{}\n", "]k3Jd8(sPq0<z%"),
        ("password={}", ")k3Jd8[sPq0}z%"),
        ("APP__MAIN__FERNET_KEY={}", "Zt5bQ8nXw2LrV7kMd3-sJ9fPcY6gTe1uRa4oBi0xk3J="),
    ],
)
def test_a_secret_is_taken_out(text: str, value: str) -> None:
    redacted = _REDACTOR.redact(text.format(value).encode()).decode()

    assert value not in redacted
    assert "[redacted:" in redacted


def test_the_end_of_a_key_goes_whose_beginning_was_cut() -> None:
    tail = f"{_RANDOM * 3}\n{_RANDOM * 3}\n{_RANDOM}==\n-----END PRIVATE KEY-----"

    redacted = _REDACTOR.redact(f"... (cut)\n{tail}\nwhat now?".encode()).decode()

    assert _RANDOM not in redacted
    assert redacted.startswith("... (cut)\n[redacted:private-key:")
    assert redacted.endswith("what now?")


@pytest.mark.parametrize(
    "text",
    [
        "kind: Secret\ndata:\n  a: {{ .Values.a }}\n",
        "kind: ConfigMap\ndata:\n  mode: q7Rz2LmX\n",
        'resource "random_password" "db" {\n  length = 20\n}',
        '{"region": {"sensitive": false, "type": "string", "value": "eu-north-1"}}',
        "INSERT INTO users (login, password) VALUES (?, ?)",
        "INSERT INTO parts (name, code) VALUES ('bolt', 'k3Jd8sPq0Z')",
        "cat > notes.md <<EOF\nrelease-2026\nEOF\n",
        "auth=(user, password)",
        "pin 13 is the LED, GPIO pin is 1024",
        "pinned at 2024",
        "PIN code 560001",
        "{ pin: 1044 }",
        "-----END CERTIFICATE-----",
        "INSERT INTO users VALUES (7, 'bo', 'bo@example.org', '2031-01-02T10:00:00Z');",
        'client = Client("https://api.example.org/v2/accounts/12345")',
        'button.connect("clicked", "on_button_1_clicked")',
        "$ terraform output -raw vpc_id\nvpc-0abc123def4567890\n",
        "$ pass ls\nPassword Store\n",
        "user   password\n----   --------\nbo     (hidden)\n",
        "| test | pass |\n|---|---|\n| login_2 | 2031-01-02T10:00:00Z |\n",
        "the login page is at admin/Login2.aspx?x=1",
        'client_secret: "%{env:CLIENT_SECRET}"',
        '$ tofu output -json subnet_ids\n["subnet-0a1b2c3d4e5f"]',
        '$("#form").bind("submit.v2", "onSubmit2")',
        'form-data; name="token_type"\r\n\r\nbearer\r\n',
        "for f in a b; do git rev-parse $f; done\n3f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a3f",
        "creds are in Vault and 1Password",
        "order ABCD-EFGH-IJKL-MNOP was sent",
        "  12| token: str\n  13| version: 2024-10-11\n",
    ],
)
def test_the_same_structure_without_a_secret_stays(text: str) -> None:
    assert _REDACTOR.redact(text.encode()).decode() == text
