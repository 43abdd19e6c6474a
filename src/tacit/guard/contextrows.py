"""The context rows: secrets that are known by what stands beside them.

A row is (kind, keywords, judge, pattern, example). Keywords are looked for in the lower-cased text
and the pattern is tried there, on the lower-cased text; the judge (in `context.py`) then says which
spans of the text are secret. Patterns stay in the subset that `re` and RE2 share. Data only: the
hook loads this on every event.
"""

from __future__ import annotations

from tacit.guard.judges.sentences import NAMES as TOLD
from tacit.guard.words import OTHER_PASSWORDS

ContextRow = tuple[str, tuple[bytes, ...], str, bytes, str]

NAMES = (
    *OTHER_PASSWORDS, b"password", b"passwd", b"passphrase", b"passcode", b"passwort", b"kennwort", b"contrase\xc3\xb1a", b"mot de passe",
    b"senha", b"wachtwoord", b"l\xc3\xb6senord", b"has\xc5\x82o", b"heslo", b"parola", b"salasana", b"adgangskode", b"passord", b"\xeb\xb9\x84\xeb\xb0\x80\xeb\xb2\x88\xed\x98\xb8",  b"\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c", b"\xd0\x9f\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c",
    b"\xe5\xaf\x86\xe7\xa0\x81", b"\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89", b"pwd", b"storepass", b"keypass", b"bindpw", b"rootpw", b"pass", b"pw", b"secret", b"token", b"apikey", b"accesskey", b"secretkey", b"privatekey",
    b"authkey", b"accountkey", b"sharedkey", b"presharedkey", b"key", b"credential", b"psk", b"pat", b"sessid",
    b"sessionid", b"connect.sid", b"mdp", b"contrasena", b"palavra-passe", b"clave",
    b"\xe5\xaf\x86\xe7\xa2\xbc", b"\xe5\x8f\xa3\xe4\xbb\xa4", b"\xe6\x9a\x97\xe8\xa8\xbc\xe7\x95\xaa\xe5\x8f\xb7",
)  # fmt: skip

_QUOTE = rb"\"{3}|'{3}|\\{0,3}[\"'`]|&quot;|&#34;|&#39;"
_SPACE = rb"[ \t\r\n]"
_OF = rb"[ \t]{1,3}(?:for|to|of|on|in|at|from|f\xc3\xbcr|\xd0\xbe\xd1\x82|\xd0\xb4\xd0\xbb\xd1\x8f|pour|de|del|da|des?)[ \t][^\n=:\"'`]{1,60}?"
_IS = rb"(?:is|was|are|to|will be|should be|lautet|ist|est|es|is now|is still|is just|sera|ser\xc3\xa1|sar\xc3\xa0|era|war|w\xc3\xa4re|\xc3\xa8|\xc3\xa9|\xe6\x98\xaf|\xe3\x81\xaf)"
_NOW = rb"(?:now |set to |jetzt |nun |maintenant |ahora |ora |agora |still |currently |actualmente |attualmente |toujours )?"
# the same in scripts without blanks: is, was set to, became; perhaps with a mark that opens a quotation
_IS_CJK = (
    rb"[ \t]{0,2}(?:\xe7\x8e\xb0\xe5\x9c\xa8|\xe7\x9b\xae\xe5\x89\x8d|\xe5\xb7\xb2|\xe6\x94\xb9|\xe8\xae\xbe|\xe8\xa8\xad|\xe8\xae\xbe\xe7\xbd\xae|\xe9\x87\x8d\xe7\xbd\xae|\xe5\xb0\xb1){0,3}"
    rb"(?:\xe6\x98\xaf|\xe4\xb8\xba|\xe7\x82\xba|\xe6\x88\x90|\xe7\x94\xa8|\xe3\x81\xaf|\xe3\x81\x8c|\xe3\x82\x92)[ \t]{0,2}(?:\xef\xbc\x9a|:)?[ \t]{0,2}(?:\xe3\x80\x8c|\xe3\x80\x8e|\xe3\x80\x90|\xe2\x80\x9c)?"
)
_FENCE = rb"(?:[`~]{3}[a-z]{0,12}[ \t]{0,4}\r?\n[ \t]{0,20})"
_LINES = rb"(?:\r?\n[ \t]{0,20}){1,2}"
_ARROW = rb"\xe2\x86\x92|\xe2\x9e\x9c|\xef\xbc\x88|\xe3\x80\x8c|\xe3\x80\x8e|\xe3\x80\x90"

