/**
 * Which words of which programs name files, and what becomes of those files. Data only; the
 * walking is in `files.ts`.
 */

/** Which operands: all, the first, all but the first, the last, all but the last. */
export type Pick = "all" | "first" | "rest" | "last" | "init";

/** How one program uses files. */
export interface FileRule {
  /** Options that take a value, blank-separated; those of the roles below need not be repeated. */
  readonly valued?: string;
  readonly reads?: Pick;
  readonly writes?: Pick;
  readonly deletes?: Pick;
  /** Options whose value names a file. */
  readonly readOptions?: string;
  readonly writeOptions?: string;
  /** Options whose value is the directory that things go into (`cp -t DIR`). */
  readonly into?: string;
  /** Options that make it go down into directories; `always` where it does so by itself. */
  readonly recursive?: string;
  /** The first operand is a script or pattern, unless one of these options gives it. */
  readonly script?: string;
  /** With one of these options the files that are read are written instead (`sed -i`). */
  readonly inPlace?: string;
  /** Copies: the last operand may be a directory that gets files named like the others. */
  readonly copies?: true;
  /** Options with which the program touches no file. */
  readonly idle?: string;
}

const READS: FileRule = { reads: "all" };
const WRITES: FileRule = { writes: "all" };
const GREP_VALUED = "-e -f -m -A -B -C -d -D --regexp --file --max-count --after-context " +
  "--before-context --context --include --exclude --exclude-dir --color --colour --label";
const DEVICE: FileRule = { writes: "all", valued: "-t -L -b -n -o -F" };

