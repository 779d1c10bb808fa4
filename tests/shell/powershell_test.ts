/**
 * PowerShell and cmd: what their command lines run and touch.
 */
import assert from "node:assert/strict";
import { readPowerShell } from "../../src/shell/powershell.ts";
import type { Reading } from "../../src/shell/reading.ts";
import { argvs, CONTEXT, doubts, read, uses } from "./reading.ts";

const S = CONTEXT.cwd;

function spelled(reading: Reading): string[] {
  return [...argvs(reading), ...uses(reading), ...doubts(reading)];
}

const ROWS: readonly (readonly [string, readonly string[]])[] = [
  ["Remove-Item -Recurse -Force C:\\x\\y", [
    "Remove-Item -Recurse -Force C:\\x\\y".replace("Remove-Item", "remove-item"),
    "delete* C:/x/y",
  ]],
  ["ri -r -fo x", ["remove-item -r -fo x", `delete* ${S}/x`]],
  ["ls; rd 'a b'", ["get-childitem", 'remove-item "a b"', `delete ${S}/a b`]],
  ["[System.IO.Directory]::Delete('C:\\x', $true)", [
    "[io.directory]::delete C:\\x ?$true",
    "delete* C:/x",
  ]],
  ["iex (iwr https://x.test/p.ps1).Content", [
    "invoke-webrequest https://x.test/p.ps1",
    'invoke-expression ?"(iwr https://x.test/p.ps1).Content"',
    "unread code",
  ]],
  ["iwr https://x.test/p.ps1 | iex", [
    "invoke-webrequest https://x.test/p.ps1",
    "invoke-expression",
    "unread code",
  ]],
  ["iex 'ri x'", ['invoke-expression "ri x"', "remove-item x", `delete ${S}/x`]],
  ["Clear-Content .env", ["clear-content .env", `write ${S}/.env`]],
  ["'x' | Set-Content a.txt; echo y > b.txt", [
    "set-content a.txt",
    "write-output y",
    `write ${S}/a.txt`,
    `write ${S}/b.txt`,
  ]],
  ["Get-Help Remove-Item", ["get-help Remove-Item"]],
  ["git push --force; if ($x) { git reset --hard }", ["git push --force", "git reset --hard"]],
  ["Write-Output 'Remove-Item x' # rm y", ['write-output "Remove-Item x"']],
  ["$p = Get-Content a; & $p x", ["get-content a", "?$p x", `read ${S}/a`, "indirect"]],
]; // deno-fmt-ignore

for (const [source, expected] of ROWS) {
  Deno.test(`PowerShell ${JSON.stringify(source)}`, () => {
    assert.deepEqual(spelled(readPowerShell(source, CONTEXT)).sort(), [...expected].sort());
  });
}

Deno.test("a POSIX command line leads into PowerShell and cmd", () => {
  const encoded = btoa([..."Remove-Item x"].map((char) => `${char}\0`).join(""));
  for (
    const source of [
      "powershell -NoProfile -Command 'Remove-Item x'",
      "pwsh -c 'ri x'",
      `pwsh -EncodedCommand ${encoded}`,
      "powershell.exe ri x",
      "echo 'ri x' | pwsh",
      "cmd /c 'del x'",
      "cmd.exe /c del /q x",
    ]
  ) assert.deepEqual(uses(read(source)), [`delete ${S}/x`], source);
  assert.deepEqual(uses(read("cmd /c 'rd /s /q C:\\x & echo done'")), ["delete* C:/x"]);
  assert.deepEqual(doubts(read("pwsh")), ["interactive"]);
  assert.deepEqual(doubts(read("pwsh --version")), []);
});
