/**
 * What kind of place an operand names, as one word a rule can ask for: `<system>`, `<home>`,
 * `<repository>`, `<git>`, `<generated>`, `<temporary>`, `<inside>`, `<outside>`, `<unknown>`.
 *
 * A rule about deleting then says which places it means instead of spelling out every path.
 */
import { basename, dirname, relativeTo } from "../system/paths.ts";
import type { Files } from "../system/system.ts";

/** Kinds of places, in angle brackets so that no file name is taken for one. */
export type PlaceClass =
  /** The root, what stands directly in it, and the trees of the operating system. */
  | "<system>"
  /** Somebody's home, all homes, or what stands directly in a home. */
  | "<home>"
  /** The top of a repository, or a folder that holds the one worked in. */
  | "<repository>"
  /** A `.git`, or something in one. */
  | "<git>"
  /** What a build or an installation makes anew: `node_modules`, `dist`, `target`, caches. */
  | "<generated>"
  /** Below a temporary directory. */
  | "<temporary>"
  /** Elsewhere in the repository worked in. */
  | "<inside>"
  /** Anywhere else. */
  | "<outside>"
  /** Known only at run time. */
  | "<unknown>";

/** What the classes depend on; paths are absolute. */
export interface PlaceContext {
  readonly files: Pick<Files, "lookAt">;
  readonly home: string;
  readonly repo: string | undefined;
}

const TEMPORARY = [
  "/tmp",
  "/var/tmp",
  "/dev/shm",
  "/var/folders",
  "/private/tmp",
  "/private/var/tmp",
  "/private/var/folders",
];

/** Folders whose direct children are as dear as those of the root. */
const TREES = ["/home", "/Users", "/opt", "/srv", "/var", "/mnt", "/media", "/Volumes", "/private"];

/** Folders of the operating system, all the way down. */
const SYSTEM = [
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/lib",
  "/lib64",
  "/proc",
  "/sbin",
  "/sys",
  "/usr",
  "/var/lib",
  "/var/spool",
  "/private/etc",
  "/private/var/db",
  "/Library",
  "/System",
  "/Applications",
];

const GENERATED = new Set([
  "node_modules",
  "bower_components",
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  "htmlcov",
  "tmp",
  "temp",
  "logs",
  "bin",
  "obj",
  "cache",
  ".cache",
  ".next",
  ".nuxt",
  ".output",
  ".svelte-kit",
  ".turbo",
  ".parcel-cache",
  ".vite",
  ".angular",
  ".gradle",
  ".terraform",
  ".tox",
  ".nox",
  ".venv",
  "venv",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".nyc_output",
  ".eggs",
  ".serverless",
  ".dart_tool",
  "_build",
  "storybook-static",
  "playwright-report",
  "test-results",
  "DerivedData",
  "Pods",
]);

function isAt(path: string, folder: string): boolean {
  return relativeTo(folder, path) !== undefined;
}

/** The class of an absolute, lexically normal path. A last `*` stands for all that its folder holds. */
export function placeClass(path: string, context: PlaceContext): PlaceClass {
  const name = basename(path);
  if (name === "*" || name === ".*" || name === "**") return placeClass(dirname(path), context);
  const { home, repo, files } = context;
  if (/(?:^|\/)\.git(?:\/|$)/i.test(path)) return "<git>";
  if (isHome(path, home)) return "<home>";
  if (repo !== undefined && isAt(path, repo) && path !== repo) {
    return insideClass(path, repo, files);
  }
  if (isAt(path, home) && home !== "/") {
    return repo !== undefined && isAt(repo, path) ? "<repository>" : underHome(path, home, files);
  }
  if (TEMPORARY.some((folder) => path !== folder && isAt(path, folder))) {
    return repo !== undefined && isAt(repo, path) ? "<repository>" : "<temporary>";
  }
  if (isSystem(path)) return "<system>";
  return repo !== undefined && isAt(repo, path) ? "<repository>" : outsideClass(path, files);
}

function isSystem(path: string): boolean {
  const depth = path.split("/").filter((part) => part !== "").length;
  if (depth <= 1 || SYSTEM.some((folder) => isAt(path, folder))) return true;
  if (depth === 2 && TREES.includes(dirname(path))) return true;
  return /^[A-Za-z]:/.test(path) && depth <= 2;
}

function isHome(path: string, home: string): boolean {
  return path === home || isAt(home, path) && path !== "/" || path === "/root" ||
    /^\/(?:home|Users)(?:\/[^/]+)?$/.test(path) || /^[A-Za-z]:\/Users(?:\/[^/]+)?$/i.test(path);
}

function insideClass(path: string, repo: string, files: PlaceContext["files"]): PlaceClass {
  const parts = path.slice(repo.length + 1).split("/");
  if (parts.some((part) => GENERATED.has(part))) return "<generated>";
  return holdsRepository(path, files) ? "<repository>" : "<inside>";
}

function underHome(path: string, home: string, files: PlaceContext["files"]): PlaceClass {
  const parts = path.slice(home.length + 1).split("/");
  if (parts.length > 1 && (GENERATED.has(parts[0] ?? "") || GENERATED.has(basename(path)))) {
    return "<generated>";
  }
  if (parts.length === 1) return GENERATED.has(basename(path)) ? "<outside>" : "<home>";
  return outsideClass(path, files);
}

function outsideClass(path: string, files: PlaceContext["files"]): PlaceClass {
  if (holdsRepository(path, files)) return "<repository>";
  return GENERATED.has(basename(path)) ? "<generated>" : "<outside>";
}

function holdsRepository(path: string, files: PlaceContext["files"]): boolean {
  return files.lookAt(`${path}/.git`) !== undefined;
}
