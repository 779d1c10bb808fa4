/** Whatever goes wrong before a tool is a block that says what mends it, and on Stop nothing. */
import assert from "node:assert/strict";
import { GITVOW, World } from "../support/world.ts";

interface Fault {
  readonly name: string;
  /** Breaks something; returns what to change about the run. */
  readonly break?: (world: World) => {
    readonly stdin?: string | Uint8Array;
    readonly cwd?: string;
    readonly env?: Record<string, string>;
    readonly payload?: Record<string, unknown>;
    readonly agent?: string;
  } | void;
  /** What the message must name. */
  readonly says: RegExp;
}

const POLICY = { bash_deny: [{ pattern: "rm -rf /", reason: "it deletes everything" }] };

const policyIs = (text: string | Uint8Array) => (world: World): void => {
  world.write(".gitvow/policy.json", text);
};

const FAULTS: readonly Fault[] = [
  { name: "empty stdin", break: () => ({ stdin: "" }), says: /input is empty.*To mend it/s },
  { name: "a list on stdin", break: () => ({ stdin: "[]" }), says: /not a JSON object/ },
  { name: "a string on stdin", break: () => ({ stdin: '"x"' }), says: /not a JSON object/ },
  { name: "a number on stdin", break: () => ({ stdin: "12" }), says: /not a JSON object/ },
  { name: "null on stdin", break: () => ({ stdin: "null" }), says: /not a JSON object/ },
  { name: "text on stdin", break: () => ({ stdin: "hello" }), says: /not a JSON object/ },
  { name: "cut JSON on stdin", break: () => ({ stdin: '{"a": [1' }), says: /not JSON/ },
  { name: "broken JSON on stdin", break: () => ({ stdin: '{"a" 1}' }), says: /not JSON/ },
  { name: "two objects on stdin", break: () => ({ stdin: "{} {}" }), says: /more than one/ },
  {
    name: "invalid UTF-8 on stdin",
    break: () => ({ stdin: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) }),
    says: /not UTF-8/,
  },
  {
    name: "40 MiB on stdin",
    break: () => ({ stdin: `{"x":"${"a".repeat(40 * 1024 * 1024)}"}` }),
    says: /larger than/,
  },
  { name: "an unknown agent", break: () => ({ agent: "nobody" }), says: /"nobody".*claude/s },
  {
    name: "no policy",
    break: (world) => Deno.removeSync(`${world.home}/.gitvow/policy.json`),
    says: /no policy.*gitvow install --user/s,
  },
  { name: "a policy that is a list", break: policyIs("[]"), says: /policy\.json.*an object/ },
  { name: "a policy that is null", break: policyIs("null"), says: /policy\.json.*an object/ },
  { name: "an empty policy file", break: policyIs(""), says: /policy\.json.*line 1/ },
  {
    name: "a rule list that is null",
    break: policyIs('{"bash_deny": null}'),
    says: /line 1, column 15 \(\/bash_deny\) must be an array/,
  },
  {
    name: "a pattern that is a number",
    break: policyIs('{"bash_deny":[{"pattern":5}]}'),
    says: /\/bash_deny\/0/,
  },
  {
    name: "a rule without a reason",
    break: policyIs('{"bash_deny":[{"pattern":"x"}]}'),
    says: /must have "reason"/,
  },
  {
    name: "an MCP rule that is a number",
    break: policyIs('{"mcp_deny":[1]}'),
    says: /\/mcp_deny\/0\) must be a string, not 1/,
  },
  {
    name: "a pattern that does not compile",
    break: policyIs('{"path_deny":[{"pattern":"(","reason":"r"}]}'),
    says: /\/path_deny\/0\/pattern/,
  },
  {
    name: "a backreference",
    break: policyIs('{"bash_deny":[{"pattern":"(a)\\\\1","reason":"r"}]}'),
    says: /\/bash_deny\/0\/pattern/,
  },
  {
    name: "a provider with an unknown question",
    break: policyIs('{"providers":[{"name":"p","command":"p","questions":["who"]}]}'),
    says: /\/providers\/0\/questions\/0/,
  },
  {
    name: "a provider with an empty command",
    break: policyIs('{"providers":[{"name":"p","command":""}]}'),
    says: /\/providers\/0\/command/,
  },
  { name: "a torn policy", break: policyIs('{"bash_deny": ['), says: /cannot be parsed: line 1/ },
  {
    name: "a policy that is not UTF-8",
    break: policyIs(new Uint8Array([0x7b, 0xff, 0x7d])),
    says: /not UTF-8/,
  },
  {
    name: "a policy that is a directory",
    break: (world) => {
      Deno.removeSync(`${world.home}/.gitvow/policy.json`);
      Deno.mkdirSync(`${world.home}/.gitvow/policy.json`);
    },
    says: /is a directory/,
  },
  {
    name: "a policy that is a named pipe",
    break: (world) => {
      Deno.removeSync(`${world.home}/.gitvow/policy.json`);
      new Deno.Command("mkfifo", { args: [`${world.home}/.gitvow/policy.json`] }).outputSync();
    },
    says: /not a plain file/,
  },
  {
    name: "a policy that is a device",
    break: (world) => {
      Deno.removeSync(`${world.home}/.gitvow/policy.json`);
      Deno.symlinkSync("/dev/zero", `${world.home}/.gitvow/policy.json`);
    },
    says: /not a plain file/,
  },
  {
    name: "a policy that is a link to nothing",
    break: (world) => {
      Deno.removeSync(`${world.home}/.gitvow/policy.json`);
      Deno.symlinkSync("nowhere.json", `${world.home}/.gitvow/policy.json`);
    },
    says: /link to nothing/,
  },
  {
    name: "a policy folder that is a file",
    break: (world) => {
      Deno.removeSync(`${world.home}/.gitvow`, { recursive: true });
      world.write(".gitvow", "not a folder");
    },
    says: /cannot be read/,
  },
  {
    name: "a policy larger than 4 MiB",
    break: policyIs(`{"x":"${"a".repeat(4 * 1024 * 1024)}"}`),
    says: /larger than/,
  },
  {
    name: "a repository policy that is broken",
    break: (world) => {
      world.write("shop/.gitvow/policy.json", "{");
    },
    says: /shop\/\.gitvow\/policy\.json cannot be parsed/,
  },
  {
    name: "HOME unset",
    break: (world) => ({ env: { PATH: world.env["PATH"] ?? "" } }),
    says: /home directory is not known.*set HOME/s,
  },
  {
    name: "HOME empty",
    break: (world) => ({ env: { ...world.env, HOME: "" } }),
    says: /home directory is not known/,
  },
  {
    name: "a working directory that is gone",
    break: (world) => ({ payload: { cwd: `${world.home}/gone` } }),
    says: /gone" is not an existing directory/,
  },
  { name: "no tool input", break: () => ({ payload: { tool_input: null } }), says: /tool_input/ },
];

