/**
 * `deno task demo`: gitvow's main job for real, in a throwaway home and repository.
 *
 * Installs the gate for Claude Code there, then does what the client would: runs the installed hook
 * command through `sh -c` with payloads that the real client sent, and shows what the agent sees
 * and what the record holds.
 */

/** A step of the demo: a payload as captured, and what is changed about it. */
interface Step {
  readonly title: string;
  readonly event: string;
  readonly payload: string;
  readonly input?: Record<string, unknown>;
  readonly mode?: string;
  readonly expect: "nothing" | "allow" | "ask" | "block";
}

const root = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/\/$/, "");

const STEPS: readonly Step[] = [
  {
    title: "the session starts",
    event: "SessionStart",
    payload: "SessionStart",
    expect: "nothing",
  },
  {
    title: "an everyday command",
    event: "PreToolUse",
    payload: "PreToolUse-Bash",
    input: { command: "npm test -- --grep 'git push --force'" },
    expect: "allow",
  },
  { title: "a new file", event: "PreToolUse", payload: "PreToolUse-Write", expect: "allow" },
  {
    title: "a release, which the person is asked about",
    event: "PreToolUse",
    payload: "PreToolUse-Bash",
    input: { command: "gh release create v1.2.0" },
    expect: "ask",
  },
  {
    title: "the same with nobody to ask: blocked, with a code to approve it",
    event: "PreToolUse",
    payload: "PreToolUse-Bash",
    input: { command: "gh release create v1.2.0" },
    mode: "bypassPermissions",
    expect: "block",
  },
  {
    title: "a forced push in disguise",
    event: "PreToolUse",
    payload: "PreToolUse-Bash",
    input: { command: 'cd api && bash -lc "git -C . push origin +main"' },
    expect: "block",
  },
  {
    title: "the agent tries to approve its own call",
    event: "PreToolUse",
    payload: "PreToolUse-Bash",
    input: { command: "gitvow approve 7F3K" },
    expect: "block",
  },
  {
    title: "a result",
    event: "PostToolUse",
    payload: "PostToolUse-Bash",
    expect: "nothing",
  },
  { title: "the session ends", event: "SessionEnd", payload: "SessionEnd", expect: "nothing" },
];

function indent(text: string): string {
  return text.trimEnd().split("\n").map((line) => `    ${line}`).join("\n");
}

async function sh(command: string, stdin: string, home: string, cwd: string) {
  const child = new Deno.Command("sh", {
    args: ["-c", command],
    cwd,
    env: { HOME: home, PATH: Deno.env.get("PATH") ?? "" },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  return {
    code,
    stdout: new TextDecoder().decode(stdout),
    stderr: new TextDecoder().decode(stderr),
  };
}

function outcomeOf(code: number, stdout: string): "allow" | "ask" | "block" {
  return code === 2 ? "block" : stdout.includes('"ask"') ? "ask" : "allow";
}

const home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "gitvow-demo-" }));
const repo = `${home}/shop`;
let wrong = 0;
try {
  Deno.mkdirSync(`${repo}/.git`, { recursive: true });
  Deno.writeTextFileSync(`${repo}/.git/HEAD`, "ref: refs/heads/main\n");
  console.log("$ gitvow install --user --agent claude");
  const installed = await sh(`"${root}/dist/gitvow" install --user --agent claude`, "", home, repo);
  console.log(indent(installed.stdout + installed.stderr));
  if (installed.code !== 0) Deno.exit(1);
  const settings = JSON.parse(Deno.readTextFileSync(`${home}/.claude/settings.json`));
  for (const step of STEPS) {
    const command: string = settings.hooks[step.event][0].hooks[0].command;
    const file = `${root}/examples/payloads/claude/${step.payload}.json`;
    const captured = JSON.parse(
      Deno.readTextFileSync(file).replaceAll("/home/dev/shop", repo).replaceAll("/home/dev", home),
    );
    const payload = {
      ...captured,
      session_id: "demo",
      ...(step.input && { tool_input: step.input }),
      ...(step.mode && { permission_mode: step.mode }),
    };
    const shown = payload.tool_input?.command ?? payload.tool_input?.file_path ?? "";
    console.log(`\n${step.event}: ${step.title}${shown === "" ? "" : `\n    ${shown}`}`);
    const { code, stdout, stderr } = await sh(command, JSON.stringify(payload), home, repo);
    const outcome = outcomeOf(code, stdout);
    console.log(
      `  the agent sees exit code ${code}${stdout + stderr === "" ? " and no word" : ""}`,
    );
    if (stderr !== "") console.log(indent(stderr));
    else if (stdout !== "") console.log(indent(stdout));
    if (step.expect !== outcome && !(step.expect === "nothing" && outcome === "allow")) {
      wrong++;
      console.log(`  WRONG: ${step.expect} was expected`);
    }
  }
  console.log("\n$ gitvow log demo");
  console.log(indent((await sh(`"${home}/.gitvow/bin/gitvow" log demo`, "", home, repo)).stdout));
} finally {
  Deno.removeSync(home, { recursive: true });
}
console.log(wrong === 0 ? "\nThe demo went as it should." : `\n${wrong} steps went wrong.`);
Deno.exit(wrong === 0 ? 0 : 1);
