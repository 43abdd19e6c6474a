"""The judge's vocabulary: words that make a name a secret's name, or a value a placeholder.

Data only.
"""

from __future__ import annotations

# Turkish, Croatian, Hungarian, Greek, Vietnamese, Indonesian, Thai.
OTHER_PASSWORDS = (b"\xc5\x9fifre", b"lozinka", b"jelsz\xc3\xb3", b"\xce\xba\xcf\x89\xce\xb4\xce\xb9\xce\xba\xcf\x8c\xcf\x82", b"m\xe1\xba\xadt kh\xe1\xba\xa9u", b"kata sandi", b"\xe0\xb8\xa3\xe0\xb8\xab\xe0\xb8\xb1\xe0\xb8\xaa\xe0\xb8\x9c\xe0\xb9\x88\xe0\xb8\xb2\xe0\xb8\x99")  # fmt: skip
# Names whose value is a secret unless it plainly is not.
SURE = frozenset(
    b"password passwd passphrase passcode passwort kennwort senha pwd pass pw secret psk secretkey"
    b" storepass keypass bindpw rootpw"
    b" mdp contrasena palavra-passe wachtwoord heslo parola salasana adgangskode passord".split()
) | {
    *OTHER_PASSWORDS,
    b"mot de passe",
    b"l\xc3\xb6senord",
    b"has\xc5\x82o",
    b"\xeb\xb9\x84\xeb\xb0\x80\xeb\xb2\x88\xed\x98\xb8",
    b"contrase\xc3\xb1a",
    b"\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c",
    b"\xd0\x9f\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c",
    b"\xe5\xaf\x86\xe7\xa0\x81",
    b"\xe5\xaf\x86\xe7\xa2\xbc",
    b"\xe5\x8f\xa3\xe4\xbb\xa4",
    b"\xe6\x9a\x97\xe8\xa8\xbc\xe7\x95\xaa\xe5\x8f\xb7",
    b"\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89",
}

# Names that count only where they stand alone in a name: `key` in `api_key`, not in `monkey`.
WHOLE = frozenset(b"key pass pw pat psk pwd mdp clave".split())

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
    b" preshared auth app fernet product activation application admin service role client consumer storage webhook ssh"
    b" session"
    b" cookie deploy write server root jwt hmac aes license integration ingest subscription live"
    b" decryption validation prod unseal recovery seal rest user personal project x".split()
)

