/** Which command lines are gitvow's own hooks, and that written ones are recognised again. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { isGitvowCommand } from "../../src/install/edit.ts";
import { hookCommand, type HookShell } from "../../src/install/quote.ts";

const OURS = [
  "gitvow hook PreToolUse",
  "gitvow hook",
  "  gitvow\thook x",
  "gitvow.exe hook PreToolUse",
  "GITVOW=1 gitvow hook Stop",
  "A='b c' B=\"d\" /usr/bin/gitvow hook Stop",
  "/home/me/.gitvow/bin/gitvow hook --agent codex PreToolUse",
  "~/.gitvow/bin/gitvow hook Stop",
  '"$HOME/.gitvow/bin/gitvow" hook Stop',
  "'/a b/gitvow' hook PreToolUse",
  '"/a b/gitvow" hook PreToolUse',
  "/a\\ b/gitvow hook PreToolUse",
  "'/it'\\''s/gitvow' hook PreToolUse",
  '"/say \\"hi\\"/gitvow" hook PreToolUse',
  '"C:\\Program Files\\gitvow\\gitvow.exe" hook PreToolUse',
  "C:\\x\\GitVow\\gitvow.EXE hook PreToolUse",
  "\\\\server\\share\\gitvow.exe hook PreToolUse",
  "C:/x/gitvow.exe hook PreToolUse",
  '& "C:\\x\\gitvow.exe" hook PreToolUse',
  "& 'C:\\a b\\gitvow.exe' hook PreToolUse",
  "& 'C:\\it''s\\gitvow.exe' hook PreToolUse",
  "$env:A = 'b'; & 'C:\\x\\gitvow.exe' hook PreToolUse",
  "%USERPROFILE%\\gitvow.exe hook PreToolUse",
  "exec gitvow hook PreToolUse",
  "env -i A=b gitvow hook PreToolUse",
  "command gitvow hook PreToolUse",
  "cd /x && gitvow hook PreToolUse",
  "gitvow hook PreToolUse 2>&1",
  "tee log | gitvow hook PreToolUse || exit 2",
  "if true; then gitvow hook Stop; fi",
  "git'vow' \"hook\" Stop",
];

const FOREIGN = [
  "",
  "echo gitvow hook",
  "echo 'a; gitvow hook'",
  'echo "a\ngitvow hook"',
  "notgitvow hook PreToolUse",
  "gitvow-agent-x hook PreToolUse",
  "/opt/gitvow-agent-x hook",
  "/opt/gitvow/run hook PreToolUse",
  "gitvow",
  "gitvow status",
  "gitvow hooks PreToolUse",
  "gitvow 'hook PreToolUse'",
  "'gitvow hook' PreToolUse",
  "# gitvow hook",
  "true # ; gitvow hook",
  "grep gitvow hook.log",
  "gitvow.exe.bak hook",
  "my gitvow hook",
  "node hook.js gitvow hook",
  "A=gitvow hook",
];

for (const command of OURS) {
  Deno.test(`is ours: ${command}`, () => assert.equal(isGitvowCommand(command), true));
}
for (const command of FOREIGN) {
  Deno.test(`is foreign: ${command}`, () => assert.equal(isGitvowCommand(command), false));
}

const WRITTEN: [string, "linux" | "darwin" | "windows", HookShell, string][] = [
  ["gitvow", "linux", "posix", "gitvow"],
  ["/usr/bin/gitvow", "linux", "posix", "/usr/bin/gitvow"],
  ["/a b/gitvow", "darwin", "posix", "'/a b/gitvow'"],
  ["/it's/gitvow", "linux", "posix", "'/it'\\''s/gitvow'"],
  ["/$HOME/gitvow", "linux", "posix", "'/$HOME/gitvow'"],
  ["/é/gitvow", "linux", "posix", "'/é/gitvow'"],
  ["/a=b/gitvow", "linux", "posix", "'/a=b/gitvow'"],
  ["C:\\x\\gitvow.exe", "windows", "posix", "C:/x/gitvow.exe"],
  ["C:\\a b\\gitvow.exe", "windows", "posix", "'C:/a b/gitvow.exe'"],
  ["C:\\x\\gitvow.exe", "windows", "cmd", "C:\\x\\gitvow.exe"],
  ["C:\\a & b\\gitvow.exe", "windows", "cmd", '"C:\\a & b\\gitvow.exe"'],
  ["gitvow", "windows", "powershell", "gitvow"],
  ["C:\\x\\gitvow.exe", "windows", "powershell", "C:\\x\\gitvow.exe"],
  ["C:\\a b\\gitvow.exe", "windows", "powershell", "& 'C:\\a b\\gitvow.exe'"],
  ["C:\\it's\\gitvow.exe", "windows", "powershell", "& 'C:\\it''s\\gitvow.exe'"],
  ["C:\\it’s\\gitvow.exe", "windows", "powershell", "& 'C:\\it’’s\\gitvow.exe'"],
  ["1/gitvow", "linux", "powershell", "& '1/gitvow'"],
];

for (const [executable, os, shell, written] of WRITTEN) {
  Deno.test(`${shell} on ${os} runs ${executable} as ${written}`, () => {
    assert.equal(hookCommand(executable, os, shell), written);
    assert.equal(isGitvowCommand(`${written} hook PreToolUse`), true);
  });
}

for (
  const [executable, shell] of [["", "posix"], ["/a\nb/gitvow", "posix"], ["C:\\%A%\\g", "cmd"]]
) {
  Deno.test(`${shell} cannot be given ${JSON.stringify(executable)}`, () => {
    assert.throws(
      () => hookCommand(executable ?? "", "windows", shell as HookShell),
      (error: Error) => error.message.includes(JSON.stringify(executable)),
    );
  });
}

Deno.test("any path quoted for sh is passed whole by sh, and recognised", () => {
  const folder = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(folder, (name) => {
      const executable = `/${name}/gitvow`;
      const command = `${hookCommand(executable, "linux", "posix")} hook Stop`;
      assert.equal(isGitvowCommand(command), true);
      const { stdout } = new Deno.Command("sh", {
        args: ["-c", `printf '%s\\n' ${command}`],
      }).outputSync();
      assert.equal(new TextDecoder().decode(stdout), `${executable}\nhook\nStop\n`);
    }),
    { numRuns: 60 },
  );
});
