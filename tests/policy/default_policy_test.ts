/** What the default policy says, command by command and file by file; and what it must be like. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { HookCall } from "../../src/domain/call.ts";
import type { Decision } from "../../src/domain/finding.ts";
import { gate } from "../../src/gate/gate.ts";
import { prepare } from "../../src/gate/prepare.ts";
import { DEFAULT_POLICY } from "../../src/policy/default.ts";
import { compilePattern } from "../../src/policy/pattern.ts";
import { denoSystem } from "../../src/system/deno.ts";
import { World } from "../support/world.ts";

const TABLE = new URL("default_policy_table.txt", import.meta.url);
const FILE = new URL("../../src/policy/default_policy.json", import.meta.url);

interface Row {
  readonly verdict: string;
  readonly command: string;
  readonly line: number;
}

/** The rows of the table; comments and empty lines are stepped over. */
function readRows(): Row[] {
  return Deno.readTextFileSync(TABLE).split("\n").flatMap((text, index) => {
    if (text === "" || text.startsWith("#")) return [];
    const match = /^(allow|confirm|deny) +(.+)$/.exec(text);
    assert(match !== null, `line ${index + 1} of the table reads "${text}"`);
    const [, verdict = "", command = ""] = match;
    return [{ verdict, command: command.replaceAll("↵", "\n"), line: index + 1 }];
  });
}

/** Judges one tool call in the world's repository, under the default policy. */
async function judge(world: World, tool: string, input: Record<string, unknown>) {
  const call: HookCall = {
    event: "PreToolUse",
    payload: {
      session_id: "table",
      transcript_path: "",
      cwd: world.repo,
      hook_event_name: "PreToolUse",
      tool_name: tool,
      tool_input: input,
    },
  };
  const system = { ...denoSystem(), home: world.home, cwd: () => world.repo };
  const options = {
    system,
    executables: [`${world.home}/.local/bin/gitvow`],
    deadline: Date.now() + 20_000,
  };
  return await gate(call, await prepare(call, options));
}

function ready(): World {
  const world = new World();
  world.policy(DEFAULT_POLICY);
  world.write("shop/.git/HEAD", "ref: refs/heads/feature/login\n");
  world.write("shop/src/app.ts", "export {};\n");
  world.write("projects/api/.git/HEAD", "ref: refs/heads/main\n");
  return world;
}

/** What a decision rests on, for the message of a failed assertion. */
function because(decision: Decision): string {
  return decision.findings.map((one) => `${one.outcome}: ${one.reason} (${one.source})`).join("; ");
}

Deno.test("the default policy judges every command of the table as the table says", async () => {
  using world = ready();
  const rows = readRows();
  assert(rows.length >= 250);
  const misses: string[] = [];
  for (const { verdict, command, line } of rows) {
    const decision = await judge(world, "Bash", { command });
    if (decision.outcome === verdict) continue;
    misses.push(
      `${line}: ${command}\n    ${decision.outcome}, not ${verdict}; ${because(decision)}`,
    );
  }
  assert.equal(misses.join("\n"), "");
});

