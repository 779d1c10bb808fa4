/**
 * Which options of common programs take the next word as their value.
 *
 * Options not listed are taken both ways when the verb is looked for, so a missing row costs
 * exactness and never a match. Facts from the programs' own manuals.
 */

/** Value-taking options of one program: long ones whole, short ones as `-x`. */
export interface ValueOptions {
  /** Global options in front of the verb. */
  readonly before: readonly string[];
  /** Options after the verb. */
  readonly after: readonly string[];
  /** Options after one verb, in place of `after`. */
  readonly verbs?: Readonly<Record<string, readonly string[]>>;
  /** Global options known to take no value. */
  readonly bare?: readonly string[];
  /** By verb, short options whose value can only stand in the same word: `u` in `commit -uno`. */
  readonly attached?: Readonly<Record<string, string>>;
}

function words(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}

const DOCKER: ValueOptions = {
  before: words(
    "-c --context -H --host --config -l --log-level --tlscacert --tlscert --tlskey " +
      "--connection --url",
  ),
  after: words(
    "-f --file -p --project-name --profile --env-file --project-directory --filter -e --env -v " +
      "--volume --name -w --workdir -u --user --network --mount -t --tag --platform --entrypoint " +
      "--pid --ipc --uts --userns --cap-add --cap-drop --device --security-opt -h --hostname " +
      "--add-host --label -l --memory -m --cpus --restart --build-arg --target --timeout --format",
  ),
  bare: words("-D --debug --tls --tlsverify"),
  verbs: {
    rm: [],
    rmi: [],
    volume: words("--filter"),
    system: words("--filter"),
    compose: words(
      "-f --file -p --project-name --profile --env-file --project-directory -t --timeout --rmi " +
        "--parallel --progress --ansi -e --env --name -u --user -w --workdir --scale",
    ),
  },
};

const COMPOSE: ValueOptions = {
  before: words(
    "-f --file -p --project-name --profile --env-file --project-directory --parallel --progress " +
      "--ansi -H --host -c --context",
  ),
  after: words("-t --timeout --rmi -e --env --name -u --user -w --workdir --scale"),
};

const KUBECTL: ValueOptions = {
  before: words(
    "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group " +
      "--request-timeout --cache-dir -v --certificate-authority --client-key --client-certificate",
  ),
  after: words(
    "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as -l " +
      "--selector -o --output -f --filename -c --container -k --kustomize --field-selector " +
      "--timeout --grace-period -p --patch --type --template --replicas --image --tail --since",
  ),
  bare: words("--insecure-skip-tls-verify --warnings-as-errors"),
};

const GIT_COMMIT = words(
  "-m --message -F --file -C --reuse-message -c --reedit-message --fixup --squash --author " +
    "--date -t --template --cleanup --trailer --pathspec-from-file",
);
const GIT_MERGE = words("-m --message -F --file -s --strategy -X --strategy-option --into-name");

const GIT: ValueOptions = {
  before: words(
    "-C -c --git-dir --work-tree --namespace --config-env --attr-source --super-prefix",
  ),
  after: words(
    "-m --message -F --file --author --date --grep --format --pretty -o -n --max-count -S -G -L " +
      "--since --until --after --before --skip --sort --contains --points-at -e -f",
  ),
  bare: words(
    "-p -P --paginate --no-pager --bare --no-replace-objects --literal-pathspecs " +
      "--glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --html-path " +
      "--man-path --info-path --no-lazy-fetch --no-advice",
  ),
  attached: { commit: "uS", merge: "S", rebase: "S", "cherry-pick": "S", revert: "S" },
  verbs: {
    add: words("--chmod --pathspec-from-file"),
    am: words("-C -p --directory --exclude --include --whitespace"),
    branch: words("-u --set-upstream-to --sort --format --points-at"),
    checkout: words("-b -B --orphan --conflict --pathspec-from-file"),
    "cherry-pick": words("-m --mainline -X --strategy-option -s --strategy"),
    clean: words("-e --exclude"),
    clone: words("-b --branch -o --origin -c --config --depth --template --reference -j -u"),
    commit: GIT_COMMIT,
    config: words("-f --file --blob --type --default --comment --value"),
    fetch: words("--depth --deepen -j --jobs --refmap -o --server-option"),
    gc: [],
    merge: GIT_MERGE,
    notes: words("-m -F -C -c --ref"),
    pull: words("-s --strategy -X --strategy-option --depth -j"),
    push: words("-o --push-option --repo --receive-pack --exec"),
    rebase: words("-x --exec -s --strategy -X --strategy-option --onto -C --whitespace"),
    reflog: [],
    reset: words("--pathspec-from-file"),
    restore: words("-s --source --conflict --pathspec-from-file"),
    rm: words("--pathspec-from-file"),
    stash: words("-m --message --pathspec-from-file"),
    submodule: words("-b --branch --name --reference --depth"),
    switch: words("-c -C --create --force-create --orphan --conflict"),
    tag: words("-m --message -F --file -u --local-user --sort --format --points-at --cleanup"),
    "update-ref": words("-m"),
    worktree: words("-b -B --reason"),
  },
};