# Values that stand where a secret would: types, states, the word itself.
ORDINARY = frozenset(
    b"string str bytes uint8array text int integer number boolean bool any object optional secretstr varchar"
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
    b" http:// https:// env. enc[ {{ %{ ${ $( <% #{ %( [redacted".split()
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

# What names a password in a sentence; and what names a key, whose value must look generated.
TOLD_PASSWORDS = (
    *OTHER_PASSWORDS, b"l\xc3\xb6senordet", b"adgangskoden", b"passordet",
    b"password", b"passwd", b"passphrase", b"passcode", b"passwort", b"kennwort", b"contrase\xc3\xb1a",
    b"contrasena", b"mot de passe", b"mdp", b"senha", b"palavra-passe", b"parola d'ordine", b"wachtwoord",
    b"parola", b"code wifi", b"pass", b"pw", b"pwd", b"clave", b"heslo", b"l\xc3\xb6senord", b"has\xc5\x82o", b"has\xc5\x82em",
    b"\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c", b"\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd0\xb5\xd0\xbc",
    b"\xeb\xb9\x84\xeb\xb0\x80\xeb\xb2\x88\xed\x98\xb8", b"\xeb\xb9\x84\xeb\xb2\x88", b"\xe5\xaf\x86\xe7\xa0\x81", b"\xe5\xaf\x86\xe7\xa2\xbc", b"\xe5\x8f\xa3\xe4\xbb\xa4",
    b"\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89",
)  # fmt: skip
TOLD_KEYS = (
    b"api key", b"api-key", b"apikey", b"license key", b"licence key", b"product key", b"activation key", b"activation code", b"lizenzschl\xc3\xbcssel", b"secret key", b"access key", b"signing secret", b"client secret",
    b"preshared key", b"pre-shared key", b"secret client", b"clave secreta", b"clave de", b"secret", b"jeton", b"\xd0\xba\xd0\xbb\xd1\x8e\xd1\x87", b"cl\xc3\xa9 d'api",
    b"cl\xc3\xa9 api", b"cl\xc3\xa9 secr", b"schl\xc3\xbcssel", b"chiave api", b"chiave segreta", b"chave de api",
    b"chave api", b"chave secreta", b"segreto", b"webhook secret", b"token", b" key", b"chiave", b"chave", b"cl\xc3\xa9", b"api\xe3\x82\xad\xe3\x83\xbc",
    b"\xe3\x83\x88\xe3\x83\xbc\xe3\x82\xaf\xe3\x83\xb3", b"\xe5\xaf\x86\xe9\x92\xa5", b"\xe5\xaf\x86\xe9\x91\xb0",
    b"\xe3\x82\xb7\xe3\x83\xbc\xe3\x82\xaf\xe3\x83\xac\xe3\x83\x83\xe3\x83\x88",
)  # fmt: skip
# What stands right before a value that is told.
ANNOUNCING = (b":", b" is", b" ist", b" est", b"'est", b" es", b" era", b" \xc3\xa8", b" \xc3\xa9", b" lautet",
               b" was", b" er", b" \xc3\xa4r", b"\xef\xbc\x9a", b"\xe2\x86\x92", b"\xe6\x98\xaf", b"\xe3\x81\xaf")  # fmt: skip
# How a value begins that names an algorithm or a program.
ALGORITHMS = tuple(
    b"gpt- sha md5 argon bcrypt scrypt pbkdf aes- aes1 aes2 rsa- rsa2 rsa4 ed25519 utf base64 oauth http 0x"
    b" python node ubuntu debian postgres mysql redis 1password".split()
)

# Words of a login; columns that hold secrets; what joins a PIN with its digits; whose PIN it is; cards.
LOGINS = (b"login", b"credential", b"credenc", b"credenz", b"identifiant", b"wifi", b"wi-fi", b"wlan", b"ssid", b"log in", b"passw", b"user", b"zugang", b"acc\xc3\xa8s", b"acceso", b"acesso", b"accesso",
           b"entra con", b"creds", b"ftp", b"\xe8\xb4\xa6\xe5\x8f\xb7", b"\xe5\xb8\xb3\xe8\x99\x9f",
           b"\xe3\x83\xad\xe3\x82\xb0\xe3\x82\xa4\xe3\x83\xb3")  # fmt: skip
# Tables whose rows hold logins; what asks for a value that the next line may give.
OF_LOGINS = tuple(
    b"user account login cred usuario utente utilisateur benutzer secret member".split()
)
ASKING = (b"?", b"\xef\xbc\x9f", b"what", b"send", b"need", b"remind", b"which")
COLUMNS = (b"pass", b"pw", b"clave", b"kennwort", b"mot_de_passe", b"mdp", b"password", b"passwd", b"passphrase", b"pwd", b"secret", b"token", b"api_key", b"apikey",
            b"access_key", b"private_key", b"passwort", b"senha", b"contrasena")  # fmt: skip
TELLING = (b":", b"=", b" is ", b" ist ", b" lautet ", b" est ", b"'est ", b" es ", b"\xc3\xa9 ", b"\xc3\xa8 ",
            b"\xe6\x98\xaf", b"\xe4\xb8\xba", b"\xe3\x81\xaf", b"\xef\xbc\x9a", b"\xe2\x86\x92")  # fmt: skip
OF_PINS = (b"my ", b"card", b"karte", b"carte", b"tarjeta", b"cart", b"c\xc3\xb3digo", b"codigo", b"codice",
            b"bank", b"sim", b"phone", b"door", b"mein", b"mon ", b"mi ", b"meu ", b"mio ", b"il ")  # fmt: skip
CARDS = (
    b"card", b"karte", b"carte", b"tarjeta", b"cart\xc3\xa3o", b"cartao", b"carta ", b"visa", b"master", b"amex",
    b"maestro", b"\xe5\x8d\xa1", b"\xe3\x82\xab\xe3\x83\xbc\xe3\x83\x89", b"pan:", b'pan"', b"pan=",
)  # fmt: skip
