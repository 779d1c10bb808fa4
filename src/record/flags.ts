/**
 * Passwords that a program takes behind a flag whose name does not say so: `mysql -pX`,
 * `curl -u user:X`.
 */
import { isReference, lazily, marker, type SecretRule } from "./secret.ts";

const VALUE = "(\"[^\"\\n]*\"?|'[^'\\n]*'?|[^\\s\"'][^\\s\"']*)";

/** Where a command ends; an escaped line end is matched so that it can be stepped over. */
const SEPARATOR = "\\\\\\r?\\n|&&|\\|\\|| \\| |; |\\n";

/** Programs, and the flags after which a password stands. */
interface Flags {
  readonly programs: readonly string[];
  /** A pattern for the flag with what parts it from the value. */
  readonly flag: string;
  /** Splits the value into what is kept and the password; without it, all of it is the password. */
  readonly split?: RegExp;
}

const USER_PASSWORD = /^(?![0-9]+:[0-9]+$)([^:\s]*:)(.+)$/s;
const COOKIE = /^([^=\s]+=)(.+)$/s;
const NO_FLAG = /^(\s*)([^\s=-][^=]*)$/s;

const FLAGS: readonly Flags[] = [
  { programs: ["mysql", "mariadb", "mycli"], flag: "-p" },
  { programs: ["mysqladmin", "mariadb-admin"], flag: "password[ \\t]+" },
  { programs: ["sshpass"], flag: "-p[ \\t]*" },
  { programs: ["7z", "unrar"], flag: "-p" },
  { programs: ["redis-cli"], flag: "(?:-a|--pass)[ \\t]+" },
  { programs: [" login"], flag: "-p(?:=|[ \\t]+)" },
  { programs: ["vault login"], flag: "login[ \\t]+", split: NO_FLAG },
  { programs: ["mongo"], flag: "-p[ \\t]+" },
  { programs: ["zip", "sqlcmd"], flag: "-P[ \\t]*" },
  { programs: ["ldapsearch", "ldapmodify", "ldapadd", "ldapdelete"], flag: "-w[ \\t]+" },
  { programs: ["openssl"], flag: "-[kK][ \\t]+" },
  { programs: ["ssh-keygen"], flag: "-[NP][ \\t]+" },
  {
    programs: ["htpasswd"],
    flag: "-[A-Za-z]{0,4}b[A-Za-z]{0,4}[ \\t]+[^\\s-]+[ \\t]+[^\\s]+[ \\t]+",
  },
  { programs: ["chpasswd"], flag: "<<<[ \\t]*", split: USER_PASSWORD },
  {
    programs: ["curl"],
    flag: "(?:-[A-Za-z]{0,6}[uU][ \\t]*|--(?:proxy-)?user(?:=|[ \\t]+))",
    split: USER_PASSWORD,
  },
  { programs: ["curl"], flag: "--oauth2-bearer(?:=|[ \\t]+)" },
  { programs: ["curl"], flag: "(?:-b[ \\t]*|--cookie(?:=|[ \\t]+))", split: COOKIE },
  { programs: ["http", "xh"], flag: "(?:-a|--auth)(?:=|[ \\t]+)", split: USER_PASSWORD },
];

/** The patterns, so that a test can hold each against the linear engine. */
export const FLAG_PATTERNS: readonly string[] = [
  SEPARATOR,
  ...FLAGS.map(({ flag }) => `(\\s${flag})${VALUE}`),
];

const separators = lazily(SEPARATOR, "g");
const patterns = FLAGS.map(({ flag }) => lazily(`(\\s${flag})${VALUE}`, "g"));

/** The rule for passwords behind flags; a flag counts only in a command that names its program. */
export const FLAG_RULES: readonly SecretRule[] = [
  {
    // A name that holds another one (`mysqladmin`, `mysql`) needs no hint of its own.
    hints: [...new Set(FLAGS.flatMap(({ programs }) => programs))].filter((name, _, all) =>
      !all.some((other) => other !== name && name.includes(other))
    ),
    hide: (text) => commandsOf(text).map(hideInCommand).join(""),
  },
];

function hideInCommand(command: string): string {
  const lower = command.toLowerCase();
  let out = command;
  FLAGS.forEach(({ programs, split }, index) => {
    const pattern = patterns[index];
    if (pattern === undefined || !programs.some((name) => lower.includes(name))) return;
    out = out.replace(
      pattern(),
      (whole, lead: string, value: string) => hideValue(value, split, lead) ?? whole,
    );
  });
  return out;
}

/** The flag and its value without the password, or undefined where the value holds none. */
function hideValue(value: string, split: RegExp | undefined, lead: string): string | undefined {
  const bare = value.replace(/^["']|["']$/g, "");
  const secret = split === undefined ? bare : split.exec(bare)?.[2];
  if (secret === undefined || secret === "" || isReference(secret)) return undefined;
  if (secret.startsWith("[redacted:")) return undefined;
  const quote = /^["']/.exec(value)?.[0] ?? "";
  const closing = quote !== "" && value.length > 1 && value.endsWith(quote) ? quote : "";
  const user = bare.slice(0, bare.length - secret.length);
  return `${lead}${quote}${user}${marker("password")}${closing}`;
}

/** A text cut into its simple commands, separators at their ends, so that joined they give the text. */
function commandsOf(text: string): string[] {
  const parts: string[] = [];
  const pattern = separators();
  let start = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    if (found[0].startsWith("\\")) continue;
    const stop = found.index + found[0].length;
    parts.push(text.slice(start, stop));
    start = stop;
  }
  parts.push(text.slice(start));
  return parts;
}
