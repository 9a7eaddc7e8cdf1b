/** Text of `--help` below the options of each command: lines to try in a checkout, and exit codes. */

interface Help {
  /** As typed behind `olm-guard`; every one is run by the tests, but for servers. */
  readonly examples: readonly string[];
  /** Where a command does not say it itself. */
  readonly exitCode?: string;
}

const judged = '0 allowed, 1 denied, 2 cannot be judged';
const served = '0 stopped by a signal, 2 cannot be started';
const printed = '0 printed, 2 bad input';

/** By the names behind `olm-guard`. */
export const help: ReadonlyMap<string, Help> = new Map<string, Help>([
  [
    'check crd',
    {
      examples: [
        'check crd examples/cluster examples/upgrades/field-removed.yaml',
        'check crd examples/cluster examples/upgrades/enum-value-added.yaml --profile proof',
        'check crd git:HEAD:examples/upgrades/field-removed.yaml examples/upgrades/field-removed.yaml',
      ],
      exitCode: judged,
    },
  ],
  [
    'check bundle',
    {
      examples: [
        'check bundle examples/bundles/reports.v1.1.0 --against examples/bundles/reports.v1.0.0',
      ],
    },
  ],
  ['check chart', { examples: ['check chart examples/charts/old examples/charts/new'] }],
  [
    'check objects',
    {
      examples: [
        'check objects examples/objects --crds examples/upgrades/field-removed.yaml --against examples/cluster',
      ],
    },
  ],
  [
    'export vap',
    {
      examples: [
        'export vap examples/cluster',
        'export vap examples/cluster --objects examples/objects',
      ],
    },
  ],
  [
    'export static',
    { examples: ['export static examples/cluster --to /etc/kubernetes/olm-guard'] },
  ],
  [
    'vap sync',
    {
      examples: ['vap sync', 'vap sync widgets.example.com --dry-run'],
      exitCode: '0 all written, 1 the policies of a definition stay as they were, 2 bad input',
    },
  ],
  [
    'check operatorgroup',
    {
      examples: ['check operatorgroup examples/groups/reporting.yaml --state examples/olm'],
      exitCode: judged,
    },
  ],
  [
    'scan',
    {
      examples: ['scan --state examples/olm'],
      exitCode: '0 no errors, 1 errors, 2 cannot be read',
    },
  ],
  ['catalog list', { examples: ['catalog list examples/catalogs/before'], exitCode: printed }],
  [
    'catalog show',
    { examples: ['catalog show reports examples/catalogs/before'], exitCode: printed },
  ],
  ['catalog validate', { examples: ['catalog validate examples/catalogs/before'] }],
  ['catalog path', { examples: ['catalog path reports examples/catalogs/before --from 1.0.0'] }],
  [
    'catalog graph',
    { examples: ['catalog graph reports examples/catalogs/before -o text'], exitCode: printed },
  ],
  ['catalog diff', { examples: ['catalog diff examples/catalogs/before examples/catalogs/after'] }],
  [
    'resolve',
    {
      examples: [
        'resolve --subscribe reports --catalog examples/catalogs/before',
        'resolve --namespace billing --state examples/olm --catalog community=examples/catalogs/before',
      ],
    },
  ],
  [
    'plan',
    {
      examples: [
        'plan examples/bundles/reports.v1.0.0 examples/bundles/reports.v1.1.0',
        'plan --package reports --catalog community=examples/catalogs/before --bundles examples/bundles --state examples/olm',
      ],
      exitCode: '0 nothing is in the way, 1 something has to be done first, 2 bad input',
    },
  ],
  ['range', { examples: ["range '>=1.11, <1.13' 1.12.4"] }],
  [
    'explain',
    {
      examples: [
        'explain NoScopeChange',
        "explain 'MinimumRaised@^.spec.replicas' examples/cluster examples/upgrades/minimum-raised.yaml",
      ],
      exitCode: printed,
    },
  ],
  [
    'preflight',
    {
      examples: ['preflight --input examples/preflight.ndjson'],
      exitCode: '0 every line is answered, 2 the input cannot be read',
    },
  ],
  ['completion', { examples: ['completion bash'], exitCode: printed }],
  ['version', { examples: ['version'], exitCode: printed }],
  [
    'serve',
    {
      examples: ['serve --tls-cert-file tls.crt --tls-private-key-file tls.key'],
      exitCode: served,
    },
  ],
  ['lsp', { examples: ['lsp --stdio'], exitCode: '0 the editor has disconnected, 2 bad input' }],
  [
    'mcp',
    {
      examples: ['mcp', 'mcp config/crd git:HEAD:config/crd'],
      exitCode: '0 standard input has ended, 2 bad input',
    },
  ],
  ['sidecar', { examples: ['sidecar --listen 127.0.0.1:8181'], exitCode: served }],
  [
    'migrate plan',
    {
      examples: ['migrate plan widgets.example.com --kubeconfig ~/.kube/config'],
      exitCode: '0 nothing is left to do, 1 something is, 2 cannot be read',
    },
  ],
  [
    'migrate run',
    {
      examples: [
        'migrate run widgets.example.com --dry-run',
        'migrate run widgets.example.com --checkpoint widgets.checkpoint',
        'migrate run widgets.example.com --in-tree',
        'migrate run widgets.example.com --in-cluster --checkpoint configmap:olm-guard/widgets',
      ],
      exitCode:
        '0 the storage version is the only one stored, 1 another one stays, 2 cannot be read or written',
    },
  ],
  [
    'migrate verify',
    {
      examples: ['migrate verify widgets.example.com'],
      exitCode: '0 old versions can be removed, 1 they cannot, 2 cannot be read',
    },
  ],
  [
    'roundtrip',
    {
      examples: [
        'roundtrip widgets.yaml --converter https://localhost:9443/convert --ca-file ca.crt',
        'roundtrip widgets.example.com --converter cluster --objects 500',
      ],
      exitCode: '0 nothing is lost, 1 something is, 2 cannot be asked',
    },
  ],
  ['doctor', { examples: ['doctor', 'doctor --context production -o json'] }],
  ['demo', { examples: ['demo --once'], exitCode: '0 shown, 2 cannot be started' }],
]);

const ofAll =
  '0 nothing is wrong, 1 something is, 2 bad input; the --help of each command has its own';
const mostOfAll = 5;

/** One example each of the commands that are below another. */
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

/** The lines below a command's options. */
export function helpBelow(program: string, path: string): string {
  const found = help.get(path) ?? helpOfAll(path);
  if (found.examples.length === 0) return '';
  const examples = found.examples.map((line) => `  ${program} ${line}`).join('\n');
  const exitCode = found.exitCode === undefined ? '' : `\n\nExit code: ${found.exitCode}.`;
  return `\n${found.examples.length === 1 ? 'Example' : 'Examples'}:\n${examples}${exitCode}`;
}