function message(stdout: string): string {
  const document = JSON.parse(stdout);
  return document.hookSpecificOutput.permissionDecisionReason;
}

for (const fault of FAULTS) {
  Deno.test(`${fault.name} blocks before a tool and lets Stop pass`, async () => {
    for (const event of ["PreToolUse", "Stop"]) {
      using world = new World();
      world.policy(POLICY);
      const how = fault.break?.(world) ?? {};
      const payload = world.payload("Bash", { command: "ls" }, {
        hook_event_name: event,
        ...how.payload,
      });
      const ended = await world.run(["hook", "--agent", how.agent ?? "claude", event], {
        stdin: how.stdin ?? JSON.stringify(payload),
        ...(how.env !== undefined && { env: how.env }),
      });
      if (event === "Stop") {
        assert.deepEqual([ended.code, ended.stdout], [0, ""], ended.stderr);
        continue;
      }
      assert.equal(ended.code, 2, ended.stderr);
      assert.match(ended.stderr, /^BLOCKED by gitvow: /);
      assert.match(ended.stderr, fault.says);
      assert.ok(ended.stderr.startsWith(message(ended.stdout)), "both streams carry the reason");
    }
  });
}

Deno.test("an unreadable policy blocks", { ignore: Deno.uid() === 0 }, async () => {
  using world = new World();
  world.policy(POLICY);
  Deno.chmodSync(`${world.home}/.gitvow/policy.json`, 0);
  const ended = await world.bash("ls");
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /permission denied/);
});

