/**
 * Builds `dist/`: the bundle `gitvow.js` that hooks run, its parts, and the launcher `gitvow`.
 *
 * Needs nothing but npm. The hook's own parts are whole files, each loaded at most once, because
 * every further module costs a hook about 0.3 ms; the command line's are split as usual.
 */
import * as esbuild from "esbuild";
import { LAUNCH_FLAGS } from "../main.ts";
import { launcherText } from "../src/install/launcher.ts";
import { keepRuntime } from "../src/system/keep.ts";

const SHARED: esbuild.BuildOptions = {
  bundle: true,
  format: "esm",
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["import"],
  target: "esnext",
  minify: true,
  legalComments: "none",
  logLevel: "error",
};

/** A module loaded when needed, and the file of `parts/` it becomes. */
interface Part {
  readonly module: string;
  readonly file: string;
}

/** `/x/src/shell/read.ts` below `/x` becomes `shell_read.js`. */
function partOf(root: string, module: string): Part {
  const name = module.slice(`${root}/src/`.length).replace(/\.ts$/, "").replaceAll("/", "_");
  return { module, file: `${name}.js` };
}

/** Turns every `import()` into a part of its own and collects them in `found`. */
function cutParts(root: string, folder: string, found: Map<string, Part>): esbuild.Plugin {
  return {
    name: "cut-parts",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path, kind, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const part = partOf(root, new URL(path, `file://${resolveDir}/`).pathname);
        found.set(part.module, part);
        return { path: `${folder}/${part.file}`, external: true };
      });
    },
  };
}

/**
 * Hides the parts from the runtime's module graph. Measured: with a literal specifier every part,
 * needed or not, is read and analysed at each start, which doubles a hook's time.
 */
async function hideParts(file: string): Promise<void> {
  const text = await Deno.readTextFile(file);
  await Deno.writeTextFile(
    file,
    text.replace(/\bimport\(("\.\/[\w./-]+")\)/g, "import(import.meta.resolve($1))"),
  );
}

/** Bundles the hook: `gitvow.js`, and below `parts/` one whole file for each module loaded late. */
async function bundleHook(root: string, dist: string, cli: string): Promise<void> {
  const done = new Set<string>();
  const found = new Map<string, Part>();
  await esbuild.build({
    ...SHARED,
    entryPoints: [`${root}/main.ts`],
    outfile: `${dist}/gitvow.js`,
    plugins: [cutParts(root, "./parts", found)],
  });
  await hideParts(`${dist}/gitvow.js`);
  for (;;) {
    const next = [...found.values()].find(({ module }) => module !== cli && !done.has(module));
    if (next === undefined) return;
    done.add(next.module);
    await esbuild.build({
      ...SHARED,
      entryPoints: [next.module],
      outfile: `${dist}/parts/${next.file}`,
      plugins: [cutParts(root, ".", found)],
    });
    await hideParts(`${dist}/parts/${next.file}`);
  }
}

/** Bundles `main.ts` into `dist`. Throws where a module cannot be bundled. */
export async function bundle(root: string, dist: string): Promise<void> {
  const cli = `${root}/src/cli/cli.ts`;
  try {
    await bundleHook(root, dist, cli);
    await esbuild.build({
      ...SHARED,
      entryPoints: [{ in: cli, out: partOf(root, cli).file.replace(/\.js$/, "") }],
      outdir: `${dist}/parts`,
      chunkNames: "cli/[name]-[hash]",
      splitting: true,
    });
  } finally {
    await esbuild.stop();
  }
}

if (import.meta.main) {
  const root = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/\/$/, "");
  const dist = `${root}/dist`;
  await Deno.remove(`${dist}/parts`, { recursive: true }).catch(() => {});
  await bundle(root, dist);
  const runtime = keepRuntime(Deno.execPath(), dist);
  const files = { runtime, program: `${dist}/gitvow.js`, cache: `${dist}/cache` };
  await Deno.writeTextFile(`${dist}/gitvow.new`, launcherText(files, LAUNCH_FLAGS));
  await Deno.chmod(`${dist}/gitvow.new`, 0o755);
  await Deno.rename(`${dist}/gitvow.new`, `${dist}/gitvow`);
  console.log(`built ${dist}/gitvow`);
}
