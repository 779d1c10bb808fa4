/**
 * What holds for any command: how its words are quoted and what wraps it changes nothing, and where
 * it is only data it does not count.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { argvs, read } from "./reading.ts";

const plain = fc.stringMatching(/^[a-z][a-z0-9._-]{0,8}$/);
const anything = fc.string({ unit: "grapheme-ascii", maxLength: 8 })
  .filter((text) => !/[\0\r]/.test(text));
const quoting = fc.constantFrom("single", "double", "ansi", "escaped", "mixed");

function quote(word: string, how: string): string {
  switch (how) {
    case "single":
      return `'${word.replaceAll("'", `'\\''`)}'`;
    case "double":
      return `"${word.replace(/["\\$`]/g, "\\$&")}"`;
    case "ansi":
      return `$'${
        [...word].map((c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")
      }'`;
    case "escaped":
      return word === "" ? "''" : [...word].map((c) => c === "\n" ? "'\n'" : `\\${c}`).join("");
    default:
      return `""${quote(word.slice(0, 1), "single")}${quote(word.slice(1), "double")}`;
  }
}

/** The words of the last invocation, exactly. */
function lastWords(source: string): (string | undefined)[] | undefined {
  const found = read(source).invocations.at(-1);
  return found && [found.program, ...found.args].map((word) => word.value);
}

Deno.test("quoting does not change what a word is", () => {
  fc.assert(
    fc.property(
      plain,
      fc.array(fc.tuple(anything, quoting), { maxLength: 4 }),
      quoting,
      (name, args, how) => {
        const program = `my-${name}`;
        const source = [quote(program, how), ...args.map(([word, q]) => quote(word, q))].join(" ");
        assert.deepEqual(lastWords(source), [program, ...args.map(([word]) => word)]);
      },
    ),
    { numRuns: 1_000 },
  );
});

const inner = (line: string) => `bash -c ${quote(line, "single")}`;

const WRAPS: readonly ((line: string) => string)[] = [
  (line) => `sudo -n ${inner(line)}`,
  (line) => `env A=1 ${inner(line)}`,
  (line) => `timeout -k 5 10 ${inner(line)}`,
  (line) => `nice -n 5 nohup ${inner(line)}`,
  (line) => inner(line),
  (line) => `eval ${quote(line, "double")}`,
  (line) => `(\n${line}\n)`,
  (line) => `{\n${line}\n}`,
  (line) => `if true; then\n${line}\nfi`,
  (line) => `for i in 1; do\n${line}\ndone`,
  (line) => `true && {\n${line}\n}`,
  (line) => `false || (\n${line}\n) &`,
  (line) => `echo "$(\n${line}\n)"`,
  (line) => `cat <(\n${line}\n)`,
  (line) => `f${line.length}() {\n${line}\n}\nf${line.length}`,
  (line) => `sh <<'EOF${line.length}'\n${line}\nEOF${line.length}`,
  (line) => `printf '%s\\n' ${quote(line, "single")} | sh`,
  (line) => `ssh host ${quote(line, "single")}`,
  (line) => `! (\n${line}\n) 2>&1 | tee log`,
];

Deno.test("whatever wraps a command, it is found", () => {
  const words = fc.array(plain, { maxLength: 3 });
  const wraps = fc.array(fc.constantFrom(...WRAPS), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(words, wraps, (args, chosen) => {
      const line = ["danger", ...args].join(" ");
      const source = chosen.reduce((inner, wrap) => wrap(inner), line);
      assert.ok(argvs(read(source)).includes(line), source);
    }),
    { numRuns: 1_000 },
  );
});

const HIDES: readonly ((text: string) => string)[] = [
  (text) => `echo ${quote(text, "single")}`,
  (text) => `git commit -m ${quote(text, "double")}`,
  (text) => `cat > notes <<'EOF'\n${text}\nEOF\n`,
  (text) => `ls # ${text}`,
  (text) => `grep -rn ${quote(text, "single")} src`,
  (text) => `X=${quote(text, "single")}`,
  (text) => `python3 -c ${quote(`print(${JSON.stringify(text)})`, "single")}`,
  (text) => `gh pr create --body ${quote(text, "single")}`,
];

Deno.test("what is only data is no command", () => {
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 3 }), fc.constantFrom(...HIDES), (args, hide) => {
      const source = hide(["danger", ...args].join(" "));
      assert.ok(!argvs(read(source)).some((argv) => argv.startsWith("danger")), source);
    }),
    { numRuns: 500 },
  );
});