/** File rules by program name. */
export const FILE_RULES: ReadonlyMap<string, FileRule> = new Map<string, FileRule>([
  ...[
    "cat",
    "tac",
    "nl",
    "less",
    "more",
    "most",
    "bat",
    "batcat",
    "strings",
    "zcat",
    "gzcat",
    "bzcat",
    "xzcat",
    "zless",
    "zmore",
    "file",
    "wc",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "cksum",
    "b2sum",
    "md5",
    "shasum",
    "cmp",
    "comm",
    "paste",
    "expand",
    "rev",
    "col",
    "hd",
    "view",
    "iconv",
    "diff3",
    "sdiff",
    "colordiff",
    "delta",
    "vimdiff",
    "glow",
    "mdcat",
    "jless",
    "uuencode",
    "ccat",
    "lolcat",
    "readelf",
    "objdump",
    "nm",
    "ldd",
    "plutil",
    "zstdcat",
    "lz4cat",
  ].map((
    name,
  ): [string, FileRule] => [name, READS]), // deno-fmt-ignore
  ["head", { reads: "all", valued: "-n -c --lines --bytes" }],
  ["tail", { reads: "all", valued: "-n -c -s --lines --bytes --pid --sleep-interval" }],
  ["xxd", { reads: "first", valued: "-l -s -c -g -o -seek -len" }],
  ["od", { reads: "all", valued: "-A -j -N -t -w" }],
  ["hexdump", { reads: "all", valued: "-n -s -e -f" }],
  ["cut", { reads: "all", valued: "-d -f -c -b --delimiter --fields --output-delimiter" }],
  ["fold", { reads: "all", valued: "-w --width" }],
  ["fmt", { reads: "all", valued: "-w --width" }],
  ["column", { reads: "all", valued: "-s -t -c -o -N" }],
  ["uniq", { reads: "first", writes: "rest", valued: "-f -s -w" }],
  ["join", { reads: "all", valued: "-a -e -o -t -v -1 -2 -j" }],
  ["sort", {
    reads: "all",
    valued: "-k -t -S -T --key --field-separator --buffer-size --parallel",
    writeOptions: "-o --output",
  }],
  ["shuf", { reads: "all", valued: "-n -i", writeOptions: "-o --output" }],
  ["diff", {
    reads: "all",
    valued: "-U -C -I -x -W --exclude --label",
    recursive: "-r --recursive",
  }],
  ["base64", { reads: "all", valued: "-w --wrap", readOptions: "-i --input", writeOptions: "-o" }],
  ["base32", { reads: "all", valued: "-w --wrap" }],
  ["gpg", { valued: "-r -u --recipient", reads: "all", writeOptions: "-o --output" }],
  ["openssl", { readOptions: "-inkey -key -CAfile -cert", writeOptions: "-out -keyout" }],
  ["grep", {
    reads: "all",
    script: "-e -f --regexp --file",
    valued: GREP_VALUED,
    readOptions: "-f --file",
    recursive: "-r -R --recursive",
  }],
  ["egrep", { reads: "all", script: "-e -f", valued: GREP_VALUED, recursive: "-r -R" }],
  ["fgrep", { reads: "all", script: "-e -f", valued: GREP_VALUED, recursive: "-r -R" }],
  ["zgrep", { reads: "all", script: "-e -f", valued: GREP_VALUED }],
  ["rg", {
    reads: "all",
    script: "-e -f --regexp --file --files",
    valued: `${GREP_VALUED} -g -t -T -j -r -M --glob --iglob --type --type-not --replace --sort`,
    recursive: "always",
  }],
  ["ag", { reads: "all", script: "", valued: "-A -B -C -G --ignore -m", recursive: "always" }],
  ["ack", { reads: "all", script: "", valued: "-A -B -C -m", recursive: "always" }],
  ["sed", {
    reads: "all",
    script: "-e -f --expression --file",
    valued: "-e -f -l --expression --file --line-length",
    readOptions: "-f --file",
    inPlace: "-i --in-place",
  }],
  ["awk", {
    reads: "all",
    script: "-f --file",
    valued: "-F -v -f -i --field-separator --assign --file",
    readOptions: "-f --file",
    inPlace: "-i",
  }],
  ["jq", {
    reads: "all",
    script: "-f --from-file",
    valued: "--indent -L --tab",
    readOptions: "-f --from-file",
  }],
  ["yq", { reads: "all", script: "", valued: "-o -p", inPlace: "-i --inplace" }],
  ["tee", WRITES],
  ["sponge", WRITES],
  ["touch", { writes: "all", valued: "-d -t --date --time", readOptions: "-r --reference" }],
  ["mkdir", { writes: "all", valued: "-m --mode" }],
  ["mkfifo", WRITES],
  ["truncate", { writes: "all", valued: "-s --size", readOptions: "-r --reference" }],
  ["fallocate", { writes: "all", valued: "-l -o --length --offset" }],
  ["chmod", { writes: "rest", recursive: "-R --recursive", valued: "--reference" }],
  ["chown", { writes: "rest", recursive: "-R --recursive", valued: "--reference --from" }],
  ["chgrp", { writes: "rest", recursive: "-R --recursive", valued: "--reference" }],
  ["chattr", { writes: "rest", recursive: "-R" }],
  ["setfacl", { writes: "all", valued: "-m -x -M -X", recursive: "-R" }],
  ["xattr", { writes: "last", recursive: "-r" }],
  ["rm", { deletes: "all", recursive: "-r -R --recursive", idle: "--help --version" }],
  ["trash", { deletes: "all", recursive: "always" }],
  ["rmdir", { deletes: "all" }],
  ["unlink", { deletes: "all" }],
  ["shred", { deletes: "all", valued: "-n -s --iterations --size --random-source" }],
  ["srm", { deletes: "all", recursive: "-r -R" }],
  ["wipe", { deletes: "all", recursive: "-r" }],
  ["cp", {
    reads: "init",
    writes: "last",
    copies: true,
    into: "-t --target-directory",
    valued: "-S --suffix",
    recursive: "-r -R -a --recursive --archive",
  }],
  ["mv", {
    deletes: "init",
    writes: "last",
    copies: true,
    into: "-t --target-directory",
    valued: "-S --suffix",
  }],
  ["install", {
    reads: "init",
    writes: "last",
    copies: true,
    into: "-t --target-directory",
    valued: "-m -o -g -S --mode --owner --group --suffix",
  }],
  ["rsync", {
    reads: "init",
    writes: "last",
    copies: true,
    recursive: "-r -a --recursive --archive",
    valued: "-e -f -M --rsh --exclude --include --exclude-from --filter --chmod --chown --bwlimit",
  }],
  ["scp", {
    reads: "init",
    writes: "last",
    copies: true,
    recursive: "-r",
    valued: "-P -i -o -F -J -c -l -S",
  }],
  ["ditto", { reads: "init", writes: "last", copies: true, recursive: "always" }],
  ["patch", {
    writes: "first",
    readOptions: "-i --input",
    writeOptions: "-o --output",
    valued: "-p -d -D -F -B --strip --directory",
  }],
  ["ed", { writes: "all", valued: "-p" }],
  ["ex", { writes: "all", valued: "-c --cmd -S -s" }],
  ["vi", { writes: "all", valued: "-c --cmd -S -u" }],
  ["vim", { writes: "all", valued: "-c --cmd -S -u" }],
  ["nvim", { writes: "all", valued: "-c --cmd -S -u" }],
  ["nano", WRITES],
  ["emacs", { writes: "all", valued: "--eval -l -f" }],
  ["code", READS],
  ["open", READS],
  ["xdg-open", READS],
  ["zip", { writes: "first", reads: "rest", recursive: "-r", valued: "-x -i -P" }],
  ["unzip", { reads: "first", valued: "-x", into: "-d" }],
  ["7z", { reads: "rest", recursive: "always" }],
  ["gzip", { writes: "all", idle: "-c --stdout -l", valued: "-S" }],
  ["gunzip", { writes: "all", idle: "-c --stdout -l", valued: "-S" }],
  ["bzip2", { writes: "all", idle: "-c --stdout" }],
  ["xz", { writes: "all", idle: "-c --stdout -l", valued: "-T" }],
  ["zstd", { writes: "all", idle: "-c --stdout -l", valued: "-o" }],
  ["split", { reads: "first", writes: "rest", valued: "-l -b -n -a" }],
  // A key that is used, shown as a fingerprint or turned into its public half is not given away.
  ["ssh-keygen", {
    writeOptions: "-f",
    valued: "-t -b -C -N -P -R -Y -E -m -n -I",
    idle: "-l -y -B -L -Y",
  }],
  ["wget", {
    writeOptions: "-O --output-document -o --output-file",
    into: "-P --directory-prefix",
    readOptions: "-i --input-file --post-file --body-file",
  }],
  ["aws", { valued: "--region --profile --output --query" }],
  ["mkfs", DEVICE],
  ["wipefs", DEVICE],
  ["blkdiscard", DEVICE],
  ["mkswap", DEVICE],
  ["fdisk", { ...DEVICE, idle: "-l --list --help --version" }],
  ["sfdisk", { ...DEVICE, idle: "-l --list --help --version" }],
  ["parted", { writes: "first" }],
  ["sgdisk", { writes: "last" }],
  ["crontab", { reads: "all", valued: "-u" }],
  ["sqlite3", { writes: "first", valued: "-cmd -separator" }],
  ["iptables-restore", READS],
  ["psql", { readOptions: "-f --file", writeOptions: "-o --output", valued: "-c -h -p -U -d" }],
]);
