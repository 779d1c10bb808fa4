/**
 * Secrets known by the name they are given to: `PASSWORD=x`, `--api-key x`, `"token": "x"`,
 * `client_secret: x`, `?sig=x`.
 */
import {
  anyCase,
  isDigest,
  isProse,
  isRandom,
  isReference,
  lazily,
  marker,
  type SecretRule,
} from "./secret.ts";

/** Words that make a name the name of a secret, with the kind that its marker shows. */
const WORDS: Readonly<Record<string, string>> = {
  password: "password",
  passwd: "password",
  passphrase: "password",
  passcode: "password",
  pass: "password",
  pwd: "password",
  pw: "password",
  secret: "secret",
  token: "token",
  credential: "secret",
  apikey: "key",
  accesskey: "key",
  key: "key",
  auth: "token",
  signature: "signature",
  sig: "signature",
};

/** What the word may be followed by, up to the value: the rest of the name, quotes, a separator. */
const NAME_TAIL = "([A-Za-z0-9_-]{0,16})((?:[\"'\\\\]{1,3}\\]?)?)";
const SEPARATOR = "([ \\t]{0,4}(?:::?=|=>|={1,3}|: {0,8})[ \\t]{0,4}|[ \\t]{1,4})";
const PLAIN = "(?:[^\\s\"'`&;|<>()\\\\$]|\\\\[^\"'`\\n]|\\$\\{[^}\\s\"']*\\}?|\\$)";

export const ASSIGNMENT_PATTERNS = {
  name: "(" + Object.keys(WORDS).map(anyCase).join("|") + ")" + NAME_TAIL + SEPARATOR,
  /** An escaped quoted text, a quoted one, a YAML block, or a bare word with quoted parts. */
  value:
    "\\\\+[\"'][^\"'\\\\\\n]*|\\$?\"(?:[^\"\\\\\\n]|\\\\[^\\n])*|\\$?'(?:[^'\\\\\\n]|\\\\[^\\n])*|" +
    "`[^`\\n]*|[|>][+-]?[ \\t]*\\n[ \\t]*[^\\n]+|" +
    PLAIN + "+(?:[\"'][A-Za-z0-9_$@!%^*]" + PLAIN + "*)*",
  random: "[\"'\\\\]{0,4}([A-Za-z0-9+/_.~-]+=*)",
} as const;

const names = lazily(ASSIGNMENT_PATTERNS.name, "g");
const values = lazily(ASSIGNMENT_PATTERNS.value, "y");
const randoms = lazily(ASSIGNMENT_PATTERNS.random, "y");

/** The rule for everything that its name gives away. */
export const ASSIGNMENT_RULES: readonly SecretRule[] = [
  {
    hints: ["pass", "pwd", "pw", "secret", "token", "credential", "key", "auth", "sig"],
    hide: hideAssignments,
  },
];

/** How much a name says: its value is a secret, may be one if it looks random, or is none. */
type Claim = "secret" | "perhaps" | "none";

/** A name with what stands around it. */
interface Named {
  readonly word: string;
  /** What stands in front of the word, of the same name: `AWS_SECRET_ACCESS_`, `--api-`. */
  readonly before: string;
  /** The character in front of the whole name; empty at the start of the text. */
  readonly outside: string;
  /** True where the name follows a command that sets it: `setx NAME x`, `aws configure set name x`. */
  readonly isSet: boolean;
  readonly after: string;
  readonly quotes: string;
  readonly separator: string;
}

function hideAssignments(text: string): string {
  let out = "";
  let kept = 0;
  const pattern = names();
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const start = pattern.lastIndex;
    const named = readName(text, found);
    const claim = claimOf(named);
    if (claim === "none") {
      // What follows may be the name itself: `key password=x`.
      pattern.lastIndex = found.index + named.word.length;
      continue;
    }
    const secret = claim === "secret" ? valueAt(text, start, named) : randomAt(text, start, named);
    if (secret === undefined) {
      // `_authToken`: a weaker word may hide a stronger one in the same name.
      if (claim === "perhaps") pattern.lastIndex = found.index + named.word.length;
      continue;
    }
    const kind = WORDS[named.word.toLowerCase()] ?? "secret";
    out += text.slice(kept, secret.from) + marker(kind);
    kept = secret.to;
    pattern.lastIndex = secret.to;
  }
  return out + text.slice(kept);
}

const SETTER =
  /(?:^|\W)(?:setx|(?:config|configure|secrets?|env|variables?) (?:set|put|add))[ \t]+$/;