# What may stand between a name and its value: `= "`, `: `, `: str = `, `", "`, ` is `, `>`, `(`, a blank.
_ASSIGN = (
    rb"(" + b"|".join(name.replace(b".", rb"\.") for name in sorted(NAMES, key=len, reverse=True))
    + rb")[a-z0-9_.-]{0,40}(?: [0-9]{1,2})?(?:" + _QUOTE + rb"|\])*(?:"
    # a name and a value side by side: Kubernetes, XML, plist, Terraform, expect
    rb"([ \t]{0,4},?" + _SPACE + rb"{0,40}[\"']?value[\"']?[ \t]{0,4}[:=][ \t]{0,4}|</key>" + _SPACE + rb"{0,40}<string>"
    rb"|[ \t]{0,4}\{[^{}]{0,200}?default[ \t]{1,8}=[ \t]{0,4}|:?[ \t]{0,4}[\"']?" + _SPACE + rb"{1,20}send[ \t](?:--[ \t])?)"
    # a sign, perhaps with a type before it or a YAML block or an empty line behind it
    rb"|([ \t]{0,20}(?::[ \t]{0,4}[a-z][a-z0-9_.\[\]|?]{1,30}[ \t]{1,4}=|:=|=>|->|=[ \t][^\n=:\"'`]{1,40}?->|={1,3}|:|\xef\xbc\x9a|" + _ARROW + rb")"
    rb"[ \t]{0,20}(?:[|>][+-]?[ \t]{0,4}\r?\n[ \t]{0,20}|" + _LINES + _FENCE + rb"?|string\([0-9]{1,4}\)[ \t]|\[[ \t\r\n]{0,40})?"
    # announced in a sentence, and alone on the next line or in a fence
    rb"|[^\n=:\"'`(]{1,60}?(?:[:\xef\xbc\x9a]{1,3}[ \t]{0,4}" + _LINES + _FENCE + rb"?|[ \t.]{0,4}" + _LINES + _FENCE + rb"))"
    rb"|([ \t]{0,4}," + _SPACE + rb"{0,40})"
    rb"|((?:" + _OF + rb")?[ \t]{0,3}" + _IS + rb"[ \t]{1,3}" + _NOW + rb"|" + _OF + rb":[ \t]{1,3}|" + _IS_CJK + rb")"
    rb"|(>(?:<!\[cdata\[)?)|(\()|([ \t]{1,40}(?:\|[ \t]{1,4})?))"
    rb"(?:[bfrun@$]{0,2}(" + _QUOTE + rb"))?"
)  # fmt: skip

_HEADER = rb"(?:\\{0,3}[\"'])?[ \t]{0,4}(?:[:=,]|=>)[ \t]{0,4}(?:[bfru]?\\{0,3}[\"'`])?"
_SCHEME = rb"(?:(?:bearer|token|apikey|api-key|digest|negotiate|ntlm|ssws|key|bot|oauth|geniekey)[ \t]{1,4})?"

