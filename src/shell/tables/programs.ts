/** Programs that a function or an alias of the same name does not take away. */
import { FILE_RULES } from "./files.ts";
import { WRAPPERS } from "./wrappers.ts";

/** Programs that rules speak of and no other table of the reader does. */
const MORE = new Set(
  ("aws az cargo crontab dd docker dropdb find gcloud gh gitvow git gsutil helm kubectl launchctl " +
    "mkfs mongosh mysql npm oc pnpm podman psql pulumi redis-cli shred sqlite3 systemctl terraform " +
    "tofu yarn sh bash zsh dash ksh").split(" "),
);

/** True where a name is that of a program gitvow knows. */
export function isProgram(name: string): boolean {
  return MORE.has(name) || FILE_RULES.has(name) || WRAPPERS.has(name);
}