function readName(text: string, found: RegExpExecArray): Named {
  let start = found.index;
  const limit = Math.max(0, start - 48);
  while (start > limit && /[A-Za-z0-9_.-]/.test(text.charAt(start - 1))) start--;
  return {
    word: found[1] ?? "",
    before: text.slice(start, found.index),
    outside: text.slice(Math.max(0, start - 1), start),
    isSet: SETTER.test(text.slice(Math.max(0, start - 24), start)),
    after: found[2] ?? "",
    quotes: found[3] ?? "",
    separator: found[4] ?? "",
  };
}

/** Last parts of a name that is about a secret but does not hold one: `token_file`, `secretName`. */
const ABOUT = new RegExp(
  "(?:^|[_-])(?:file|path|dir|names?|ids?|url|uri|endpoint|host|type|kind|counts?|limits?|" +
    "len|length|size|policy|reset|refs?|expiry|expires|expiration|ttl|stdin|prompt|field|column|" +
    "label|hint|version|manager|store|engine|provider|env|var|alg|algorithm|format|regex|pattern|" +
    "budget|usage|rate|index|strategy|enabled|required|ring|info|address|selector|scann(?:er|ing)|" +
    "audience|scopes?|issuer|through|lifetime|rotation|hash|fd|page|pairs?|code|method|mode|user|sock)$",
);

/** A pattern for a name that ends in one of the words, with or without a joint behind it. */
function endingIn(words: string): RegExp {
  return new RegExp(`(?:^|[_.-])(?:${words.split(" ").join("|")})[_-]?$`);
}

/** First parts of the names of keys that are public or no cryptographic keys at all. */
const OPEN_KEY = endingIn(
  "public pub primary foreign cache partition sort range row object group hash " +
    "idempotency translation i18n hot registry state query routing dedup host unique " +
    "composite config map dict json yaml s3 locale lookup natural order parent index " +
    "keyboard shard shortcut issue project jira known",
);

/** Words that a `key` joined to them makes the name of a secret: `apikey`, `masterkey`. */
const KEY_OWNER = endingIn(
  "api access auth secret private account master signing encryption service client " +
    "shared storage license deploy subscription",
);

function claimOf(named: Named): Claim {
  const word = named.word.toLowerCase();
  const before = named.before.toLowerCase().replace(/^-+/, "");
  const joined = /[a-z0-9]$/.test(before) && !isHump(named);
  if (named.after !== "" && !/^(?:s$|s?[_-]|s?[A-Z]|[0-9])/.test(named.after)) return "none";
  const about = ABOUT.test(lastPart(named.after));
  if (/(?:^|[_.-])no[_-]?$/.test(before) && named.before.startsWith("-")) return "none";
  switch (word) {
    case "pwd":
      if (/^(?:OLD)?$/.test(named.before) && named.word === "PWD") return "none";
      return joined && !before.endsWith("db") ? "none" : about ? "perhaps" : "secret";
    case "pass":
    case "pw":
      return joined || !/^[0-9]*$/.test(named.after) ? "none" : "secret";
    case "auth":
      if (/^_$/.test(before) && named.after === "") return "secret";
      return joined ? "none" : "perhaps";
    case "sig":
      return joined || named.after !== "" ? "none" : named.outside === "&" ? "secret" : "perhaps";
    case "signature":
      return "perhaps";
    case "key":
      if (before === "") return "perhaps";
      if (OPEN_KEY.test(before)) return "none";
      if (joined && !KEY_OWNER.test(before)) return "none";
      return about ? "perhaps" : "secret";
    default:
      return about ? "perhaps" : "secret";
  }
}

/** True where the word begins a hump of a camel-case name: `accountKey`. */
function isHump(named: Named): boolean {
  return /^[A-Z]/.test(named.word) && /[a-z0-9]$/.test(named.before);
}

/** The last part of the rest of a name, in lower case with its joint: `_file`, `name` of `secretName`. */
function lastPart(after: string): string {
  const part = /[_-]?[A-Za-z]?[a-z0-9]*$/.exec(after)?.[0] ?? "";
  return /^[_-]?[A-Z][A-Z0-9]*$|^[A-Z0-9_-]+$/.test(after)
    ? (/[_-]?[A-Z0-9]*$/.exec(after)?.[0] ?? "").toLowerCase()
    : part.toLowerCase();
}

/** Types, literals and other words that stand where a value could, in code and in examples. */
const NO_SECRET = new RegExp(
  "^(?:true|false|null|none|nil|undefined|yes|no|on|off|string|str|number|int|integer|bool|boolean|" +
    "any|unknown|object|text|varchar|bytes|required|optional|readonly|sensitive|hidden)" +
    "(?:\\(?[0-9]*\\)?|\\[\\]|\\?)[,;]?$",
  "i",
);

