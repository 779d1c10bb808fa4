/**
 * Secrets known by where they stand: HTTP headers, SQL, the user part of a URL, e-mail
 * addresses.
 */
import {
  anyCase,
  atLeast,
  isProse,
  isRandom,
  isReference,
  lazily,
  marker,
  type SecretRule,
} from "./secret.ts";

const SCHEMES = ["basic", "bearer", "token", "negotiate", "apikey", "api-key", "bot", "ntlm"];
const LONG_SCHEMES = ["digest", "aws4-hmac-sha256", "hawk", "oauth", "signature"];
const WORD = "(?:[^\\s\"'`\\\\&;|]|\\\\[^\\s\"'])+";
const GAP = "(?:\\\\?[ \\t]){1,4}";

export const PLACE_PATTERNS = {
  authorization: "(" + anyCase("authorization") +
    "[\"'\\\\]{0,4}[ \\t]{0,4}[:=](?:\\\\?[ \\t]){0,4}" +
    "[\"'\\\\]{0,4})(?:((?:" + SCHEMES.map(anyCase).join("|") + ")" + GAP + ")(" + WORD + ")|(" +
    LONG_SCHEMES.map(anyCase).join("|") + ")(" + GAP + "[^\"'`\\r\\n]+)|(" + WORD +
    "(?:[ \\t]{1,4}" +
    WORD + ")?))",
  bearer: "\\b(" + anyCase("bearer") + "[ \\t]{1,4})(" + atLeast("[A-Za-z0-9._~+/=-]", 8) + ")",
  basic: "\\b(" + anyCase("basic") + "[ \\t]{1,4})(" + atLeast("[A-Za-z0-9+/]", 8) + "={0,2})",
  cookie: "\\b(" + anyCase("cookie") + ":[ \\t]{0,4})([^\\s\"'`][^\"'`\\r\\n]*)",
  urlPassword: "(://(?:\\[redacted:[a-z0-9-]+\\]|[^\\s/:\"'`<>[])*:)([^\\s/\"'`<>]*)@",
  sql: "\\b((?:" + anyCase("identified by") + "|(?:" +
    ["with", "encrypted", "user"].map(anyCase).join("|") + ") " + anyCase("password") +
    ")[ \\t]{1,4}[\"'])([^\"'\\n]+)",
  urlToken: "(://)(" + atLeast("[A-Za-z0-9_.~%+-]", 20) + ")@",
} as const;

const authorization = lazily(PLACE_PATTERNS.authorization, "g");
const bearer = lazily(PLACE_PATTERNS.bearer, "g");
const basic = lazily(PLACE_PATTERNS.basic, "g");
const cookie = lazily(PLACE_PATTERNS.cookie, "g");
const sql = lazily(PLACE_PATTERNS.sql, "g");
const urlPassword = lazily(PLACE_PATTERNS.urlPassword, "g");
const urlToken = lazily(PLACE_PATTERNS.urlToken, "g");

/** The rules for headers and URLs. */
export const PLACE_RULES: readonly SecretRule[] = [
  { hints: ["authorization"], hide: hideAuthorization },
  {
    hints: ["bearer"],
    hide: (text) =>
      text.replace(
        bearer(),
        (whole, lead: string, value: string) =>
          isProse(value) ? whole : lead + marker("authorization"),
      ),
  },
  {
    hints: ["basic"],
    hide: (text) =>
      text.replace(
        basic(),
        (whole, lead: string, value: string) =>
          holdsUserAndPassword(value) ? lead + marker("authorization") : whole,
      ),
  },
  {
    hints: ["cookie:"],
    hide: (text) =>
      text.replace(
        cookie(),
        (whole, lead: string, value: string) => isKept(value) ? whole : lead + marker("cookie"),
      ),
  },
  {
    hints: ["identified by", " password"],
    hide: (text) =>
      text.replace(
        sql(),
        (whole, lead: string, value: string) => isKept(value) ? whole : lead + marker("password"),
      ),
  },
  { hints: ["://"], hide: hideUrls },
];

/** The rule for e-mail addresses; runs last, when passwords in URLs are gone. */
export const EMAIL_RULES: readonly SecretRule[] = [{ hints: ["@"], hide: hideEmails }];

function isKept(value: string): boolean {
  return isReference(value) || /^\[redacted:[a-z0-9-]+\]/.test(value);
}

function hideAuthorization(text: string): string {
  return text.replace(
    authorization(),
    (whole, lead: string, scheme = "", one = "", long = "", rest = "", other = "") => {
      if (isKept(one) || isKept(rest.trim()) || isKept(other)) return whole;
      if (long !== "") return `${lead}${long} ${marker("authorization")}`;
      if (other !== "" && (isProse(other) || isKept(other.replace(/^\S+\s+/, "")))) return whole;
      return lead + scheme + marker("authorization");
    },
  );
}

/** True for base64 of `user:password`, as the Basic scheme sends it. */
function holdsUserAndPassword(value: string): boolean {
  try {
    return /^[^:\s]*:/.test(atob(value));
  } catch {
    return false;
  }
}

function hideUrls(text: string): string {
  return text
    .replace(urlPassword(), (whole, lead: string, password: string) => {
      if (password === "" || isKept(password) || /^[0-9]{1,5}[?#]/.test(password)) return whole;
      return `${lead}${marker("url-password")}@`;
    })
    .replace(
      urlToken(),
      (whole, lead: string, token: string) =>
        isRandom(token) ? `${lead}${marker("url-token")}@` : whole,
    );
}

/** Users of remote machines, which only look like the owners of a mailbox: `git@host`. */
const MACHINE_USERS = /^(?:git|hg|svn|root|ubuntu|debian|ec2-user|azureuser|core|pi|opc|vagrant)$/;

/** Last parts that are no top-level domain: versions, systemd units, pictures. */
const NO_DOMAIN = /^v?[0-9]+\.[0-9x]|^[0-9]x\.|\.(?:service|socket|timer|target|mount|slice)$/;

function hideEmails(text: string): string {
  let out = "";
  let kept = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let start = at;
    while (start > kept && at - start < 64 && isLocal(text.charCodeAt(start - 1))) start--;
    const stop = domainStop(text, at + 1);
    if (start === at || stop === undefined) continue;
    const before = text.slice(Math.max(0, start - 2), start);
    // `//user@host` is a URL, `$TOKEN@host` a variable, `user@host:path` a remote copy.
    if (/\/\/$|\$$/.test(before) || /^:[^\s\\"',;)]/.test(text.slice(stop, stop + 2))) continue;
    if (MACHINE_USERS.test(text.slice(start, at))) continue;
    out += text.slice(kept, start) + marker("email");
    kept = stop;
  }
  return out + text.slice(kept);
}

/** Letters, digits and `.`, `_`, `%`, `+`, `-`. */
function isLocal(code: number): boolean {
  return isHost(code) || code === 0x5f || code === 0x25 || code === 0x2b;
}

/** Letters, digits, `.` and `-`. */
function isHost(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) || code === 0x2e || code === 0x2d;
}

/** Where the domain that starts at `from` stops, or undefined where none stands there. */
function domainStop(text: string, from: number): number | undefined {
  let stop = from;
  while (stop < text.length && stop - from < 255 && isHost(text.charCodeAt(stop))) stop++;
  while (stop > from && /[.-]/.test(text.charAt(stop - 1))) stop--;
  const domain = text.slice(from, stop);
  const isDomain = /^[A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]+$/.test(domain) && !/\.\./.test(domain);
  return isDomain && !NO_DOMAIN.test(domain) ? stop : undefined;
}
