"""The judge's vocabulary: words that make a name a secret's name, or a value a placeholder.

Data only.
"""

from __future__ import annotations

# Names whose value is a secret unless it plainly is not.
SURE = frozenset(
    b"password passwd passphrase passcode passwort kennwort senha pwd pass pw secret psk secretkey"
    b" storepass keypass bindpw rootpw"
    b" wachtwoord heslo parola salasana adgangskode passord".split()
) | {
    b"mot de passe",
    b"l\xc3\xb6senord",
    b"has\xc5\x82o",
    b"\xeb\xb9\x84\xeb\xb0\x80\xeb\xb2\x88\xed\x98\xb8",
    b"contrase\xc3\xb1a",
    b"\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c",
    b"\xd0\x9f\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c",
    b"\xe5\xaf\x86\xe7\xa0\x81",
    b"\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89",
}

# Names that count only where they stand alone in a name: `key` in `api_key`, not in `monkey`.
WHOLE = frozenset(b"key pass pw pat psk pwd".split())

# The next word of an identifier that makes it the name of something else: `password_policy`.
TAILS = frozenset(
    b"count type url uri endpoint name length len size limit max min policy field label placeholder"
    b" hint ttl lifetime path file dir header param params ref regex pattern format version index"
    b" usage budget cost age strength score manager store service provider reset change confirm"
    b" confirmation required rule rules prompt input event error status resolver generator factory"
    b" helper model schema rotation scope scopes issuer mount arn namespace less stream per window"
    b" bucket estimate public pub fingerprint hash digest toggle checks authority iterations rounds"
    b" alias kind class group history complexity config settings enabled disabled request response"
    b" based screen page form view check id filter list".split()
)
# … or the ending of a file: `password.ts`.
EXTENSIONS = frozenset(
    b"c cpp cs css ex go h html java js json jsx kt lock md php py rb rs sh sql swift toml ts tsx"
    b" txt"
    b" vue xml yaml yml".split()
)
TAIL_STEMS = (b"expir", b"valid", b"encod", b"encrypt", b"algo", b"iz", b"verif", b"hash")

# The word before, likewise: `max_tokens`, `public_key`.
HEADS = frozenset(
    b"max min num total count page next prev continuation pagination sync stop eos bos pad unk mask"
    b" special public publishable primary foreign cache sort partition hash object lookup unique"
    b" idempotency translation i18n row group order range composite natural surrogate short hot"
    b" cancellation cancel input output completion no is has show hide toggle forgot reset change"
    b" invalid missing syntax lexer query map entry first last dedup event message msg cursor"
    b" feature tag search join kv data item field column config setting prop attr registry pub"
    b" restore".split()
)

# The word before `key` that makes it a secret one.
KEYS = frozenset(
    b"api access secret private priv signing sign encryption encrypt enc master account shared"
    b" preshared auth app application admin service role client consumer storage webhook ssh"
    b" session"
    b" cookie deploy write server root jwt hmac aes license integration ingest subscription live"
    b" decryption validation prod unseal recovery seal rest user personal project x".split()
)

# Values that stand where a secret would: types, states, the word itself.
ORDINARY = frozenset(
    b"string str bytes text int integer number boolean bool any object optional secretstr varchar"
    b" char required hidden true false null none nil undefined yes no on off password passwd pass"
    b" pwd secret token key apikey username user email login name value default empty input field"
    b" prompt bearer basic jwt opaque access refresh invalid expired missing unknown inherit"
    b" example"
    b" test sample dummy fake todo tbd self this function const let var return await async void"
    b" never unset disabled enabled auto manual env environment vault file config redacted hashed"
    b" encrypted plaintext masked omitted removed private public mandatory forgotten".split()
)

# What a placeholder holds: these signs anywhere, a word that begins so, or one of these words.
HOLES = (
    b"<",
    b"${",
    b"{{",
    b"...",
    b"\xe2\x80\xa6",
    b"***",
    b"%s",
    b"%(",
    b"$(",
    b"#{",
    b"\xe2\x80\xa2",
)
STANDIN_STEMS = (b"your", b"change", b"placeholder", b"redacted", b"insert", b"xxx", b"todo")
STANDINS = frozenset(
    b"replace replaceme example dummy fake mock sample here hidden masked filtered notreal some my"
    b" foo".split()
)
# How a value begins that says where the secret is kept.
REFERENCES = tuple(
    b"op:// vault: arn: ssm: secretsmanager @microsoft.keyvault ref+ keyring: keychain: env: file:"
    b" http:// https:// env. enc[ {{ ${ $( <% #{ %( [redacted".split()
)

# Words of sentences for people.
PROSE = frozenset(
    b"is are the a an your you must please enter and or not to of for with be this that in on at"
    b" least has have required invalid incorrect wrong forgot reset new old my it was should can"
    b" cannot characters long matches match expired der die das ist und le la les el los"
    b" una".split()
)

# How code begins and what it holds, where a literal does not.
CODE_STARTS = tuple(b"$ @ & * ! ( [ { < | > / ~/ ./ # .. f\" f' `".split())
CODE_SIGNS = tuple(b".* .+ [^ \\S \\w { :// =>".split())
