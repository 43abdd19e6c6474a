"""The rows: secrets that are known by their own shape.

A row is (name, keywords, reach, pattern, example). The pattern is tried where a keyword stands:
exactly there with reach 0 (and only if no letter or digit is glued to its left), within *reach*
bytes around it otherwise (then the keyword is looked for in lower case). So a text without keywords
costs next to nothing, and no input is slower than linear: a pattern that may run long begins where
nothing can be glued to it. Patterns stay in the subset that `re` and RE2 share; their first group,
else the whole match, is the secret. Examples are split, so that no scanner takes this file for a
leak; each is its row's test.
"""

from __future__ import annotations

Row = tuple[str, tuple[bytes, ...], int, bytes, str]

_HEX32 = "9f2b7c1de8a64053b1f7d2c98e03a46b"
_HEX40 = "3b9d1f6a7c2e8054d1b6f93a0c7e4d285f1a6b9c"
_HEX64 = _HEX32 + "c4d81e6f20a97b35e1d0f8c72b6a9e43"
_MIX20 = "q7Rz2LmX9vTbK4sWp8Yd"
_MIX40 = "Zt5bQ8nXw2LrV7kMd3HsJ9fPcY6gTe1uRa4oBi0x"
_UUID = "4f1c9a7e-2b6d-4e83-9a5f-c07d1e38b264"