const FILES: readonly (readonly ["allow" | "confirm" | "deny", "Write" | "Read", string])[] = [
  ["deny", "Write", ".claude/settings.json"],
  ["deny", "Write", ".CLAUDE/Settings.local.json"],
  ["deny", "Write", "packages/web/.claude/hooks/pre.sh"],
  ["deny", "Write", ".github/hooks/pre.json"],
  ["confirm", "Write", ".vscode/settings.json"],
  ["confirm", "Write", ".cursor/rules/style.mdc"],
  ["deny", "Write", ".cursor/hooks.json"],
  ["deny", "Write", ".codex/config.toml"],
  ["deny", "Write", ".gemini/settings.json"],
  ["confirm", "Write", ".git/hooks/post-checkout"],
  ["deny", "Write", ".git/config"],
  ["confirm", "Write", "~/.bashrc"],
  ["deny", "Write", "~/.ssh/authorized_keys"],
  ["deny", "Write", "~/.aws/credentials"],
  ["deny", "Write", "/etc/sudoers"],
  ["deny", "Write", "/usr/bin/git"],
  ["deny", "Write", "/boot/grub/grub.cfg"],
  ["confirm", "Write", ".git/info/exclude"],
  ["confirm", "Write", ".env"],
  ["confirm", "Write", ".env.production"],
  ["confirm", "Write", "/etc/hosts"],
  ["confirm", "Write", ".husky/pre-commit"],
  ["allow", "Write", ".env.example"],
  ["allow", "Write", "src/env.ts"],
  ["allow", "Write", ".gitignore"],
  ["allow", "Write", ".github/workflows/ci.yml"],
  ["allow", "Write", "docs/.claude-notes/settings.json"],
  ["allow", "Write", "CLAUDE.md"],
  ["allow", "Write", ".claude/commands/x.md"],
  ["allow", "Write", ".vscode/extensions.json"],
  ["deny", "Read", "~/.ssh/id_ed25519"],
  ["deny", "Read", "~/.aws/credentials"],
  ["deny", "Read", "/proc/self/environ"],
  ["deny", "Read", "~/.config/google-chrome/Default/Cookies"],
  ["confirm", "Read", ".env"],
  ["confirm", "Read", ".env.local"],
  ["confirm", "Read", "apps/web/.env.anything"],
  ["confirm", "Read", ".env.example.local"],
  ["confirm", "Read", "certs/server.key.pem"],
  ["deny", "Read", "~/.mozilla/firefox/x.default/logins.json"],
  ["deny", "Read", "~/Library/Application Support/Google/Chrome/Default/Login Data"],
  ["allow", "Read", ".env.d.ts"],
  ["allow", "Read", ".env.example"],
  ["allow", "Read", ".env.local.sample"],
  ["allow", "Read", ".env.production.template"],
  ["allow", "Read", "src/environment.ts"],
  ["allow", "Read", "~/.ssh/id_ed25519.pub"],
  ["allow", "Read", ".git/HEAD"],
  ["allow", "Read", "package.json"],
];

Deno.test("the default policy judges the files that tools write and read", async () => {
  using world = ready();
  const misses: string[] = [];
  for (const [verdict, tool, path] of FILES) {
    const absolute = path.startsWith("~/")
      ? `${world.home}${path.slice(1)}`
      : path.startsWith("/")
      ? path
      : `${world.repo}/${path}`;
    const decision = await judge(world, tool, { file_path: absolute, content: "x" });
    if (decision.outcome === verdict) continue;
    misses.push(`${tool} ${path}: ${decision.outcome}, not ${verdict}; ${because(decision)}`);
  }
  assert.equal(misses.join("\n"), "");
});

const POWERSHELL: readonly (readonly ["allow" | "confirm" | "deny", string])[] = [
  ["deny", "Remove-Item -Recurse -Force $HOME"],
  ["deny", "ri -r -fo C:\\"],
  ["deny", "Format-Volume -DriveLetter D"],
  ["deny", "git push --force"],
  ["confirm", "Remove-Item -Recurse src"],
  ["confirm", "Remove-Item -Force notes.txt"],
  ["confirm", "Set-ExecutionPolicy Bypass"],
  ["confirm", "Clear-Content notes.txt"],
  ["confirm", "Set-Content .env 'A=1'"],
  ["allow", "Remove-Item -Recurse -Force node_modules"],
  ["allow", "Remove-Item notes.txt"],
  ["allow", "Get-ChildItem src"],
  ["allow", "Write-Output 'Remove-Item -Recurse C:\\'"],
  ["allow", "npm test"],
];

Deno.test("the default policy judges PowerShell commands", async () => {
  using world = ready();
  for (const [verdict, command] of POWERSHELL) {
    const decision = await judge(world, "PowerShell", { command });
    assert.equal(decision.outcome, verdict, `${command}: ${because(decision)}`);
  }
});

const TOOLS: readonly (readonly ["allow" | "deny", string])[] = [
  ["deny", "mcp__dolt__drop_database"],
  ["deny", "mcp__github__delete_repository"],
  ["deny", "mcp__supabase__delete_branch"],
  ["allow", "mcp__github__list_branches"],
  ["allow", "mcp__linear__delete_comment"],
  ["allow", "mcp__docs__search_deleted_files"],
];