# fmt: off
CONTEXT: tuple[ContextRow, ...] = (
    ("uri-password", (b"://",), "in_uri", rb"://[^ \t\r\n/:@\"'<>`]{0,100}:([^ \t\r\n\"'<>`]{1,200})@[a-z0-9\[_{$*.-]", "postgres://app:" + "k3Jd8sPq0z@db.example.com/app"),
    ("authorization", (b"authorization",), "generated", rb"authorization" + _HEADER + _SCHEME + rb"([^ \t\r\n\"'`,;<>\\]{8,1000})", "Authorization: Token " + "k3Jd8sPq0zLmWx7"),
    ("bearer", (b"bearer",), "generated", rb"bearer(?:[ \t]{1,4}|\r?\n[ \t]{0,8}|%20)([a-z0-9._~+/=-]{10,1000})", "Bearer " + "k3Jd8sPq0zLmWx7"),
    ("basic-auth", (b"basic ",), "basic", rb"basic[ \t]{1,4}([a-z0-9+/]{6,400}={0,2})", "Basic " + "YXBwOmszSmQ4c1Bx"),
    ("basic-auth", (b"auth",), "basic", rb"auth(?:\\{0,3}[\"'])?[ \t]{0,4}[:=][ \t]{0,4}(?:\\{0,3}[\"'])?([a-z0-9+/]{8,400}={0,2})", '"auth": "' + 'YXBwOmszSmQ4c1Bx"'),
    ("cookie", (b"cookie",), "cookies", rb"cookie(?:\\{0,3}[\"'])?(?:[ \t]{0,4}[:=,][ \t]{0,4}|[ \t]{1,4})(?:\\{0,3}[\"'])?([^\r\n\"']{6,1000})", "Cookie: sid=" + "k3Jd8sPq0zLmWx7; theme=dark"),
    ("url-signature", (b"signature=",), "generated", rb"signature=([a-z0-9%+/_~=-]{20,1000})", "X-Amz-Signature=" + "9f2b7c1de8a64053b1f7d2c98e03a46b"),
    ("url-signature", (b"?sig=", b"&sig=", b";sig="), "generated", rb"[?&;]sig=([a-z0-9%+/_~=-]{20,1000})", "&sig=" + "q7Rz2LmX9vTbK4sWp8Yd%3D"),
    ("oauth-code", (b"?code=", b"&code="), "generated", rb"[?&]code=([a-z0-9%/_.~-]{16,1000})", "?code=" + "4/0AeaYSHq7Rz2LmX9vTbK4sWp8Yd"),
    ("pgpass", (b":5432:", b":5433:", b":6432:", b":3306:", b":*:"), "last_field", rb":(?:[0-9]{2,5}|\*):[^: \t\r\n]{1,64}:[^: \t\r\n]{1,64}:([^ \t\r\n:]{4,100})", "db.example.com:5432:app:app:" + "k3Jd8sPq0z"),
    ("netrc", (b"machine",), "whole", rb"machine[ \t\r\n]{1,20}[^ \t\r\n]{1,100}[ \t\r\n]{1,20}(?:login[ \t\r\n]{1,20}[^ \t\r\n]{1,100}[ \t\r\n]{1,20})?(?:account[ \t\r\n]{1,20}[^ \t\r\n]{1,100}[ \t\r\n]{1,20})?password[ \t\r\n]{1,20}([^ \t\r\n\"']{4,200})", "machine example.com login app password " + "k3Jd8sPq0z"),
    ("login", (b"login with", b"log in with", b"sign in with", b"credential", b"creds", b"login:", b"log in as", b"logged in as", b"login is", b"login ist", b"\xe3\x83\xad\xe3\x82\xb0\xe3\x82\xa4\xe3\x83\xb3", b"log in:", b"logins", b"zugangsdaten", b"zugang ", b"identifiants", b"credenciales", b"credenciais", b"credenziali", b"user/pass"), "made_up", rb"(?:user/pass(?:word)?:|log ?in with|sign in with|credentials?|creds|login:|log in:|login is|login ist|\xe3\x83\xad\xe3\x82\xb0\xe3\x82\xa4\xe3\x83\xb3|logins|zugangsdaten|zugang|identifiants|credenciales|credenciais|credenziali|log(?:ged)? in as)[^\n/]{0,40}?[ \t\"'`(][a-z0-9._@-]{2,60}[ \t]?[/:][ \t]?([^ \t\r\n\"'`/,;)]{6,100})", "login with admin / " + "k3Jd8sPq0z"),
    ("sql-password", (b"identified ",), "whole", rb"identified (?:with [a-z_0-9\"']{1,40} )?(?:by|as) (?:password )?(?:\\{0,3}[\"'])([^\"'\n\\,)][^\"'\n\\]{2,199})", "IDENTIFIED BY '" + "k3Jd8sPq0z'"),
    ("cli-password", (b" -u ", b" --user ", b" --user=", b" --proxy-user ", b' -u"', b" -u'"), "made_up", rb" (?:-u|--user|--proxy-user)[ =]{0,2}[\"']?[^ \t\r\n:\"'/]{1,80}:([^ \t\r\n\"']{4,200})", "curl -u app:" + "k3Jd8sPq0z https://example.com"),
    ("cli-password", (b"sshpass",), "whole", rb"sshpass[ \t]{1,4}-p[ \t]{0,4}[\"']?([^ \t\r\n\"']{3,200})", "sshpass -p " + "k3Jd8sPq0z ssh app@example.com"),
    ("cli-password", (b"mysql", b"mariadb", b"7z", b"unrar"), "made_up", rb"(?:mysql|mariadb|7z|unrar)[a-z-]{0,12}[ \t][^\n]{0,200}?[ \t]-p[\"']?([^ \t\r\n\"'-][^ \t\r\n\"']{3,200})", "mysql -u app -p" + "k3Jd8sPq0z shop"),
    ("cli-password", (b"docker login", b"podman login", b"helm registry login", b"redis-cli", b"ldapsearch", b"ldapadd", b"ldapmodify", b"mongo", b"az login", b"oc login", b"sqlcmd", b"zip -p"), "made_up", rb"(?:[a-z ]{0,16}login|redis-cli|ldap[a-z]{3,8}|mongo[a-z]{0,8}|sqlcmd|zip)[ \t][^\n]{0,200}?-(?:p|a|w)[ \t]{1,4}[\"']?([^ \t\r\n\"'-][^ \t\r\n\"']{5,200})", "docker login -u app -p " + "k3Jd8sPq0z"),
    ("cli-password", (b"smbclient",), "made_up", rb"smbclient[^\n]{0,100}?[ \t]-u[ \t]{1,4}[\"']?[^ \t\r\n%\"']{1,60}%([^ \t\r\n\"']{4,100})", "smbclient -U app%" + "k3Jd8sPq0z"),
    ("cli-password", (b" pass:",), "made_up", rb" pass:([^ \t\r\n\"']{4,200})", "openssl enc -pass pass:" + "k3Jd8sPq0z"),
    ("cli-password", (b"authtoken ",), "generated", rb"authtoken[ \t]{1,4}[\"']?([a-z0-9_]{20,80})", "ngrok config add-authtoken " + "2q7Rz2LmX9vTbK4sWp8Yd_k3Jd8"),
    ("cli-password", (b"securestring ",), "made_up", rb"securestring[ \t](?:-string[ \t])?[\"']([^\"'\n]{4,200})", "ConvertTo-SecureString '" + "k3Jd8sPq0z'"),
    ("cli-password", (b"htpasswd",), "made_up", rb"htpasswd[ \t]-[a-z]{0,4}b[a-z]{0,4}[ \t][^ \t\r\n]{1,100}[ \t][^ \t\r\n]{1,60}[ \t][\"']?([^ \t\r\n\"']{4,100})", "htpasswd -bc users app " + "k3Jd8sPq0z"),
    ("cli-password", (b"sqlplus", b"sqlldr"), "made_up", rb"sql(?:plus|ldr)[^\n]{0,40}?[ \t][a-z0-9_]{1,30}/([^@ \t\r\n\"']{3,60})@", "sqlplus app/" + "k3Jd8sPq0z@db"),
    ("cli-password", (b"ssh-keygen",), "whole", rb"ssh-keygen[^\n]{0,200}?[ \t]-n[ \t]{1,4}[\"']([^\"'\n]{4,200})", "ssh-keygen -N '" + "k3Jd8sPq0z'"),
    ("redis-password", (b"requirepass", b"masterauth"), "whole", rb"(?:requirepass|masterauth)[ \t]{1,4}[\"']?([^ \t\r\n\"']{4,200})", "requirepass " + "k3Jd8sPq0z"),
    ("digest-auth", (b"response=",), "generated", rb"response=[\"']?([0-9a-f]{32,128})", 'Digest username="app", response="' + '9f2b7c1de8a64053b1f7d2c98e03a46b"'),
    ("honeycomb-key", (b"honeycomb-team",), "generated", rb"honeycomb-team[\"']?[:=,][ \t]{0,4}[\"']?([0-9a-z]{20,40})", "x-honeycomb-team: " + "q7Rz2LmX9vTbK4sWp8YdAb"),
    ("named-before", (b"value",), "whole", rb"value\"[ \t]{0,4}:[ \t]{0,4}\"([^\"\n]{6,200})\"[ \t\r\n]{0,40},[ \t\r\n]{0,40}\"(?:name|key)\"[ \t]{0,4}:[ \t]{0,4}\"[^\"\n]{0,100}(?:password|secret|token|api_?key|passwd)\"", '"Value": "' + 'k3Jd8sPq0z", "Name": "/app/password"'),
    ("azure-storage-key", (b"keyname",), "generated", rb"keyname\"[^{}]{0,200}?\"value\"[ \t]{0,4}:[ \t]{0,4}\"([0-9a-z+/]{40,100}={0,2})\"", '"keyName": "key1", "value": "' + 'q7Rz2LmX9vTbK4sWp8Ydq7Rz2LmX9vTbK4sWp8Ydq7Rz=="'),
    ("recovery-code", (b"recovery code", b"backup code"), "numbered", rb"(?:recovery|backup) codes?[^\n:]{0,40}?[:\n][ \t\r\n\"'\[*-]{0,10}((?:[0-9a-z]{4,10}(?:-[0-9a-z]{4,10}){0,3}[ \t\r\n,\"'*-]{1,6}){0,15}[0-9a-z]{4,10}(?:-[0-9a-z]{4,10}){1,3})", "recovery codes:\n" + "k3jd8-pq0zl\nw7rt2-yv4bn"),
    ("private-key", (b"-----begin ",), "pem", rb"-----begin [a-z0-9 ]{0,40}(?:private key|seed)(?: block)?-----", "-----BEGIN RSA ""PRIVATE KEY-----\nMIIEk3Jd8sPq0zLmWx7RtY2vBn4c\n-----END RSA PRIVATE KEY-----"),
    ("cli-password", (b"net use",), "made_up", rb"net user?[ \t]{1,4}(?:[a-z]:[ \t]{1,4})?[^ \t\r\n]{1,60}[ \t]{1,4}([^ \t\r\n/*][^ \t\r\n]{3,100})", "net user app " + "k3Jd8sPq0z /add"),
    ("wifi-password", (b"wifi:",), "whole", rb"wifi:[^\n]{0,100}?;p:([^;\n]{8,63})", "WIFI:T:WPA;S:acme;P:" + "k3Jd8sPq0z;;"),
    ("jdbc-password", (b":thin:",), "whole", rb":thin:[^/ \t\r\n@]{1,60}/([^@ \t\r\n]{3,60})@", "jdbc:oracle:thin:app/" + "k3Jd8sPq0z@db"),
    ("seed-phrase", (b"mnemonic", b"phrase", b"seed words"), "whole", rb"(?:mnemonic|phrase|seed words)[^\n]{0,12}?(?:[:=]|is|are)[ \t]{0,4}[\"']?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})", "mnemonic: ripple scissors kick mammal hire column oak again sun offer wealth tomorrow"),
    ("table", (b"password", b"passwd", b"pwd", b"secret", b"token", b"api_key", b"api key", b"pass", b"passwort", b"kennwort", b"clave", b"senha", b"contrase\xc3\xb1a", b"mot de passe"), "column", rb"(?:password|passwd|pwd|secret|token|api[_ ]key|passwort|pass|kennwort|clave|senha|contrase\xc3\xb1a|mot de passe)[ \t\"']{0,40}(?:[|,;\t]|\r?\n)", "user,password\napp," + "k3Jd8sPq0z\n"),
    ("app-password", (b"app_password", b"app password", b"app-password", b"apppassword"), "whole", rb"app[_ -]?password[\"']?[ \t]{0,4}(?:[:=]|is)[ \t]{0,4}[\"']?([a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4})\b", "app_password = " + "qhzt lmwe vbnk oapx"),
    ("named-after", (b" as ",), "named_after", rb" as (?:the|my|your|our|its|a)?[ \t]{0,2}(?:[a-z0-9_-]{1,16} ){0,3}(?:password|passwd|passphrase|token|secret|api[_ -]?key|access key|pass|pwd|pw|pin)\b", "use " + "k3Jd8sPq0z as the password"),
    ("private-key", (b"-----end ",), "key_tail", rb"-----end [a-z0-9 ]{0,40}(?:private key|seed)(?: block)?-----", "k3Jd8sPq0zLmWx7RtY2vBn4cQ9xTz3Lw\nk3Jd8sPq0zLmWx7RtY2vBn4c==\n-----END RSA ""PRIVATE KEY-----"),
    ("terraform-password", (b"random_password",), "terraform", rb"random_password", 'random_password", "result": "' + 'k3Jd8sPq0z"'),
    ("terraform-output", (b'"sensitive"',), "terraform", rb"\"sensitive\"[ \t]{0,4}:[ \t]{0,4}true", '"sensitive": true, "type": "string", "value": "' + 'k3Jd8sPq0z"'),
    ("login", (b" / ", b" admin/", b" root/"), "paired", rb" (?:/ |admin/|root/)([^ \t\r\n\"'`/,;:)]{8,100})", "the login for it was app / " + "k3Jd8!sPq0z"),
    ("login", (b"credential", b"creds", b"login is", b"logins", b"log in as", b"log in with", b"zugangsdaten", b"identifiants", b"credenciales", b"credenciais", b"credenziali"), "paired", rb"(?:credentials?|creds|login is|logins|log in as|log in with|zugangsdaten|identifiants|credenciales|credenciais|credenziali)[^\n/]{0,60}?[ \t\"'`(][a-z0-9][a-z0-9._@+-]{1,60}[\"'`]? (?:and|with|und|mit|et|avec|y|e|con|com) [\"'`]?([^ \t\r\n\"'`/,;)]{8,100})", "the credentials are app and " + "k3Jd8!sPq0z"),
    ("kubernetes-secret", (b"kind: secret", b"kind:secret", b'"kind": "secret"', b'"kind":"secret"', b'kind: "secret"'), "manifest", rb"\"?kind\"?[ \t]{0,4}:[ \t]{0,4}\"?secret\"?[ \t]{0,4}(?:,|\r?\n|\}|$)", "kind: Secret\nstringData:\n  a: " + "k3Jd8sPq0z\n"),
    ("shown-secret", (b"securestring",), "whole", rb"securestring(?:\"[ \t]{0,4},[ \t\r\n]{0,40}\"value\"[ \t]{0,4}:[ \t]{0,4}\"|\r?\n[ \t]{0,8}value:[ \t]{1,4}\"?|\t)([^\"\r\n\t]{4,400})", '"Type": "SecureString", "Value": "' + 'k3Jd8sPq0z"'),
    ("shown-secret", (b"get-parameter", b"output -raw", b"output -json ", b"get-secret-value", b"kv get", b"vault read", b"versions access", b"op read", b"op item get", b"pass show", b"$ pass ", b"find-generic-password", b"secret show", b"get secret", b"get password", b"lpass show", b"secret get", b"secrets get", b"secret-tool lookup", b"create token", b"openssl rand", b"token_urlsafe(", b"print-access-token", b"print-identity-token"), "printed", rb"(?:get-parameter[^\n\x00]{0,200}--with-decryption|output -(?:raw|json [a-z_]{0,30}(?:pass|secret|token|key|cred|login|auth))|get-secret-value|kv get|vault read|versions access|op read|op item get|pass show|\$ pass |find-generic-password|secret show|get secret|get password|lpass show|secrets? get|secret-tool lookup|create token|openssl rand|token_urlsafe\(|print-(?:access|identity)-token)", "$ op read op://vault/db/password\n" + "k3Jd8sPq0Z"),
    ("shown-secret", (b"kv get", b"vault read", b"get-secret-value", b"get-parameters"), "listed", rb"(?:kv get|vault read|get-secret-value|get-parameters[^\n\x00]{0,200}--with-decryption)[^\n\x00]{0,300}\n", "$ vault kv get secret/app\nsigner    " + "q7Rz2LmX9vTbK4sWp8Yd"),
    ("form-password", (b"form-data; name=",), "field", rb"form-data; name=\\{0,3}[\"']?([^\"'\n\\]{1,60})\\{0,3}[\"']?", 'Content-Disposition: form-data; name="password"\r\n\r\n' + "k3Jd8sPq0z"),
    ("call-password", (b"auth=(", b"auth = (", b"basicauth(", b"digestauth(", b".login(", b" login(", b"authenticate(", b"credentials(", b"basic_auth(", b"basicauth.new("), "made_up", rb"[. ]?(?:auth ?= ?|basic_?auth(?:\.new)?|digestauth|login|authenticate|credentials)\([ \t\r\n]{0,8}(?:[a-z_]{1,20}=)?[\"'][^\"'\n]{1,80}[\"'][ \t\r\n]{0,8},[ \t\r\n]{0,8}(?:[a-z_]{1,20}=)?[\"']([^\"'\n]{4,200})[\"']", 'auth=("app", "' + 'k3Jd8sPq0z")'),
    ("call-password", (b"client(", b"client::new(", b"connect(", b"ftp(", b"mysqli(", b"pdo(", b"dialer(", b"smtp(", b"session(", b"api(", b"bot(", b"bind(", b"bind_s(", b"login(", b"auth(", b"sign_in(", b"signin(", b"credential(", b"account("), "called", rb"(?:client(?:::new)?|connect|ftp|mysqli|pdo|dialer|smtp|session|api|bot|bind|bind_s|login|auth|sign_?in|credential|account)\([ \t\r\n]{0,8}(?:[^()\n]{0,120}?[\"'][^\"'\n]{0,120}[\"'],[ \t\r\n]{0,8}[\"']([^\"'\n]{2,200})[\"']|[\"']([^\"'\n]{8,200})[\"'][ \t\r\n]{0,8}[,)])", 'ssh.connect("db", 22, "app", "' + 'k3Jd8sPq0z")'),
    ("call-password", (b"getconnection(",), "made_up", rb"getconnection\([^()\n]{0,8}[ \t\r\n]{0,20}[^()\n]{1,200}?,[ \t\r\n]{0,20}\"[^\"\n]{1,80}\"[ \t\r\n]{0,20},[ \t\r\n]{0,20}\"([^\"\n]{4,200})\"", 'DriverManager.getConnection(url, "app", "' + 'k3Jd8sPq0z")'),
    ("named-auth", (b"_auth=",), "generated", rb"_auth=[\"']?([^ \t\r\n\"']{16,400})", "SENTRY_AUTH=" + "q7Rz2LmX9vTbK4sWp8Yd"),
    ("sql-password", (b"insert into", b"replace into"), "inserted", rb"(?:insert|replace) into ([^(;]{1,120}?)(?:\(([^();]{2,600})\))?[ \t\r\n]{0,20}(?:[a-z_]{0,30}[.'\"(-]{0,3}[>#][ \t]{0,20})?values?[ \t\r\n]{0,20}", "INSERT INTO users (name, password) VALUES ('app', '" + "k3Jd8sPq0z')"),
    ("written-secret", (b"<<",), "written", rb"<<-?[ \t]{0,2}[\"'\\]{0,2}[a-z_]{2,20}[\"']?[^\n]{0,200}\r?\n[ \t]{0,8}([^ \t\r\n=:{}()<>;]{6,300})\r?\n[ \t]{0,8}[a-z_]{2,20}(?:\r?\n|$|\x00)", "cat > db_password.txt <<EOF\n" + "k3Jd8sPq0Z\nEOF\n"),
    ("card", (), "card", rb"[0-9]", "pay with 4539 1488 " + "0343 6467 now"),
    ("iban", (), "iban", rb"[a-z]", "send it to DE89 3704 0044 " + "0532 0130 00"),
    ("pin", (b"pin",), "pin", rb"pin((?:[ -]?(?:code|number|nummer|no))?(?: (?:for|of|zu|zur|f\xc3\xbcr|von|de|del|du|da|della|do|pour|para|per)[^\n.:=]{1,40}?)?[ \t]{0,3}(?::|=|is now|is|ist|lautet|c'est|est|es|\xc3\xa9|\xc3\xa8|\xe2\x86\x92|\xe6\x98\xaf|\xe4\xb8\xba|\xe3\x81\xaf|\xef\xbc\x9a)?[ \t]{0,3}[\"'`]?)([0-9]{4,8})", "my card PIN is " + "4817"),
    ("personal-id", (b"ssn", b"social security", b"national insurance", b"nino", b"n.i. number", b"dni", b"nie", b"nif", b"nir", b"num\xc3\xa9ro de s\xc3\xa9cu", b"s\xc3\xa9curit\xc3\xa9 sociale", b"securite sociale", b"codice fiscale", b"cod. fiscale", b"cpf", b"steuer-id", b"steuerid", b"steuer-identifikations", b"steueridentifikations", b"idnr", b"aadhaar", b"aadhar", b"pan ", b"pan:", b"pan card", b"\xe8\xba\xab\xe4\xbb\xbd\xe8\xaf\x81", b"\xe8\xba\xab\xe4\xbb\xbd\xe8\xad\x89", b"id number", b"id card", b"personnummer", b"pesel", b"\xe3\x83\x9e\xe3\x82\xa4\xe3\x83\x8a\xe3\x83\xb3\xe3\x83\x90\xe3\x83\xbc", b"my number", b"nhs number", b"social insurance", b"personalausweis", b"passport no", b"passport number", b"curp", b"sozialversicherungsn", b"\xec\xa3\xbc\xeb\xaf\xbc\xeb\x93\xb1\xeb\xa1\x9d\xeb\xb2\x88\xed\x98\xb8", b"bsn", b"national id"), "official", rb"(?:ssn|social security|national insurance|nino|n\.i\. number|dni|nie|nif|nir|num\xc3\xa9ro de s\xc3\xa9cu|s\xc3\xa9curit\xc3\xa9 sociale|securite sociale|codice fiscale|cod\. fiscale|cpf|steuer-?id|steuer-?identifikations|idnr|aadhaar|aadhar|pan|\xe8\xba\xab\xe4\xbb\xbd\xe8\xaf\x81|\xe8\xba\xab\xe4\xbb\xbd\xe8\xad\x89|id number|id card|personnummer|pesel|\xe3\x83\x9e\xe3\x82\xa4\xe3\x83\x8a\xe3\x83\xb3\xe3\x83\x90\xe3\x83\xbc|my number|nhs number|social insurance|personalausweis|passport no|passport number|curp|sozialversicherungsn(?:ummer|r)|\xec\xa3\xbc\xeb\xaf\xbc\xeb\x93\xb1\xeb\xa1\x9d\xeb\xb2\x88\xed\x98\xb8|bsn|national id)[^\n0-9]{0,40}?[^a-z0-9\n](?:[a-z]{1,3}[ :])?" + rb"([0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}|[a-z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[a-d]|[xyz]?-?[0-9]{7,8}-?[a-z]|[12] ?[0-9]{2} ?[0-9]{2} ?(?:[0-9]{2}|2[ab]) ?[0-9]{3} ?[0-9]{3}(?: ?[0-9]{2})?|[a-z]{6}[0-9]{2}[a-z][0-9]{2}[a-z][0-9]{3}[a-z]|[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-?[0-9]{2}|[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}|[0-9]{4} ?[0-9]{4} ?[0-9]{4}|[a-z]{5}[0-9]{4}[a-z]|[0-9]{17}[0-9x]|[0-9]{6,8}[-+]?[0-9]{4,7}|[0-9]{3} [0-9]{3} [0-9]{3,4}|[a-z][0-9][0-9a-z]{6}[0-9]|[a-z]{4}[0-9]{6}[a-z]{6}[0-9a-z][0-9]|[0-9]{2} ?[0-9]{6} ?[a-z] ?[0-9]{3})(?:[^0-9a-z]|$)", "her SSN is " + "536-22-8146"),
    ("named-after", (b"| sudo -s", b"| docker login", b"| podman login", b"| gh auth login", b"| cryptsetup", b"| kinit", b"> /run/secrets/"), "named_after", rb"[|>] ", "echo " + "k3Jd8sPq0z | sudo -S ls"),
    ("named-after", (b" (password", b" (passwort", b" (senha", b" (contrase", b" (mot de passe", b" (pw)"), "named_after", rb" \((?:password|passwort|senha|contrase\xc3\xb1a|mot de passe|pw)\)", "app, " + "k3Jd8sPq0z (password)"),
    ("secret", NAMES, "assigned", _ASSIGN, "password = " + "'k3Jd8sPq0z'"),
    ("told", TOLD, "told", rb"(?:" + b"|".join(name.replace(b".", rb"\.") for name in sorted(TOLD, key=len, reverse=True)) + rb")", "the password that it gave me was (" + "k3Jd8!sPq0z)"),
)
# fmt: on