# fmt: off
CLOUD: tuple[Row, ...] = (
    ("aws-access-key", (b"AKIA", b"ASIA", b"ABIA", b"ACCA"), 0, rb"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}\b(?:[\"']?[ \t]{0,4}[,:|\t][ \t]{0,4}[\"']?[A-Za-z0-9/+]{40}\b)?", "AKIA" + "Q3EGRZ7TLJ5WNMDV"),
    ("gcp-api-key", (b"AIza",), 0, rb"AIza[0-9A-Za-z_-]{35}", "AIza" + "Sy" + _MIX40[:33]),
    ("gcp-oauth-token", (b"ya29.",), 0, rb"ya29\.[0-9A-Za-z_-]{20,400}", "ya29." + "a0Af" + _MIX40),
    ("gcp-client-secret", (b"GOCSPX-",), 0, rb"GOCSPX-[0-9A-Za-z_-]{20,40}", "GOCSPX-" + _MIX40[:28]),
    ("gcp-refresh-token", (b"1//0",), 0, rb"1//0[0-9A-Za-z_-]{30,200}", "1//0" + "g" + _MIX40),
    ("fernet-key", (b"fernet",), 200, rb"(?:^|[^0-9A-Za-z_=-])([0-9A-Za-z_-]{43}=)", "Fernet(b'" + _MIX40 + "k3J='"),
    ("firebase-key", (b":apa91b",), 32, rb"AAAA[0-9A-Za-z_-]{7}:APA91b[0-9A-Za-z_-]{20,200}", "AAAAk3jP9xQ:" + "APA91b" + _MIX40),
    ("azure-client-secret", (b"q~",), 48, rb"[0-9A-Za-z_~.-]{3}[0-9]Q~[0-9A-Za-z_~.-]{31,34}", "k3J8" + "Q~" + _MIX40[:34]),
    ("azure-storage-key", (b"+ast",), 96, rb"[0-9A-Za-z+/]{76}\+ASt[0-9A-Za-z+/]{5}==", _MIX40 + _MIX40[:36] + "+ASt" + "k3Jd8=="),
    ("azure-registry-key", (b"+acr",), 60, rb"[0-9A-Za-z+/]{42}\+ACR[A-D0-9][0-9A-Za-z]{5}\b", _MIX40 + "k3" + "+ACR" + "D49Fkx"),
    ("azure-devops-token", (b"azdo",), 90, rb"[0-9A-Za-z]{76}AZDO[0-9A-Za-z]{4}\b", _MIX40 + _MIX40[:36] + "AZDO" + "k3Jd"),
    ("azure-ai-key", (b"jqqj99",), 90, rb"[0-9A-Za-z]{52}JQQJ99[0-9A-Za-z]{18,26}\b", _MIX40 + _MIX20[:12] + "JQQJ99" + _MIX40[:26]),
    ("digitalocean-token", (b"dop_v1_", b"doo_v1_", b"dor_v1_"), 0, rb"do[opr]_v1_[a-f0-9]{40,64}", "dop_v1_" + _HEX64),
    ("alibaba-key", (b"LTAI",), 0, rb"LTAI[0-9A-Za-z]{12,30}\b", "LTAI" + "5t" + _MIX20),
    ("tencent-key", (b"AKID",), 0, rb"AKID[0-9A-Za-z]{13,44}\b", "AKID" + "z8krbsJ5yKBZQpn74WFkmLPx3"),
    ("yandex-key", (b"AQVN",), 0, rb"AQVN[0-9A-Za-z_-]{30,50}", "AQVN" + _MIX40),
    ("ibm-key", (b"iam-ServiceId",), 0, rb"iam-ServiceId-[0-9a-f-]{36}", "iam-" + "ServiceId-" + _UUID),
    ("vault-token", (b"hvs.", b"hvb.", b"hvr."), 0, rb"hv[sbr]\.[0-9A-Za-z_-]{20,400}", "hvs." + "CAES" + _MIX40),
    ("vault-token", (b"vault",), 200, rb"\bs\.[0-9A-Za-z]{24}\b", "vault login " + "s.k3Jd8sPq0zLmWx7RtY2vBn4c"),
    ("terraform-token", (b".atlasv1.",), 16, rb"[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=-]{40,80}", "k3Jd8sPq0zLmWx" + ".atlasv1." + _MIX40 + _MIX20),
    ("pulumi-token", (b"pul-",), 0, rb"pul-[a-f0-9]{40}\b", "pul-" + _HEX40),
    ("doppler-token", (b"dp.pt.", b"dp.st.", b"dp.ct.", b"dp.sa.", b"dp.scim.", b"dp.audit."), 0, rb"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[0-9A-Za-z]{40,44}", "dp.pt." + _MIX40 + "abcd"),
    ("databricks-token", (b"dapi",), 0, rb"dapi[a-f0-9]{32}(?:-[0-9])?\b", "dapi" + _HEX32),
    ("planetscale-token", (b"pscale_",), 0, rb"pscale_[a-z]{2,6}_[0-9A-Za-z=._-]{30,70}", "pscale_" + "tkn_" + _MIX40),
    ("supabase-token", (b"sbp_", b"sb_secret_"), 0, rb"(?:sbp_[a-f0-9]{40}|sb_secret_[0-9A-Za-z_-]{20,60})", "sbp_" + _HEX40),
    ("neon-token", (b"napi_", b"npg_"), 0, rb"(?:napi_[0-9a-z]{40,80}|npg_[0-9A-Za-z]{10,24})\b", "npg_" + "K4sWp8YdQ7Rz"),
    ("fly-token", (b"fo1_", b"fm1r_", b"fm1a_", b"fm2_"), 0, rb"f(?:o1|m1[ar]|m2)_[0-9A-Za-z+/=_-]{30,800}", "fo1_" + _MIX40 + "abc"),
    ("vercel-token", (b"vercel_blob_rw_", b"vcp_", b"vck_", b"vci_", b"vca_"), 0, rb"(?:vercel_blob_rw|vc[pkia])_[0-9A-Za-z_]{20,90}", "vercel_" + "blob_rw_" + _MIX40),
    ("netlify-token", (b"nfp_", b"nfb_", b"nfc_", b"nfo_", b"nfu_"), 0, rb"nf[pbcou]_[0-9A-Za-z]{36,40}", "nfp_" + _MIX40),
    ("cloudflare-token", (b"v1.0-", b"cfut_", b"cfat_", b"cfk_"), 0, rb"(?:v1\.0-[a-f0-9]{24}-[a-f0-9]{100,160}|cf(?:ut|at|k)_[0-9A-Za-z_-]{32,60})", "v1.0-" + _HEX32[:24] + "-" + _HEX64 + _HEX64 + _HEX32[:18]),
    ("heroku-key", (b"HRKU-",), 0, rb"HRKU-[0-9A-Za-z_-]{30,80}", "HRKU-" + "AA" + _MIX40),
    ("render-key", (b"rnd_",), 0, rb"rnd_[0-9A-Za-z]{24,40}\b", "rnd_" + _MIX40[:28]),
    ("scaleway-key", (b"SCW",), 0, rb"SCW[0-9A-Z]{17}\b", "SCW" + "Q3EGRZ7TLJ5WNMDVX"),
    ("tailscale-key", (b"tskey-",), 0, rb"tskey-[a-z]{2,10}-[0-9A-Za-z]{8,30}(?:-[0-9A-Za-z]{8,50})?", "tskey-" + "auth-kD7fJ2CNTRL-" + _MIX40[:32]),
    ("aiven-password", (b"AVNS_",), 0, rb"AVNS_[0-9A-Za-z_-]{15,30}", "AVNS_" + _MIX20),
    ("confluent-key", (b"cflt",), 0, rb"cflt[0-9A-Za-z/+]{50,64}", "cflt" + _MIX40 + _MIX20),
    ("cloudinary-url", (b"cloudinary://",), 0, rb"cloudinary://[0-9]{8,20}:([0-9A-Za-z_-]{10,60})@", "cloudinary://" + "487192366415829:" + _MIX20 + "@demo"),
)

