/**
 * Functions of scripting languages that run commands or touch files. Data only; `code.ts` finds
 * the calls.
 */

/** What a call does with its arguments. */
export type Effect =
  /** The first argument is a command line, or a list of words; further strings are more words. */
  | "shell"
  /** The first argument is a program, the next ones (or a list) its words. */
  | "spawn"
  | "delete"
  | "delete tree"
  | "write"
  | "read"
  /** The first is read, the second written. */
  | "copy"
  /** The first is deleted, the second written. */
  | "move"
  /** A file opened in the mode given by the second argument. */
  | "open"
  /** More code in the same language. */
  | "code";

/** Languages that code is read in. */
export type Language = "python" | "js" | "perl" | "ruby" | "php" | "lua";

type Calls = Partial<Record<Effect, string>>;

const NAMES: Readonly<Record<Language, Calls>> = {
  python: {
    shell:
      "os.system os.popen subprocess.run subprocess.call subprocess.Popen subprocess.check_call " +
      "subprocess.check_output subprocess.getoutput subprocess.getstatusoutput sp.run sp.call sp.Popen " +
      "sp.check_call sp.check_output commands.getoutput pty.spawn os.execvp system popen Popen " +
      "check_call check_output getoutput asyncio.create_subprocess_shell",
    spawn: "os.execv os.execlp os.execl os.spawnvp os.posix_spawn asyncio.create_subprocess_exec",
    delete: "os.remove os.unlink os.rmdir os.removedirs *.unlink *.rmdir Path.unlink",
    "delete tree": "shutil.rmtree rmtree",
    write:
      "*.write_text *.write_bytes os.truncate os.chmod os.chown os.mkdir os.makedirs os.symlink *.touch",
    read: "*.read_text *.read_bytes linecache.getlines",
    copy: "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree os.link",
    move: "shutil.move os.rename os.replace",
    open: "open io.open codecs.open os.open *.open",
    code: "exec eval",
  },
  js: {
    shell:
      "child_process.execSync child_process.exec cp.execSync cp.exec execSync exec Bun.$ shell.exec",
    spawn: "child_process.spawnSync child_process.spawn child_process.execFile " +
      "child_process.execFileSync cp.spawn cp.spawnSync cp.execFile cp.execFileSync spawn spawnSync " +
      "execFile execFileSync Deno.Command Deno.run Bun.spawn Bun.spawnSync execa execaSync",
    delete: "fs.unlink fs.unlinkSync fs.rmdirSync fs.rmdir unlinkSync rmdirSync fsp.unlink",
    "delete tree":
      "fs.rm fs.rmSync fs.promises.rm rmSync fsp.rm fse.remove fse.removeSync Deno.remove " +
      "Deno.removeSync rimraf rimraf.sync fs.promises.unlink",
    write: "fs.writeFile fs.writeFileSync fs.appendFile fs.appendFileSync fs.createWriteStream " +
      "fs.promises.writeFile writeFileSync appendFileSync fsp.writeFile writeFile fs.truncateSync " +
      "fs.chmodSync fs.mkdirSync Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile " +
      "Deno.writeFileSync Deno.truncate Bun.write fs.truncate",
    read: "fs.readFile fs.readFileSync fs.promises.readFile readFileSync fsp.readFile " +
      "fs.createReadStream Deno.readTextFile Deno.readTextFileSync Deno.readFile Deno.readFileSync " +
      "Bun.file",
    copy:
      "fs.copyFileSync fs.copyFile fs.cpSync fs.cp copyFileSync cpSync fs.symlinkSync fs.linkSync " +
      "Deno.copyFile Deno.copyFileSync",
    move: "fs.renameSync fs.rename renameSync Deno.rename Deno.renameSync",
    code: "eval Function vm.runInThisContext",
  },
  perl: {
    shell: "system exec qx",
    delete: "unlink rmdir",
    "delete tree": "rmtree remove_tree File::Path::rmtree File::Path::remove_tree",
    write: "truncate mkdir",
    copy: "copy File::Copy::copy link symlink",
    move: "rename move File::Copy::move",
    open: "open",
    code: "eval",
  },
  ruby: {
    shell: "system exec spawn Kernel.system Kernel.exec Process.spawn IO.popen Open3.capture2 " +
      "Open3.capture2e Open3.capture3 Open3.popen3",
    delete: "File.delete File.unlink Dir.delete Dir.rmdir Dir.unlink FileUtils.rm FileUtils.rm_f " +
      "FileUtils.rmdir rm rm_f",
    "delete tree": "FileUtils.rm_r FileUtils.rm_rf FileUtils.remove_dir FileUtils.remove_entry " +
      "FileUtils.remove_entry_secure FileUtils.rmtree rm_rf rm_r",
    write: "File.write IO.write File.binwrite File.truncate FileUtils.touch FileUtils.mkdir_p",
    read: "File.read IO.read File.readlines File.binread",
    copy: "FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.ln_s FileUtils.ln_sf File.symlink",
    move: "FileUtils.mv FileUtils.move File.rename",
    open: "File.open File.new open",
    code: "eval instance_eval",
  },
  php: {
    shell: "system exec shell_exec passthru popen proc_open pcntl_exec",
    delete: "unlink rmdir",
    write: "file_put_contents touch chmod mkdir",
    read: "file_get_contents readfile file",
    copy: "copy symlink link",
    move: "rename",
    open: "fopen",
    code: "eval",
  },
  lua: {
    shell: "os.execute io.popen",
    delete: "os.remove",
    move: "os.rename",
    open: "io.open",
    code: "load loadstring",
  },
};

const tables = new Map<Language, ReadonlyMap<string, Effect>>();

/**
 * What the calls of a language do, made when first asked for: `receiver.name`, `*.name` for any
 * receiver, a bare name for none.
 */
export function callsOf(language: Language): ReadonlyMap<string, Effect> {
  let table = tables.get(language);
  if (table === undefined) tables.set(language, table = tableOf(NAMES[language]));
  return table;
}

function tableOf(effects: Calls): ReadonlyMap<string, Effect> {
  const out = new Map<string, Effect>();
  for (const effect of Object.keys(effects) as Effect[]) {
    for (const name of (effects[effect] ?? "").split(" ")) out.set(name, effect);
  }
  return out;
}