/** The span of the secret that starts at `from`, without its quotes, or undefined where none does. */
function valueAt(
  text: string,
  from: number,
  named: Named,
): { from: number; to: number } | undefined {
  if (/^[ \t]+$/.test(named.separator) && !isFlag(named)) return randomAt(text, from, named);
  const pattern = values();
  pattern.lastIndex = from;
  const whole = pattern.exec(text)?.[0];
  if (whole === undefined) return undefined;
  const opening = /^\\+["']|^\$?["'`]|^[|>][+-]?[ \t]*\n[ \t]*/.exec(whole)?.[0] ?? "";
  const bare = opening === "" ? trimClosing(whole) : whole.slice(opening.length);
  const to = from + opening.length + bare.length;
  if (bare === "" || opening === "`" || NO_SECRET.test(bare)) return undefined;
  if (/^\[redacted:[a-z0-9-]+\]?$/.test(bare)) return undefined;
  if (isReference(bare) && !(opening === "'" && bare.startsWith("$") && named.separator !== " ")) {
    return undefined;
  }
  if (opening === "" && !isBareSecret(text, bare, to, named)) return undefined;
  const word = WORDS[named.word.toLowerCase()];
  if (isCount(named, bare) || (word !== "password" && isPath(bare))) return undefined;
  if (named.word.toLowerCase() === "pwd" && isPath(bare)) return undefined;
  if (word === "key" && bare.length < 6) return undefined;
  return { from: from + opening.length, to };
}

/** A bare value without the brackets and comma that close what it stands in. */
function trimClosing(value: string): string {
  return value.includes("${") ? value : value.replace(/[,}\]]+$/, "");
}

/** False where an unquoted value is a flag, a call, a lookup in code, or a word of prose. */
function isBareSecret(text: string, bare: string, to: number, named: Named): boolean {
  if (/^[ \t]+$/.test(named.separator) && bare.startsWith("-")) return false;
  if (text.charAt(to) === "(" && /^[A-Za-z_][A-Za-z0-9_.]*$/.test(bare)) return false;
  if (named.separator.includes("==")) return isRandom(bare);
  if (/^[A-Za-z_][A-Za-z0-9_.]*\[(?:["']|$)/.test(bare) || /^(?:id|type|env|src)=/.test(bare)) {
    return false;
  }
  if (/^(?:process\.env|os\.environ|import\.meta|secrets|var|local|data|env)\./.test(bare)) {
    return false;
  }
  if (!named.separator.includes(":") || named.separator.includes("=") || !isProse(bare)) {
    return true;
  }
  return WORDS[named.word.toLowerCase()] === "password" && /^[\n"'{,]?$/.test(named.outside) &&
    named.separator !== ":";
}

function isFlag(named: Named): boolean {
  return named.isSet || named.before.startsWith("-") && /^[\s"'=(]?$/.test(named.outside);
}

/** `/run/secrets/x`, `~/.ssh/id`, `./key.pem`, `certs/key.pem`: places of secrets, not secrets. */
function isPath(value: string): boolean {
  const isPathLike = /^(?:~|\.\.?)?\/[A-Za-z0-9._/-]+$/.test(value) ||
    /^[A-Za-z0-9._/-]+\.(?:pem|key|crt|json|ya?ml|txt|p12|pfx|pub|env|ts|js|py|go|rs)$/.test(value);
  return isPathLike && !value.split("/").some(isRandom);
}

/** `max_tokens=4096`, `"token": 17`, `pass: 12`: numbers of things, or a place in a text. */
function isCount(named: Named, value: string): boolean {
  const word = named.word.toLowerCase();
  if (word === "pass" && named.before === "") return /^[0-9]{1,5}$/.test(value);
  return word === "token" && /^[0-9._]{1,9}$/.test(value);
}

/** The span of a random-looking text at `from`, or undefined where there is none. */
function randomAt(
  text: string,
  from: number,
  named: Named,
): { from: number; to: number } | undefined {
  const pattern = randoms();
  const found = pattern.exec(text.slice(from, from + 512));
  const value = found?.[1];
  if (found === null || value === undefined || !isRandom(value)) return undefined;
  if (isDigest(value) || isPath(value) || named.quotes.includes("]")) return undefined;
  const start = from + found[0].length - value.length;
  return { from: start, to: start + value.length };
}