FORGES: tuple[Row, ...] = (
    ("github-token", (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"), 0, rb"gh[pousr]_[0-9A-Za-z]{30,255}", "ghp_" + _MIX40[:36]),
    ("github-pat", (b"github_pat_",), 0, rb"github_pat_[0-9A-Za-z_]{22,255}", "github_pat_" + "11ABCDE" + _MIX40),
    ("gitlab-token", (b"glpat-", b"gldt-", b"glrt-", b"glrtr-", b"glptt-", b"glft-", b"glimt-", b"glagent-", b"gloas-", b"glsoat-", b"glcbt-", b"glffct-", b"glwt-"), 0, rb"gl(?:pat|dt|rt|rtr|ptt|ft|imt|agent|oas|soat|cbt|ffct|wt)-[0-9A-Za-z_=.-]{16,300}", "glpat-" + _MIX20),
    ("gitlab-runner-token", (b"GR1348941",), 0, rb"GR1348941[0-9A-Za-z_-]{20,40}", "GR1348941" + _MIX20),
    ("bitbucket-password", (b"ATBB",), 0, rb"ATBB[0-9A-Za-z_=-]{24,60}", "ATBB" + _MIX40[:32]),
    ("atlassian-token", (b"ATATT3", b"ATCTT3", b"ATOAT"), 0, rb"AT(?:ATT3|CTT3|OAT)[0-9A-Za-z_=-]{20,400}", "ATATT3" + "xFfGF0" + _MIX40),
    ("npm-token", (b"npm_",), 0, rb"npm_[0-9A-Za-z]{36}", "npm_" + _MIX40[:36]),
    ("pypi-token", (b"pypi-",), 0, rb"pypi-[0-9A-Za-z_-]{40,300}", "pypi-" + "AgEIcHlwaS5vcmc" + _MIX40),
    ("rubygems-key", (b"rubygems_",), 0, rb"rubygems_[a-f0-9]{40,64}", "rubygems_" + _HEX40 + "12345678"),
    ("cargo-token", (b"cio",), 0, rb"cio[0-9A-Za-z]{32}\b", "cio" + _MIX40[:32]),
    ("nuget-key", (b"oy2",), 0, rb"oy2[a-z0-9]{43}\b", "oy2" + "k4swp8ydq7rz2lmx9vtbk4swp8ydq7rz2lmx9vtbk4s"),
    ("docker-token", (b"dckr_pat_", b"dckr_oat_"), 0, rb"dckr_[po]at_[0-9A-Za-z_-]{20,60}", "dckr_" + "pat_" + _MIX40[:27]),
    ("jfrog-key", (b"AKCp", b"cmVmdGtuO"), 0, rb"(?:AKCp[0-9A-Za-z]{60,80}|cmVmdGtuO[0-9A-Za-z]{40,80})", "AKCp8" + _MIX40 + _MIX40[:28]),
    ("sonar-token", (b"squ_", b"sqp_", b"sqa_"), 0, rb"sq[upa]_[a-f0-9]{40}", "squ_" + _HEX40),
    ("circleci-token", (b"CCIPAT_", b"CCIPRJ_"), 0, rb"CCIP(?:AT|RJ)_[0-9A-Za-z]{16,30}_[0-9a-f]{40}", "CCIPAT_" + _MIX20 + "ab_" + _HEX40),
    ("buildkite-token", (b"bkua_", b"bkaj_", b"bkat_", b"bkct_", b"bkpt_", b"bkar_"), 0, rb"bk(?:ua|aj|at|ct|pt|ar)_[0-9A-Za-z]{32,60}", "bkua_" + _HEX40),
    ("clojars-token", (b"CLOJARS_",), 0, rb"CLOJARS_[0-9a-z]{60}", "CLOJARS_" + _HEX40 + "k4swp8ydq7rz2lmx9vtb"),
    ("sourcegraph-token", (b"sgp_",), 0, rb"sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}", "sgp_" + _HEX40),
    ("snyk-token", (b"snyk_",), 0, rb"snyk_[a-z0-9]{2,6}\.[0-9A-Za-z._-]{40,200}", "snyk_" + "uat." + _MIX40),
    ("postman-key", (b"PMAK-",), 0, rb"PMAK-[0-9a-f]{24}-[0-9a-f]{34}", "PMAK-" + _HEX32[:24] + "-" + _HEX40[:34]),
    ("prefect-key", (b"pnu_", b"pnb_"), 0, rb"pn[ub]_[0-9A-Za-z]{36}", "pnu_" + _MIX40[:36]),
    ("infracost-key", (b"ico-",), 0, rb"ico-[0-9A-Za-z]{32}\b", "ico-" + _MIX40[:32]),
    ("readme-key", (b"rdme_",), 0, rb"rdme_[0-9a-z]{60,80}", "rdme_" + _HEX64 + "abcdef"),
    ("gitlab-session", (b"_gitlab_session=",), 0, rb"_gitlab_session=([0-9A-Za-z]{20,64})", "_gitlab_" + "session=" + _HEX32),
)

MONEY: tuple[Row, ...] = (
    ("stripe-key", (b"sk_live_", b"sk_test_", b"rk_live_", b"rk_test_", b"sk_org_", b"rk_org_"), 0, rb"[sr]k_(?:live|test|org)_[0-9A-Za-z_]{10,250}", "sk_" + "live_" + _MIX40[:24]),
    ("stripe-webhook-secret", (b"whsec_",), 0, rb"whsec_[0-9A-Za-z+/=]{16,100}", "whsec_" + _MIX40[:32]),
    ("square-token", (b"sq0atp-", b"sq0csp-", b"sq0idp-", b"EAAA"), 0, rb"(?:sq0(?:atp|csp|idp)-[0-9A-Za-z_-]{20,50}|EAAA[0-9A-Za-z_-]{50,80})", "sq0" + "csp-" + _MIX40 + "abc"),
    ("braintree-token", (b"access_token$",), 0, rb"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}", "access_token" + "$production$k4swp8ydq7rz2lmx$" + _HEX32),
    ("adyen-key", (b"AQE",), 0, rb"AQE[a-z][0-9A-Za-z+/=_-]{60,400}", "AQEy" + _MIX40 + _MIX40),
    ("razorpay-key", (b"rzp_live_", b"rzp_test_"), 0, rb"rzp_(?:live|test)_[0-9A-Za-z]{14,24}", "rzp_" + "live_q7Rz2LmX9vTbK4"),
    ("paddle-key", (b"pdl_",), 0, rb"pdl_(?:live|sdbx)_apikey_[0-9A-Za-z_]{20,90}", "pdl_" + "live_apikey_" + _MIX40),
    ("plaid-token", (b"access-sandbox-", b"access-production-", b"access-development-"), 0, rb"access-(?:sandbox|production|development)-[0-9a-f-]{36}", "access-" + "production-" + _UUID),
    ("shopify-token", (b"shpat_", b"shpca_", b"shppa_", b"shpss_", b"shpua_", b"shptka_"), 0, rb"shp(?:at|ca|pa|ss|ua|tka)_[0-9A-Fa-f]{32}", "shpat_" + _HEX32),
    ("flutterwave-key", (b"FLWSECK",), 0, rb"FLWSECK(?:_TEST)?-[0-9A-Za-z]{12,40}(?:-X)?", "FLWSECK" + "_TEST-" + _HEX32 + "-X"),
    ("easypost-key", (b"EZAK", b"EZTK"), 0, rb"EZ[AT]K[0-9A-Za-z]{54}", "EZAK" + _MIX40 + "k4sWp8YdQ7Rz2L"),
    ("shippo-token", (b"shippo_live_", b"shippo_test_"), 0, rb"shippo_(?:live|test)_[0-9a-f]{40}", "shippo_" + "live_" + _HEX40),
    ("duffel-token", (b"duffel_live_", b"duffel_test_"), 0, rb"duffel_(?:live|test)_[0-9A-Za-z_=-]{43}", "duffel_" + "live_" + _MIX40 + "abc"),
    ("paypal-token", (b"A21AA",), 0, rb"A21AA[0-9A-Za-z_-]{60,120}", "A21AA" + _MIX40 + _MIX40),
)

CHAT: tuple[Row, ...] = (
    ("slack-token", (b"xoxb-", b"xoxp-", b"xoxa-", b"xoxr-", b"xoxs-", b"xoxo-", b"xoxc-", b"xoxd-", b"xoxe"), 0, rb"xox(?:[abcdoprs]-|e[.-])(?:xox[bp]-)?[0-9A-Za-z%+/=_-]{10,400}", "xoxb-" + "2417309815-2417309822-" + _MIX20),
    ("slack-app-token", (b"xapp-",), 0, rb"xapp-[0-9]-[0-9A-Za-z-]{20,200}", "xapp-" + "1-A02BCDEFG-2417309815-" + _HEX64),
    ("slack-webhook", (b"hooks.slack.com/",), 0, rb"hooks\.slack\.com/((?:services|workflows|triggers)/[0-9A-Za-z+/_-]{20,140})", "hooks.slack" + ".com/services/T02ABCDEF/B02GHIJKL/" + _MIX20 + "abcd"),
    ("discord-webhook", (b"/api/webhooks/",), 0, rb"/api/webhooks/([0-9]{15,22}/[0-9A-Za-z_-]{40,100})", "discord.com" + "/api/webhooks/987654321098765432/" + _MIX40 + _MIX20),
    ("discord-token", (b"discord", b".login(", b"bot ", b"bot.run(", b"client.run("), 200, rb"(?:\b[MNO][0-9A-Za-z_-]{22,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,40}|mfa\.[0-9A-Za-z_-]{80,90})", "discord " + "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe." + _MIX40[:38]),
    ("teams-webhook", (b".webhook.office.com/",), 0, rb"\.webhook\.office\.com/(webhookb2/[0-9A-Za-z@/-]{60,300})", "acme.webhook.office.com/webhookb2/" + _UUID + "@" + _UUID + "/IncomingWebhook/" + _HEX32),
    ("telegram-token", (b":aa",), 48, rb"[0-9]{8,10}:AA[0-9A-Za-z_-]{32,34}", "7123456789:" + "AA" + _MIX40[:33]),
    ("twilio-key", (b"twilio",), 200, rb"\bSK[0-9a-f]{32}\b", "TWILIO " + "SK" + _HEX32),
    ("twilio-token", (b"twilio",), 200, rb"\bAC[0-9a-f]{32}[\"']?[ \t]{0,4}[,:][ \t]{0,4}[\"']?([0-9a-f]{32})\b", "Twilio(" + "AC" + _HEX32 + ", " + _HEX32[::-1] + ")"),
    ("sendgrid-key", (b"SG.",), 0, rb"SG\.[0-9A-Za-z_-]{16,32}\.[0-9A-Za-z_-]{16,64}", "SG." + _MIX20 + "ab." + _MIX40 + "abc"),
    ("mailgun-key", (b"key-", b"pubkey-"), 0, rb"(?:pub)?key-[0-9a-f]{32}\b", "key-" + _HEX32),
    ("mailgun-token", (b"mailgun",), 200, rb"\b[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b", "mailgun " + _HEX32 + "-1a2b3c4d-5e6f7a8b"),
    ("mailchimp-key", (b"mailchimp", b"-us1", b"-us2"), 200, rb"\b[0-9a-f]{32}-us[0-9]{1,2}\b", _HEX32 + "-us" + "14"),
    ("brevo-key", (b"xkeysib-", b"xsmtpsib-"), 0, rb"x(?:key|smtp)sib-[0-9a-f]{64}-[0-9A-Za-z]{16}", "xkeysib-" + _HEX64 + "-q7Rz2LmX9vTbK4sW"),
    ("resend-key", (b"re_",), 0, rb"re_[0-9A-Za-z]{8}_[0-9A-Za-z]{20,32}\b", "re_" + "q7Rz2LmX_" + _MIX40[:24]),
    ("intercom-token", (b"dG9rO",), 0, rb"dG9rO[0-9A-Za-z+/]{30,100}={0,2}", "dG9rO" + "jRkZj" + _MIX40),
    ("facebook-token", (b"EAAC", b"EAAG", b"EAAB", b"EAAD"), 0, rb"EAA[BCDG][0-9A-Za-z]{60,300}", "EAAG" + _MIX40 + _MIX40),
)

AI: tuple[Row, ...] = (
    ("anthropic-key", (b"sk-ant-",), 0, rb"sk-ant-[0-9A-Za-z_-]{20,200}", "sk-ant-" + "api03-" + _MIX40),
    ("openai-key", (b"sk-proj-", b"sk-svcacct-", b"sk-admin-", b"sk-None-"), 0, rb"sk-(?:proj|svcacct|admin|None)-[0-9A-Za-z_-]{20,300}", "sk-proj-" + _MIX40 + _MIX40),
    ("openrouter-key", (b"sk-or-",), 0, rb"sk-or-(?:v[0-9]-)?[0-9A-Za-z]{32,80}", "sk-or-v1-" + _HEX64),
    ("langfuse-key", (b"sk-lf-",), 0, rb"sk-lf-[0-9a-f-]{36}", "sk-lf-" + _UUID),
    ("sk-key", (b"sk-", b"sk_"), 0, rb"sk[-_](?:[0-9A-Za-z]{2,12}[-_])?[0-9A-Za-z]{20,160}\b", "sk-" + _MIX20 + "T3BlbkFJ" + _MIX20),
    ("huggingface-token", (b"hf_", b"api_org_"), 0, rb"(?:hf|api_org)_[0-9A-Za-z]{30,40}\b", "hf_" + _MIX40[:34]),
    ("replicate-token", (b"r8_",), 0, rb"r8_[0-9A-Za-z]{30,42}\b", "r8_" + _MIX40[:37]),
    ("groq-key", (b"gsk_",), 0, rb"gsk_[0-9A-Za-z]{40,60}", "gsk_" + _MIX40 + "q7Rz2LmX9vTb"),
    ("perplexity-key", (b"pplx-",), 0, rb"pplx-[0-9A-Za-z]{40,64}", "pplx-" + _MIX40 + "q7Rz2LmX"),
    ("xai-key", (b"xai-",), 0, rb"xai-[0-9A-Za-z]{60,100}", "xai-" + _MIX40 + _MIX40),
    ("pinecone-key", (b"pcsk_",), 0, rb"pcsk_[0-9A-Za-z_]{40,90}", "pcsk_" + "5tBq8n_" + _MIX40),
    ("langsmith-key", (b"lsv2_", b"ls__"), 0, rb"(?:lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}|ls__[0-9a-f]{32})", "lsv2_" + "pt_" + _HEX32 + "_a1b2c3d4e5"),
    ("wandb-key", (b"wandb_v1_",), 0, rb"wandb_v1_[0-9A-Za-z_]{30,100}", "wandb_v1_" + _MIX40),
    ("fireworks-key", (b"fw_",), 0, rb"fw_[0-9A-Za-z]{20,40}\b", "fw_" + _MIX20 + "abcd"),
    ("nvidia-key", (b"nvapi-",), 0, rb"nvapi-[0-9A-Za-z_-]{40,80}", "nvapi-" + _MIX40 + _MIX20),
    ("tavily-key", (b"tvly-",), 0, rb"tvly-[0-9A-Za-z-]{20,60}", "tvly-" + "dev-" + _MIX40[:32]),
    ("together-key", (b"tgp_v1_",), 0, rb"tgp_v1_[0-9A-Za-z_-]{40,50}", "tgp_v1_" + _MIX40 + "abc"),
    ("cerebras-key", (b"csk-",), 0, rb"csk-[0-9a-z]{40,60}\b", "csk-" + "k4swp8ydq7rz2lmx9vtb"*2 + "k4swp8yd"),
    ("jina-key", (b"jina_",), 0, rb"jina_[0-9A-Za-z_-]{40,80}", "jina_" + _HEX32 + _MIX20),
    ("voyage-key", (b"pa-",), 0, rb"pa-[0-9A-Za-z_-]{40,50}\b", "pa-" + _MIX40 + "abc"),
    ("e2b-key", (b"e2b_",), 0, rb"e2b_[0-9a-f]{40}", "e2b_" + _HEX40),
    ("anyscale-key", (b"esecret_",), 0, rb"esecret_[0-9a-z]{24,40}", "esecret_" + "k4swp8ydq7rz2lmx9vtbk4sw"),
    ("deepl-key", (b":fx",), 48, rb"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:fx\b", _UUID + ":fx"),
)

SAAS: tuple[Row, ...] = (
    ("newrelic-key", (b"NRAK-", b"NRII-", b"NRRA-", b"NRAA-"), 0, rb"NR(?:AK|II|RA|AA)-[0-9A-Za-z_-]{20,60}", "NRAK-" + "Q3EGRZ7TLJ5WNMDVXQ3EGRZ7TLJ"),
    ("newrelic-license", (b"nral",), 44, rb"\b[0-9a-f]{2}[0-9a-zA-Z]{32,40}NRAL\b", _HEX40[:36] + "NRAL"),
    ("sentry-token", (b"sntrys_", b"sntryu_"), 0, rb"sntry[su]_[0-9A-Za-z+/=_-]{40,400}", "sntryu_" + _HEX64),
    ("sentry-dsn", (b".sentry.io/", b"@sentry."), 80, rb"//([0-9a-f]{32}(?::[0-9a-f]{32})?)@(?:sentry\.|[0-9a-z.-]{0,60}\.sentry\.io/)", "https://" + _HEX32 + "@o4501.ingest.us.sentry.io/4507"),
    ("grafana-token", (b"glc_", b"glsa_"), 0, rb"(?:glc_[0-9A-Za-z+/=]{32,400}|glsa_[0-9A-Za-z]{32}_[0-9a-f]{8})", "glsa_" + _MIX40[:32] + "_1a2b3c4d"),
    ("grafana-key", (b"eyJrIjoi",), 0, rb"eyJrIjoi[0-9A-Za-z+/]{40,400}={0,2}", "eyJrIjoi" + _MIX40 + _MIX20),
    ("honeycomb-key", (b"hcaik_", b"hcxik_", b"hcbik_", b"hcaic_", b"hcxlk_"), 0, rb"hc(?:aik|xik|bik|aic|xlk)_[0-9a-z]{40,80}", "hcaik_" + "k4swp8ydq7rz2lmx9vtb"*3),
    ("dynatrace-token", (b"dt0c01.", b"dt0s01.", b"dt0s16.", b"dt0a01.", b"dt0s02."), 0, rb"dt0(?:c01|s01|s16|a01|s02)\.[0-9A-Z]{24}\.[0-9A-Z]{64}", "dt0c01." + "Q3EGRZ7TLJ5WNMDVQ3EGRZ7T." + "Q3EGRZ7TLJ5WNMDV"*4),
    ("airtable-token", (b"airtable",), 200, rb"\bpat[0-9A-Za-z]{14}\.[0-9a-f]{64}\b", "AIRTABLE " + "patq7Rz2LmX9vTbK4." + _HEX64),
    ("notion-token", (b"ntn_", b"secret_"), 0, rb"(?:ntn_[0-9A-Za-z]{40,60}|secret_[0-9A-Za-z]{43})\b", "ntn_" + _MIX40 + "abcdef"),
    ("linear-key", (b"lin_api_", b"lin_oauth_", b"lin_wh_"), 0, rb"lin_(?:api|oauth|wh)_[0-9A-Za-z]{32,64}", "lin_api_" + _MIX40),
    ("figma-token", (b"figd_", b"figo_", b"figu_", b"figoh_"), 0, rb"fig(?:d|o|u|oh)_[0-9A-Za-z_-]{36,60}", "figd_" + _MIX40),
    ("asana-token", (b"asana",), 200, rb"\b[12]/[0-9]{13,20}(?:/[0-9]{13,20})?:[0-9a-f]{32}\b", "ASANA " + "1/1204567890123456:" + _HEX32),
    ("hubspot-token", (b"pat-na1-", b"pat-na2-", b"pat-eu1-", b"pat-ap1-"), 0, rb"pat-(?:na1|na2|eu1|ap1)-[0-9a-f-]{36}", "pat-na1-" + _UUID),
    ("contentful-token", (b"CFPAT-",), 0, rb"CFPAT-[0-9A-Za-z_-]{40,50}", "CFPAT-" + _MIX40 + "abc"),
    ("mapbox-token", (b"sk.eyJ", b"tk.eyJ"), 0, rb"[st]k\.eyJ[0-9A-Za-z_-]{20,200}\.[0-9A-Za-z_-]{16,40}", "sk.eyJ" + _MIX40 + "." + _MIX20 + "ab"),
    ("launchdarkly-key", (b"sdk-", b"api-", b"mob-", b"rel-"), 0, rb"(?:sdk|api|mob|rel)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "sdk-" + _UUID),
    ("1password-token", (b"ops_eyJ",), 0, rb"ops_eyJ[0-9A-Za-z+/_-]{60,}={0,2}", "ops_eyJ" + _MIX40 + _MIX40),
    ("1password-secret-key", (b"A3-",), 0, rb"A3-[0-9A-Z]{6}-(?:[0-9A-Z]{11}|[0-9A-Z]{6}-[0-9A-Z]{5})-[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}\b", "A3-" + "ASWWYB-798JRYLJVD4-23DC2-86TVM-H43EB"),
    ("age-key", (b"AGE-SECRET-KEY-1",), 0, rb"AGE-SECRET-KEY-1[0-9A-Z]{58}", "AGE-SECRET-" + "KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" + "QPZRY9X8GF2TVDW0S3JN54KHCE"),
    ("adafruit-key", (b"aio_",), 0, rb"aio_[0-9A-Za-z]{28}\b", "aio_" + _MIX40[:28]),
    ("typeform-token", (b"tfp_",), 0, rb"tfp_[0-9A-Za-z_.=-]{40,80}", "tfp_" + _MIX40 + _MIX20[:19]),
    ("dropbox-token", (b"sl.B", b"sl.u."), 0, rb"sl\.(?:B|u\.)[0-9A-Za-z_-]{60,400}", "sl.B" + _MIX40 + _MIX40),
    ("frameio-token", (b"fio-u-",), 0, rb"fio-u-[0-9A-Za-z_=-]{40,80}", "fio-u-" + _MIX40 + _MIX20),
    ("okta-token", (b"SSWS ",), 0, rb"SSWS ([0-9A-Za-z_-]{30,60})", "SSWS " + "00" + _MIX40),
    ("zapier-hook", (b"hooks.zapier.com/",), 0, rb"hooks\.zapier\.com/hooks/catch/([0-9]{4,12}/[0-9A-Za-z]{5,20})", "hooks.zapier" + ".com/hooks/catch/1234567/b2kx9qz"),
    ("tacit-token", (b"tacit_",), 0, rb"tacit_[0-9A-Za-z]{4,24}_[0-9A-Za-z_-]{40,60}", "tacit_" + "q7Rz2LmX_" + _MIX40 + "abc"),
)

SHAPES: tuple[Row, ...] = (
    ("mysql-dsn", (b"@tcp(", b"@unix("), 120, rb"[0-9A-Za-z_.-]{1,40}:([^ \t\r\n:@\"'/]{3,100})@(?:tcp|unix)\(", "app:" + "k3Jd8sPq0z@tcp(db:3306)/shop"),
    ("chpasswd", (b"chpasswd",), 160, rb"\b[0-9A-Za-z_.-]{1,32}:([^ \t\r\n\"':]{4,100})[\"']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo )?chpasswd", "echo app:" + "k3Jd8sPq0z | sudo chpasswd"),
    ("putty-key", (b"Private-Lines:",), 0, rb"Private-Lines: ?[0-9]{1,3}[ \t\r\n]{1,2}([0-9A-Za-z+/= \t\r\n]{20,})", "Private-Lines: 1\n" + _MIX40 + _MIX20),
    ("ssh2-key", (b"---- BEGIN SSH2 ENCRYPTED PRIVATE",), 0, rb"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----([^-]{20,})", "---- BEGIN SSH2 " + "ENCRYPTED PRIVATE KEY ----\n" + _MIX40),
    ("openssh-key", (b"b3BlbnNzaC1rZXktdjE",), 0, rb"b3BlbnNzaC1rZXktdjE[0-9A-Za-z+/= \t\r\n\\]{20,}", "b3BlbnNzaC1r" + "ZXktdjEAAAAABG5vbmU" + _MIX40),
    ("jwt", (b"eyJ",), 0, rb"eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{8,}(?:\.[0-9A-Za-z_-]{0,}){1,3}", "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiI0MiJ9." + _MIX40),
    ("password-hash", (b":$apr1$", b":$1$", b":$2a$", b":$2b$", b":$2y$", b":$5$", b":$6$", b":$y$", b":{SHA}", b":{SSHA}"), 0, rb":((?:\$(?:apr1|1|2a|2b|2y|5|6|y)\$|\{S{1,2}HA\})[0-9A-Za-z./$=+]{20,130})", "deploy:" + "$apr1$k3Jd8sPq$" + _MIX20 + "ab"),
)

ROWS: tuple[Row, ...] = CLOUD + FORGES + MONEY + CHAT + AI + SAAS + SHAPES
# fmt: on