Deno.test("the default policy denies MCP tools that destroy what they name", async () => {
  using world = ready();
  for (const [verdict, tool] of TOOLS) {
    const decision = await judge(world, tool, {});
    assert.equal(decision.outcome, verdict, `${tool}: ${because(decision)}`);
  }
});

/** Every regular expression of a policy file's value. */
function patternsOf(value: unknown, key = ""): string[] {
  if (typeof value === "string") {
    return ["pattern", "verbs", "args", "mcp_deny", "mcp_allow"].includes(key) ? [value] : [];
  }
  if (Array.isArray(value)) return value.flatMap((one) => patternsOf(one, key));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => patternsOf(one, name));
}

Deno.test("every pattern of the default policy runs in the linear engine", () => {
  const patterns = patternsOf(JSON.parse(DEFAULT_POLICY));
  assert(patterns.length > 100);
  assert.deepEqual(patterns.filter((one) => !compilePattern(one).linear), []);
});

Deno.test("every rule of the default policy has a reason that is a clause without a full stop", () => {
  const policy = JSON.parse(DEFAULT_POLICY) as Record<string, unknown[]>;
  for (const [key, rules] of Object.entries(policy)) {
    if (key.startsWith("mcp_")) continue;
    for (const rule of rules) {
      const { reason } = rule as { reason: string };
      assert.match(
        reason,
        /^(?:a|an|it|that|what|whatever|whoever|others|by|private|credentials) .*[^.]$/,
        reason,
      );
    }
  }
});

Deno.test("the file of the default policy is byte for byte what is printed and installed", () => {
  assert.equal(Deno.readTextFileSync(FILE), DEFAULT_POLICY);
});

type Disguise = (command: string) => string;

/** Other ways to spell the words of a simple command. */
const SPELLINGS: readonly Disguise[] = [
  (command) => command,
  (command) => command.replace(/^(\w)(\w+)/, `$1''$2`),
  (command) => command.replace(/^(\w)(\w+)/, `"$1"$2`),
  (command) => command.replace(/^\w/, "\\$&"),
  (command) => command.replace(/^[\w-]+/, "/usr/bin/$&"),
  (command) => command.replace(/ /g, "   "),
  (command) => command.replace(/ /g, " \\\n "),
];

/** Programs in front that run a simple command. */
const PREFIXES: readonly Disguise[] = [
  (command) => command,
  (command) => `sudo ${command}`,
  (command) => `env A=1 ${command}`,
  (command) => `timeout 5 ${command}`,
  (command) => `command ${command}`,
  (command) => `A=1 ${command}`,
];

/** What runs a whole command line. */
const ENCLOSURES: readonly Disguise[] = [
  (command) => command,
  (command) => `true && ${command}`,
  (command) => `{ ${command}; }`,
  (command) => `if true; then ${command}; fi`,
  (command) => `echo "$( ${command} )"`,
  (command) => `(${command} ) & wait`,
  (command) => `bash -c ${quote(command)}`,
  (command) => `eval ${quote(command)}`,
  (command) => `printf '%s' ${quote(command)} | sh`,
  (command) => `f() { ${command}; }; f`,
];

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

Deno.test("a denied command stays denied however it is quoted and wrapped", async () => {
  using world = ready();
  const plain = readRows().filter(({ verdict, command }) =>
    verdict === "deny" && /^[a-z]+ [\w ~/.:+=-]+$/.test(command) && !/^(?:cd|sudo) /.test(command)
  );
  assert(plain.length > 60);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...plain),
      fc.tuple(
        fc.constantFrom(...SPELLINGS),
        fc.constantFrom(...PREFIXES),
        fc.constantFrom(...ENCLOSURES),
        fc.constantFrom(...ENCLOSURES),
      ),
      async ({ command }, disguises) => {
        const text = disguises.reduce((inner, disguise) => disguise(inner), command);
        const decision = await judge(world, "Bash", { command: text });
        assert.equal(decision.outcome, "deny", `${text}: ${because(decision)}`);
      },
    ),
    { numRuns: 150 },
  );
});