Deno.test("an event nobody knows blocks, and one that comes after a tool does not", async () => {
  using world = new World();
  world.policy(POLICY);
  const payload = { session_id: "s1", cwd: world.repo };
  const cases: readonly [string, number][] = [
    ["Frobnicate", 2],
    ["PreEverything", 2],
    ["BeforeLunch", 2],
    ["AfterLunch", 0],
    ["Notification", 0],
    ["PermissionRequest", 0],
    ["PreCompact", 0],
    ["CwdChanged", 0],
  ];
  for (const [event, code] of cases) {
    const ended = await world.hook(event, payload);
    assert.equal(ended.code, code, `${event}: ${ended.stderr}`);
    if (code === 2) assert.match(ended.stderr, new RegExp(`^BLOCKED by gitvow: .*${event}`));
  }
});

Deno.test("an event that the command line and the payload name differently fails closed", async () => {
  using world = new World();
  world.policy({ bash_deny: [{ pattern: "rm", reason: "it deletes" }] });
  const asPre = world.payload("Bash", { command: "rm x" });
  assert.equal((await world.hook("Stop", asPre)).code, 2);
  assert.equal((await world.hook("PreToolUse", { ...asPre, hook_event_name: "Stop" })).code, 2);
});

Deno.test("the payload names the event where the command line does not", async () => {
  using world = new World();
  world.policy({ bash_deny: [{ pattern: "rm", reason: "it deletes" }] });
  const args = ["hook", "--agent", "claude"];
  const pre = await world.run(args, {
    stdin: JSON.stringify(world.payload("Bash", { command: "rm x" })),
  });
  assert.equal(pre.code, 2);
  const stop = await world.run(args, { stdin: '{"session_id":"s1","hook_event_name":"Stop"}' });
  assert.equal(stop.code, 0);
  const none = await world.run(args, { stdin: '{"session_id":"s1"}' });
  assert.equal(none.code, 2);
  assert.match(none.stderr, /names the event/);
});

Deno.test("a hook that names no agent blocks", async () => {
  using world = new World();
  world.policy(POLICY);
  const ended = await world.run(["hook", "PreToolUse"], { stdin: "{}" });
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /No agent was named/);
});

Deno.test("a question that cannot be written is a block", async () => {
  using world = new World();
  world.policy({ bash_confirm: [{ pattern: "perhaps", reason: "the test wonders" }] });
  const payload = JSON.stringify(world.payload("Bash", { command: "perhaps" }));
  for (const to of ["> /dev/full", ">&-", ">&- 2>&-"]) {
    const ended = await new Deno.Command("sh", {
      args: ["-c", `printf %s "$1" | "$0" hook --agent claude PreToolUse ${to}`, GITVOW, payload],
      env: world.env,
      clearEnv: true,
      cwd: world.repo,
    }).output();
    assert.equal(ended.code, 2, to);
  }
});

Deno.test("a hook that computes without a pause is ended by the system, and blocks", async () => {
  using world = new World();
  const text = Deno.readTextFileSync(GITVOW).replace(/ulimit -t \d+/, "ulimit -t 1");
  assert.match(text, /ulimit -t 1 /);
  const program = world.write("endless.js", "for (;;);");
  const launcher = world.write("gitvow", text.replace(/^program=.*$/m, `program=${program}`));
  Deno.chmodSync(launcher, 0o755);
  const ended = await world.hook("PreToolUse", "{}", { program: launcher });
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /BLOCKED by gitvow: its process ended/);
});
