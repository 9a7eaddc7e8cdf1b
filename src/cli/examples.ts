/** Text of `--help` below the options of each command: lines to try in a checkout, and exit codes. */

interface Help {
  /** As typed behind `olm-guard`; every one is run by the tests, but for servers. */
  readonly examples: readonly string[];
  readonly exitCode?: string;
}

const judged = '0 allowed, 1 denied, 2 cannot be judged';
const served = '0 stopped by a signal, 2 cannot be started';
const decided = '0 allowed, 1 denied, 2 bad input';
const made = '0 made, 2 bad input';
const printed = '0 printed, 2 bad input';

/** Names behind `olm-guard` with their exit codes, and examples below each. */
const texts = `
check crd: ${judged}
  check crd examples/cluster examples/upgrades/field-removed.yaml
  check crd examples/cluster examples/upgrades/enum-value-added.yaml --profile proof
  check crd git:HEAD:examples/upgrades/field-removed.yaml examples/upgrades/field-removed.yaml
check bundle: ${decided}
  check bundle examples/bundles/reports.v1.1.0 --against examples/bundles/reports.v1.0.0
check chart: ${decided}, or something was not checked
  check chart examples/charts/old examples/charts/new
check objects: ${decided}, or something was not checked (--unchecked)
  check objects examples/objects --crds examples/upgrades/field-removed.yaml --against examples/cluster
export vap: ${made}
  export vap examples/cluster
  export vap examples/cluster --objects examples/objects
export static: ${made}
  export static examples/cluster --to /etc/kubernetes/olm-guard
vap sync: 0 all written, 1 the policies of a definition stay as they were, 2 bad input
  vap sync
  vap sync widgets.example.com --dry-run
check operatorgroup: ${judged}
  check operatorgroup examples/groups/reporting.yaml --state examples/olm
scan: 0 no errors, 1 errors, 2 cannot be read
  scan --state examples/olm
catalog list: ${printed}
  catalog list examples/catalogs/before
catalog show: ${printed}
  catalog show reports examples/catalogs/before
catalog validate: 0 valid, 1 not valid, 2 cannot be read
  catalog validate examples/catalogs/before
catalog path: 0 the newest is reached, 1 a path stops, loops or ends below it, 2 bad input
  catalog path reports examples/catalogs/before --from 1.0.0
catalog graph: ${printed}
  catalog graph reports examples/catalogs/before -o text
catalog diff: 0 nothing gets worse, 1 something does, 2 bad input
  catalog diff examples/catalogs/before examples/catalogs/after
resolve: 0 it resolves, 1 nothing can be done, 2 bad input
  resolve --subscribe reports --catalog examples/catalogs/before
  resolve --namespace billing --state examples/olm --catalog community=examples/catalogs/before
plan: 0 nothing is in the way, 1 something has to be done first, 2 bad input
  plan examples/bundles/reports.v1.0.0 examples/bundles/reports.v1.1.0
  plan --package reports --catalog community=examples/catalogs/before --bundles examples/bundles --state examples/olm
range: 0 valid, 2 not valid
  range '>=1.11, <1.13' 1.12.4
explain: ${printed}
  explain NoScopeChange
  explain 'MinimumRaised@^.spec.replicas' examples/cluster examples/upgrades/minimum-raised.yaml
preflight: 0 every line is answered, 2 the input cannot be read
  preflight --input examples/preflight.ndjson
completion: ${printed}
  completion bash
version: ${printed}
  version
serve: ${served}; with --check 1 something is wrong
  serve --tls-cert-file tls.crt --tls-private-key-file tls.key
init: 0 written, 2 nothing was written
  init
lsp: 0 the editor has disconnected, 2 bad input
  lsp --stdio
mcp: 0 standard input has ended, 2 bad input
  mcp
  mcp config/crd git:HEAD:config/crd
sidecar: ${served}
  sidecar --listen 127.0.0.1:8181
migrate plan: 0 nothing is left to do, 1 something is, 2 cannot be read
  migrate plan widgets.example.com --kubeconfig ~/.kube/config
migrate run: 0 the storage version is the only one stored, 1 another one stays, 2 cannot be read or written
  migrate run widgets.example.com --dry-run
  migrate run widgets.example.com --checkpoint widgets.checkpoint
  migrate run widgets.example.com --in-tree
  migrate run widgets.example.com --in-cluster --checkpoint configmap:olm-guard/widgets
migrate verify: 0 old versions can be removed, 1 they cannot, 2 cannot be read
  migrate verify widgets.example.com
roundtrip: 0 nothing is lost, 1 something is, 2 cannot be asked
  roundtrip widgets.yaml --converter https://localhost:9443/convert --ca-file ca.crt
  roundtrip widgets.example.com --converter cluster --objects 500
doctor: 0 the gate works, 1 something is wrong, 2 its pods or its certificate could not be checked
  doctor
  doctor --context production -o json
demo: 0 shown, 2 cannot be started
  demo --once`;

export const help: ReadonlyMap<string, Help> = new Map(
  texts.split(/\n(?! )/).flatMap((text) => {
    const [head = '', ...examples] = text.split('\n  ');
    const [name = '', exitCode] = head.split(': ');
    return name === '' ? [] : [[name, { examples, exitCode }] as const];
  }),
);

const ofAll =
  '0 nothing is wrong, 1 something is, 2 bad input; the --help of each command has its own';
const mostOfAll = 5;

function helpOfAll(path: string): Help {
  const below = [...help].filter(([name]) => path === '' || name.startsWith(`${path} `));
  const examples = below.flatMap(
    ([
      ,
      {
        examples: [first],
      },
    ]) => first ?? [],
  );
  return { examples: examples.slice(0, mostOfAll), exitCode: ofAll };
}

export function helpBelow(program: string, path: string): string {
  const found = help.get(path) ?? helpOfAll(path);
  if (found.examples.length === 0) return '';
  const examples = found.examples.map((line) => `  ${program} ${line}`).join('\n');
  const exitCode = found.exitCode === undefined ? '' : `\n\nExit code: ${found.exitCode}.`;
  return `\n${found.examples.length === 1 ? 'Example' : 'Examples'}:\n${examples}${exitCode}`;
}
