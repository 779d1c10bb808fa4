/**
 * Keys and tokens that say whose they are: every issuer's fixed prefix or shape.
 */
import { atLeast, exactly, lazily, marker, type SecretRule } from "./secret.ts";

const ALNUM = "[A-Za-z0-9]";
const URLSAFE = "[A-Za-z0-9_-]";
const HEX = "[0-9a-f]";

/** Regions of Mailchimp by their first digit: `-us` alone stands in many a word. */
const MAILCHIMP = ["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((digit) => `-us${digit}`);

/** Kind, hint, pattern, and the pattern of a kept text in front of it. */
type Format = readonly [kind: string, hints: readonly string[], pattern: string, lead?: string];

const FORMATS: readonly Format[] = [
  ["aws-key", ["akia", "asia", "abia", "acca"], `(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}`, "\\b"],
  ["aws-key", ["absk"], `ABSK${atLeast("[A-Za-z0-9+/]", 40)}=*`, "\\b"],
  ["google-key", ["aiza"], `AIza${exactly(URLSAFE, 35)}`],
  ["google-key", ["gocspx-"], `GOCSPX-${atLeast(URLSAFE, 20)}`],
  ["google-token", ["ya29."], `ya29\\.${atLeast("[A-Za-z0-9_.-]", 20)}`],
  ["google-token", ["1//0"], `1//0${atLeast(URLSAFE, 30)}`],
  ["azure-secret", ["q~"], `[A-Za-z0-9_~.-]{3}[0-9]Q~${atLeast("[A-Za-z0-9_~.-]", 31)}`],
  ["github-token", ["gho_", "ghp_", "ghr_", "ghs_", "ghu_"], `gh[oprsu]_${atLeast(ALNUM, 20)}`],
  ["github-token", ["github_pat_"], `github_pat_${atLeast("[A-Za-z0-9_]", 20)}`],
  [
    "gitlab-token",
    ["gl"],
    `gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|oas|wt|ffct)-${atLeast("[A-Za-z0-9_.-]", 16)}`,
    "\\b",
  ],
  ["gitlab-token", ["gr1348941"], `GR1348941${atLeast(URLSAFE, 16)}`],
  ["npm-token", ["npm_"], `npm_${atLeast(ALNUM, 30)}`],
  ["pypi-token", ["pypi-age"], `pypi-AgE${atLeast(URLSAFE, 16)}`],
  ["slack-token", ["xox"], `xox[a-z](?:\\.xox[a-z])?-${atLeast("[A-Za-z0-9-]", 10)}`],
  ["slack-token", ["xapp-"], `xapp-[0-9]-${atLeast("[A-Za-z0-9-]", 10)}`],
  [
    "slack-webhook",
    ["hooks.slack.com/"],
    atLeast("[A-Za-z0-9/_-]", 16),
    "hooks\\.slack\\.com/(?:services|workflows|triggers)/",
  ],
  [
    "discord-webhook",
    ["/api/webhooks/"],
    atLeast(URLSAFE, 20),
    "discord(?:app)?\\.com/api/webhooks/[0-9]+/",
  ],
  ["stripe-key", ["k_live_", "k_test_"], `[rs]k_(?:live|test)_${atLeast(ALNUM, 16)}`],
  ["webhook-secret", ["whsec_"], `whsec_${atLeast("[A-Za-z0-9+/=_-]", 20)}`],
  ["anthropic-key", ["sk-ant-"], `sk-ant-${atLeast(URLSAFE, 16)}`],
  ["openai-key", ["sk-"], `sk-(?:proj|svcacct|admin|or-v1|None)-${atLeast(URLSAFE, 20)}`, "\\b"],
  ["openai-key", ["sk-"], `sk-${atLeast(ALNUM, 20)}`, "\\b"],
  ["twilio-key", ["sk"], `SK${exactly(HEX, 32)}\\b`, "\\b"],
  ["sendgrid-key", ["sg."], `SG\\.${exactly(URLSAFE, 22)}\\.${atLeast(URLSAFE, 16)}`],
  ["mailgun-key", ["key-"], `key-${exactly(HEX, 32)}\\b`, "\\b"],
  ["mailchimp-key", MAILCHIMP, `${exactly(HEX, 32)}-us[1-9][0-9]?\\b`, "\\b"],
  ["brevo-key", ["xkeysib-"], `xkeysib-${atLeast(URLSAFE, 32)}`],
  ["digitalocean-token", ["_v1_"], `do[oprt]_v1_${atLeast(HEX, 32)}`],
  ["huggingface-token", ["hf_"], `(?:api_org_|hf_)${atLeast(ALNUM, 30)}`],
  ["huggingface-token", ["api_org_"], `api_org_${atLeast(ALNUM, 30)}`],
  [
    "jwt",
    ["eyj"],
    `eyJ${atLeast(URLSAFE, 8)}\\.${atLeast(URLSAFE, 8)}(?:\\.[A-Za-z0-9_-]*){0,3}`,
    "^|[^A-Za-z0-9_-]",
  ],
  ["vault-token", ["hvs.", "hvb.", "hvr."], `hv[bsr]\\.${atLeast(URLSAFE, 20)}`, "\\b"],
  ["terraform-token", [".atlasv1."], `${ALNUM}{14}\\.atlasv1\\.${atLeast(URLSAFE, 40)}`],
  ["age-key", ["age-secret-key-"], `AGE-SECRET-KEY-(?:PQ-)?1${atLeast("[A-Z0-9]", 16)}`],
  ["docker-token", ["dckr_"], `dckr_(?:pat|oat)_${atLeast(URLSAFE, 20)}`],
  ["databricks-token", ["dapi"], `dapi${exactly(HEX, 32)}`, "\\b"],
  ["shopify-token", ["shp"], `shp(?:at|ca|pa|ss)_${atLeast("[0-9A-Fa-f]", 32)}`],
  ["square-token", ["sq0"], `sq0[a-z]{3}-${atLeast(URLSAFE, 22)}`],
  ["atlassian-token", ["atatt3"], `ATATT3${atLeast("[A-Za-z0-9_=.-]", 32)}`],
  ["grafana-token", ["glc_", "glsa_"], `gl(?:c|sa)_${atLeast("[A-Za-z0-9_+/=]", 32)}`],
  ["newrelic-key", ["nrak-"], `NRAK-${atLeast("[A-Z0-9]", 24)}`],
  ["postman-key", ["pmak-"], `PMAK-${atLeast("[0-9a-f-]", 32)}`],
  ["pulumi-token", ["pul-"], `pul-${exactly(HEX, 40)}`, "\\b"],
  ["rubygems-key", ["rubygems_"], `rubygems_${atLeast(HEX, 32)}`],
  ["linear-key", ["lin_api_"], `lin_api_${atLeast(ALNUM, 32)}`],
  ["notion-token", ["ntn_"], `ntn_${atLeast(ALNUM, 40)}`],
  ["planetscale-token", ["pscale_"], `pscale_[a-z]+_${atLeast("[A-Za-z0-9_.-]", 24)}`],
  ["supabase-key", ["sbp_", "sb_secret_"], `(?:sbp|sb_secret)_${atLeast("[A-Za-z0-9_]", 20)}`],
  ["tailscale-key", ["tskey-"], `tskey-[a-z]+-${atLeast("[A-Za-z0-9-]", 16)}`],
  ["1password-token", ["ops_eyj"], `ops_eyJ${atLeast("[A-Za-z0-9_=-]", 32)}`],
  ["groq-key", ["gsk_"], `gsk_${atLeast(ALNUM, 32)}`],
  ["xai-key", ["xai-"], `xai-${atLeast(ALNUM, 40)}`, "\\b"],
  ["replicate-token", ["r8_"], `r8_${atLeast(ALNUM, 32)}`, "\\b"],
  ["perplexity-key", ["pplx-"], `pplx-${atLeast(ALNUM, 32)}`],
  ["figma-token", ["figd_"], `figd_${atLeast(URLSAFE, 32)}`],
  ["crates-token", ["cio"], `cio${exactly(ALNUM, 32)}\\b`, "\\b"],
  ["telegram-token", [":aa"], `[0-9]{8,10}:AA${atLeast(URLSAFE, 32)}`, "\\b"],
  ["swarm-token", ["swmtkn-"], `SWMTKN-1-${atLeast("[A-Za-z0-9-]", 32)}`],
];

/** Every provider's keys and tokens, by their fixed shapes. */
export const TOKEN_RULES: readonly SecretRule[] = FORMATS.map(([kind, hints, body, lead = ""]) => {
  const pattern = lazily(`(${lead})${body}`, "g");
  return { hints, hide: (text) => text.replace(pattern(), `$1${marker(kind)}`) };
});

/** The patterns themselves, so that a test can hold each against the linear engine. */
export const TOKEN_PATTERNS: readonly string[] = FORMATS.map(([, , body, lead = ""]) =>
  `(${lead})${body}`
);
