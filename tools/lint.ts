/**
 * The repository's own lint rules: which way imports point, and who may touch the runtime.
 *
 * `deno lint` loads this file as a plugin. A file's layer is its folder below `src/`.
 */

/** For each layer of `src/`, the layers or single files it may import beside its own files. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  system: ["domain"],
  shell: ["domain", "system/paths.ts"],
  policy: ["domain", "system"],
  record: ["domain", "system"],
  providers: ["domain", "system", "policy"],
  gate: ["domain", "system", "shell", "policy", "providers"],
  agents: ["domain", "system", "install/spec.ts"],
  install: ["domain", "system"],
};
const LOWER_LAYERS = Object.keys(LAYERS);

/** Files of no layer, and data above `src/`, that every layer may import. */
const COMMON = /^(?:src\/version\.ts|deno\.json|schemas\/[^/]+\.json)$/;

/** What `layer` may import beside its own files; undefined for a folder nobody has placed. */
function importsOf(layer: string): readonly string[] | undefined {
  if (layer === "commands") return LOWER_LAYERS;
  if (layer === "cli") return [...LOWER_LAYERS, "commands"];
  return LAYERS[layer];
}

/** Folders and files, from the top of the repository, that may use `Deno`. */
const RUNTIME_PLACES = ["src/system/", "main.ts", "tools/", "tests/", "bench/"];

/** Packages that only some files of `src/` may import. */
const PACKAGE_DOORS: readonly {
  readonly name: RegExp;
  readonly files: RegExp;
  readonly message: string;
}[] = [
  {
    name: /^unbash(?:\/|$)/,
    files: /^src\/shell\/(?:unbash|parse)\.ts$/,
    message: "Only src/shell/unbash.ts imports unbash (parse.ts its types): call parse.ts instead",
  },
  {
    name: /^zod(?:$|\/(?!mini$))/,
    files: /^src\/[^/]+\/schema\.ts$/,
    message: "Full zod takes 20 ms to load: keep it in a layer's schema.ts, which no hook imports",
  },
];

const ROOT = new URL("../", import.meta.url);

/** A file's path from the top of the repository, or undefined outside it. */
function repositoryPath(file: URL): string | undefined {
  return file.href.startsWith(ROOT.href)
    ? decodeURIComponent(file.href.slice(ROOT.href.length))
    : undefined;
}

/** The URL of a file name as `deno lint` gives it, absolute or relative to the repository. */
function fileUrl(name: string): URL {
  const path = name.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/")
    .replace(/^([A-Za-z])%3A\//, "/$1:/");
  return new URL(path, ROOT);
}

/** Calls `check` with every module specifier in the file that is written out. */
function onImport(
  check: (specifier: string, node: Deno.lint.Node) => void,
): Deno.lint.LintVisitor {
  const look = (source: Deno.lint.Node | null | undefined) => {
    if (source?.type === "Literal" && typeof source.value === "string") check(source.value, source);
  };
  return {
    ImportDeclaration: (node) => look(node.source),
    ExportAllDeclaration: (node) => look(node.source),
    ExportNamedDeclaration: (node) => look(node.source),
    ImportExpression: (node) => look(node.source),
    TSImportType: ({ argument }) =>
      look(argument.type === "TSLiteralType" ? argument.literal : undefined),
  };
}

/** What is wrong with importing `target` from `file`, both from the top of the repository. */
function layerFault(file: string, target: string): string | undefined {
  const layer = /^src\/([^/]+)\//.exec(file)?.[1];
  if (layer === undefined) return undefined;
  const allowed = importsOf(layer);
  if (allowed === undefined) {
    return `src/${layer}/ has no place among the layers: add it to LAYERS in tools/lint.ts`;
  }
  if (COMMON.test(target)) return undefined;
  if (!target.startsWith("src/")) {
    return `Files in src/ import nothing from ${target}: move what is shared into src/`;
  }
  const inside = target.slice("src/".length);
  const fits = [layer, ...allowed].some((one) => inside === one || inside.startsWith(`${one}/`));
  if (fits) return undefined;
  const list = allowed.length === 0 ? "nothing else" : allowed.join(", ");
  return `${layer} may import ${list}, not ${inside}: move the shared part down, or pass it in`;
}

const plugin: Deno.lint.Plugin = {
  name: "gitvow",
  rules: {
    /** Imports point from a layer to the ones below it. */
    layers: {
      create(context) {
        const url = fileUrl(context.filename);
        const file = repositoryPath(url);
        if (file === undefined) return {};
        return onImport((specifier, node) => {
          if (!specifier.startsWith(".")) return;
          const target = repositoryPath(new URL(specifier, url)) ?? specifier;
          const message = layerFault(file, target);
          if (message !== undefined) context.report({ node, message });
        });
      },
    },

    /** `Deno` is used at the edges only, so that a function's reach is in its arguments. */
    "runtime-at-the-edge": {
      create(context) {
        const file = repositoryPath(fileUrl(context.filename));
        if (file === undefined || RUNTIME_PLACES.some((place) => file.startsWith(place))) return {};
        return {
          Identifier(node) {
            if (node.name !== "Deno" && node.name !== "console" || isName(node)) return;
            context.report({
              node,
              message: node.name === "Deno"
                ? "Only src/system/ and main.ts use Deno: take a System as an argument"
                : "A stray line on standard output opens the gate: take a Terminal as an argument",
            });
          },
        };
      },
    },

    /** `node:` modules cost a hook 10 ms at its start. */
    "no-node-imports": {
      create(context) {
        if (!repositoryPath(fileUrl(context.filename))?.startsWith("src/")) return {};
        return onImport((specifier, node) => {
          if (!specifier.startsWith("node:")) return;
          context.report({
            node,
            message: `${specifier} slows every hook: use src/system/ or a web standard instead`,
          });
        });
      },
    },

    /** Some packages come in by one door. */
    "package-doors": {
      create(context) {
        const file = repositoryPath(fileUrl(context.filename));
        if (!file?.startsWith("src/")) return {};
        return onImport((specifier, node) => {
          const name = specifier.replace(/^npm:\/?/, "").replace(/@[^/]*(?=\/|$)/, "");
          const door = PACKAGE_DOORS.find((one) => one.name.test(name));
          if (door === undefined || door.files.test(file)) return;
          context.report({ node, message: door.message });
        });
      },
    },
  },
};

/** True where the identifier only names a property: `x.Deno`, `{ Deno: 1 }`. */
function isName(node: Deno.lint.Identifier): boolean {
  const { parent } = node;
  if (parent.type === "MemberExpression") return !parent.computed && parent.property === node;
  if (parent.type === "Property") {
    return !parent.computed && !parent.shorthand && parent.key === node;
  }
  return false;
}

export default plugin;
