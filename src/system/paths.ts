/**
 * Path arithmetic on `/`-separated paths, without touching the disk.
 *
 * Measured: importing `node:path` adds about 10 ms to a hook and `pathe` 34 ms, so the hot path
 * has these few functions instead. Windows paths are folded to `/` at the edge by `slashed`.
 */

/** `path` with `\` folded to `/` where the system uses it as a separator. */
export function slashed(path: string, os: string): string {
  return os === "windows" ? path.replaceAll("\\", "/") : path;
}

/** True for `/x`, and for `C:/x` as Windows writes it. */
export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}

/** Resolves `.`, `..` and repeated `/` lexically; no trailing `/` but for the root itself. */
export function normalize(path: string): string {
  const drive = /^[A-Za-z]:(?=\/)/.exec(path)?.[0] ?? "";
  const rest = path.slice(drive.length);
  const absolute = rest.startsWith("/");
  const out: string[] = [];
  for (const part of rest.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (out.length > 0 && out[out.length - 1] !== "..") out.pop();
      else if (!absolute) out.push("..");
    } else out.push(part);
  }
  const body = out.join("/");
  return absolute ? `${drive}/${body}` : body === "" ? "." : body;
}

/** `path` made absolute against `base` and normalised. */
export function resolve(base: string, path: string): string {
  return normalize(isAbsolute(path) ? path : `${base}/${path}`);
}

/** `~` or `~/x` with the home in its place; other paths as they are. */
export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? `${home}/${path.slice(2)}` : path;
}

/** The part after the last `/`. */
export function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Everything before the last `/`; the root's parent is the root. */
export function dirname(path: string): string {
  const at = path.lastIndexOf("/");
  if (at < 0) return ".";
  if (at === 0) return "/";
  const head = path.slice(0, at);
  return /^[A-Za-z]:$/.test(head) ? `${head}/` : head;
}

/** `path` relative to `base` where it lies at or below it (`.` for the base itself), else undefined. */
export function relativeTo(base: string, path: string): string | undefined {
  if (path === base) return ".";
  const prefix = base.endsWith("/") ? base : `${base}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/** `path` as a person would write it: `~/x` under the home, else as it is. */
export function tildify(path: string, home: string | undefined): string {
  if (home === undefined || home === "/") return path;
  const inside = relativeTo(home, path);
  return inside === undefined ? path : inside === "." ? "~" : `~/${inside}`;
}