const PSQL: ValueOptions = {
  before: [],
  after: words(
    "-c --command -d --dbname -f --file -h --host -p --port -U --username -v --set -o --output " +
      "-L -F -P -R -T",
  ),
};

const MYSQL: ValueOptions = {
  before: [],
  after: words("-e --execute -h --host -u --user -P --port -D --database -S --socket"),
};

const TERRAFORM: ValueOptions = {
  before: words("--terragrunt-working-dir --working-dir"),
  after: words("-target -var -var-file -out -backend-config -s --stack"),
};

const NODE_PACKAGES: ValueOptions = {
  before: words("--prefix -w --workspace --registry -C --dir --filter -F --cwd"),
  after: words("-w --workspace --tag --otp --registry --access --filter -F"),
};

const TABLE: Record<string, ValueOptions> = {
  git: GIT,
  gh: {
    before: words("-R --repo --hostname"),
    after: words(
      "-R --repo -t --title -b --body -F --body-file -H --head -B --base -l --label -a --assignee " +
        "-n --notes -q --jq --json -L --limit -r --reviewer -m --milestone -T --template",
    ),
    verbs: {
      api: words("-X --method -H --header -q --jq -t --template -f --raw-field -F --field --input"),
    },
  },
  kubectl: KUBECTL,
  oc: KUBECTL,
  helm: {
    before: words("-n --namespace --kube-context --kubeconfig --kube-apiserver"),
    after: words("-n --namespace -f --values --set --set-string --version --timeout --repo"),
    bare: words("--debug"),
  },
  docker: DOCKER,
  podman: DOCKER,
  nerdctl: DOCKER,
  "docker-compose": COMPOSE,
  "podman-compose": COMPOSE,
  aws: {
    before: words("--region --profile --output --endpoint-url --query --color --ca-bundle"),
    after: words("--region --profile --output --query --endpoint-url"),
    bare: words("--debug --no-verify-ssl --no-paginate --no-cli-pager --no-sign-request"),
  },
  gcloud: {
    before: words("--project --account --configuration --format --verbosity"),
    after: words("--project --account --zone --region --format --filter --location"),
    bare: words("-q --quiet"),
  },
  az: {
    before: words("--subscription -o --output --query"),
    after: words("-n --name -g --resource-group -o --output --subscription --query"),
  },
  gsutil: { before: words("-o -h -u"), after: [], bare: words("-m -q -D -DD") },
  npm: NODE_PACKAGES,
  pnpm: NODE_PACKAGES,
  yarn: NODE_PACKAGES,
  bun: NODE_PACKAGES,
  cargo: {
    before: words("--color --config -C -Z"),
    after: words("-p --package --features --manifest-path --target --registry --token -F -j"),
  },
  terraform: TERRAFORM,
  tofu: TERRAFORM,
  terragrunt: TERRAFORM,
  atmos: TERRAFORM,
  pulumi: { before: words("-C --cwd -s --stack"), after: words("-s --stack -m --message -t") },
  kamal: {
    before: words("-c --config-file -d --destination -h --hosts"),
    after: words("-d -c -h"),
  },
  "redis-cli": {
    before: words("-h -p -s -a -u -n -r -i -t --user --pass --cacert --cert --key"),
    after: [],
    bare: words("--raw --no-raw --tls --no-auth-warning --json -c -x"),
  },
  psql: PSQL,
  mysql: MYSQL,
  mariadb: MYSQL,
  curl: {
    before: [],
    after: words(
      "-A -b -c -C -d -D -e -E -F -H -K -m -o -r -T -u -U -w -x -X -y -Y -z --data --data-binary " +
        "--data-raw --data-urlencode --form --header --json --output --request --user",
    ),
  },
  migrate: { before: words("-database -path -source"), after: [] },
  rm: { before: [], after: [] },
  find: { before: [], after: [] },
  make: { before: words("-C -f -I -o -W"), after: words("-C -f -I -o -W") },
  systemctl: { before: words("-H --host -M --machine -t --type -p"), after: words("-n -o -t -p") },
};

/** Rows by program name. */
export const VALUE_OPTIONS: Readonly<Record<string, ValueOptions | undefined>> = Object.assign(
  Object.create(null),
  TABLE,
);

const STATEMENT_PROGRAMS = new Set(words(
  "psql pgcli mysql mariadb mycli sqlite3 sqlite litecli sqlcmd bcp sqlplus clickhouse " +
    "clickhouse-client duckdb cqlsh usql cockroach snowsql bq mongosh mongo redis-cli valkey-cli " +
    "iredis d1 wrangler influx trino presto hive beeline spark-sql isql turso",
));

/** True for programs whose words and standard input are statements of a query language. */
export function readsStatements(program: string): boolean {
  return STATEMENT_PROGRAMS.has(program);
}
