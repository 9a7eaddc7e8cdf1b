/**
 * A repository as teams have them: manifests without namespaces, kustomizations over each other, charts with
 * values, Applications, bundles, and templates that nobody can render. Each break has its look-alike.
 */
import { stringifyJson } from '../../src/text/documents/index.js';
import type { Random } from '../apiserver/random-schemas.js';

export const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: backups.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Backup, plural: backups, singular: backup, listKind: BackupList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                schedule: { type: string, pattern: "^[0-9* ]+$" }
                keep:
                  type: integer
                  maximum: 30
                  x-kubernetes-validations: [{ rule: "self != 13", message: is unlucky }]
                target: { type: string, enum: [disk, bucket] }
                labels: { type: object, additionalProperties: { type: string } }
                volumes:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items:
                    type: object
                    required: [name]
                    properties: { name: { type: string }, size: { x-kubernetes-int-or-string: true } }
                extra: { type: object, x-kubernetes-preserve-unknown-fields: true }
`;

/** A field of a spec that breaks, and below it what looks like it and is fine. */
const fields: readonly [breaks: readonly [string, unknown], fine: readonly [string, unknown]][] = [
  [
    ['keep', 31],
    ['keep', 30],
  ],
  [
    ['keep', 13],
    ['keep', 12],
  ],
  [
    ['keep', '3'],
    ['keep', 3],
  ],
  [
    ['keep', 1.5],
    ['keep', 1],
  ],
  [
    ['schedule', 'daily'],
    ['schedule', '0 3 *'],
  ],
  [
    ['schedule', true],
    ['schedule', '1'],
  ],
  [
    ['target', 'tape'],
    ['target', 'disk'],
  ],
  [
    ['target', 'Disk'],
    ['target', 'bucket'],
  ],
  [
    ['labels', { a: 1 }],
    ['labels', { a: '1' }],
  ],
  [
    ['volumes', {}],
    ['volumes', []],
  ],
  [
    ['volumes', [{ size: 1 }]],
    ['volumes', [{ name: 'a', size: 1 }]],
  ],
  [
    [
      'volumes',
      [
        { name: 'a', size: 1 },
        { name: 'a', size: 2 },
      ],
    ],
    [
      'volumes',
      [
        { name: 'a', size: 1 },
        { name: 'b', size: 1 },
      ],
    ],
  ],
  [
    ['volumes', [{ name: 'a', size: { of: 1 } }]],
    ['volumes', [{ name: 'a', size: '1Gi' }]],
  ],
  [
    ['keeps', 3],
    ['extra', { keeps: 3 }],
  ],
];

export interface MadeObject {
  /** As it is applied. */
  readonly name: string;
  readonly namespace: string;
  readonly object: object;
  readonly breaks: boolean;
  /** Where the field is written. */
  readonly file: string;
  readonly line: number;
}

export interface Monorepo {
  readonly files: ReadonlyMap<string, string>;
  readonly objects: readonly MadeObject[];
  /** Folders and files that nothing can render. */
  readonly broken: readonly string[];
}

const repoURL = 'https://git.example.com/platform/monorepo.git';

interface Wanted {
  readonly name: string;
  readonly breaks: boolean;
  readonly field: string;
  readonly value: unknown;
  /** What the place would hold without the break, and with it for a look-alike that is mended later. */
  readonly other: unknown;
}

/** As many objects that break as `pairs`, and as many that do not. */
export function makeMonorepo(random: Random, pairs: number): Monorepo {
  const maker = new MonorepoMaker();
  const wanted = Array.from({ length: pairs * 2 }, (_, index): Wanted => {
    const pair = fields[Math.floor(index / 2) % fields.length] ?? fields[0];
    const [breaks, fine] = pair ?? [];
    const isBreak = index % 2 === 0;
    const [field = '', value] = (isBreak ? breaks : fine) ?? [];
    const other = (isBreak ? fine : breaks)?.[1];
    return { name: `w${index}`, breaks: isBreak, field, value, other };
  });
  for (let at = wanted.length - 1; at > 0; at--) {
    const to = Math.floor(random.next() * (at + 1));
    [wanted[at], wanted[to]] = [wanted[to] as Wanted, wanted[at] as Wanted];
  }
  const carriers: [Carrier, ...Carrier[]] = [
    'plain',
    'base',
    'patch',
    'operation',
    'template',
    'chartValues',
    'application',
    'set',
    'flux',
    'release',
    'example',
  ];
  for (let at = 0, team = 0; at < wanted.length; team++) {
    const size = 3 + Math.floor(random.next() * 6);
    maker.add(carriers[team % carriers.length] ?? 'plain', team, wanted.slice(at, at + size));
    at += size;
  }
  maker.addBroken();
  return maker;
}

type Carrier =
  | 'plain'
  | 'base'
  | 'patch'
  | 'operation'
  | 'template'
  | 'chartValues'
  | 'application'
  | 'set'
  | 'flux'
  | 'release'
  | 'example';

class MonorepoMaker implements Monorepo {
  readonly files = new Map<string, string>([['crds/backups.yaml', definition]]);
  readonly objects: MadeObject[] = [];
  readonly broken: string[] = [];

  add(carrier: Carrier, team: number, wanted: readonly Wanted[]): void {
    const folder = `teams/t${team}`;
    switch (carrier) {
      case 'plain':
        return this.#manifests(`${folder}/objects.yaml`, wanted, '', '');
      case 'base':
        this.#manifests(`${folder}/base/objects.yaml`, wanted, `n${team}`, 'prod-');
        this.files.set(`${folder}/base/kustomization.yaml`, 'resources: [objects.yaml]\n');
        return this.#overlay(folder, team, '');
      case 'patch':
        return this.#patched(folder, team, wanted);
      case 'operation':
        return this.#operations(folder, team, wanted);
      case 'template':
        return this.#templates(folder, wanted);
      case 'chartValues':
        return this.#chart(folder, team, wanted, 'file');
      case 'application':
        return this.#chart(folder, team, wanted, 'application');
      case 'release':
        return this.#chart(folder, team, wanted, 'release');
      case 'set':
        return this.#set(folder, team, wanted);
      case 'flux':
        return this.#flux(folder, team, wanted);
      case 'example':
        return this.#examples(folder, wanted);
    }
  }

  /** What cannot be rendered or read, with objects that nobody is told of. */
  addBroken(): void {
    for (let index = 0; index < 4; index++) {
      const folder = `broken/c${index}`;
      this.#chartHead(folder);
      const bad = index % 2 === 0 ? '{{ fail "no" }}' : '{{ .Values.a | nothing }}';
      this.files.set(`${folder}/templates/a.yaml`, `${head('never')}spec:\n  keep: ${bad}\n`);
      this.broken.push(folder);
      const overlay = `broken/k${index}`;
      this.files.set(`${overlay}/kustomization.yaml`, 'resources: [nowhere.yaml]\n');
      this.broken.push(overlay);
      this.files.set(`broken/f${index}.yaml`, 'kind: Backup\nspec: {{ .Values.spec }}\n');
      this.broken.push(`broken/f${index}.yaml`);
    }
  }

  #manifests(file: string, wanted: readonly Wanted[], namespace: string, prefix: string): void {
    const lines = ['# of this team'];
    for (const each of wanted) {
      lines.push(...head(each.name).trimEnd().split('\n'), 'spec:', `  ${written(each)}`, '---');
      this.#made(each, `${prefix}${each.name}`, namespace, file, lines.length - 1);
    }
    this.files.set(file, `${lines.join('\n')}\n`);
  }

  #overlay(folder: string, team: number, more: string): void {
    this.files.set(
      `${folder}/overlays/prod/kustomization.yaml`,
      `namePrefix: prod-\nnamespace: n${team}\nresources: [../../base]\n${more}`,
    );
  }

  /** Patches break objects that are fine, and mend objects that are not. */
  #patched(folder: string, team: number, wanted: readonly Wanted[]): void {
    const base: string[] = [];
    const patches: string[] = [];
    const file = `${folder}/overlays/prod/patch.yaml`;
    for (const each of wanted) {
      base.push(...head(each.name).trimEnd().split('\n'), 'spec:', '  extra: { a: 1 }', '---');
      patches.push(...head(each.name).trimEnd().split('\n'), 'spec:', `  ${written(each)}`, '---');
      this.#made(each, `prod-${each.name}`, `n${team}`, file, patches.length - 1);
    }
    this.files.set(`${folder}/base/objects.yaml`, `${base.join('\n')}\n`);
    this.files.set(`${folder}/base/kustomization.yaml`, 'resources: [objects.yaml]\n');
    this.files.set(file, `${patches.join('\n')}\n`);
    this.#overlay(folder, team, 'patches: [{ path: patch.yaml }]\n');
  }

  #operations(folder: string, team: number, wanted: readonly Wanted[]): void {
    const base: string[] = [];
    const file = `${folder}/overlays/prod/kustomization.yaml`;
    const more = ['patches:'];
    for (const each of wanted) {
      // The base has what the overlay takes away.
      const other = written({ ...each, value: each.other });
      base.push(...head(each.name).trimEnd().split('\n'), 'spec:', `  ${other}`, '---');
      const start = 3 + more.length;
      more.push(
        `- target: { kind: Backup, name: ${each.name} }`,
        '  patch: |-',
        '    - op: add',
        `      path: /spec/${each.field}`,
        `      value: ${JSON.stringify(each.value)}`,
      );
      this.#made(each, `prod-${each.name}`, `n${team}`, file, start + 5);
    }
    this.files.set(`${folder}/base/objects.yaml`, `${base.join('\n')}\n`);
    this.files.set(`${folder}/base/kustomization.yaml`, 'resources: [objects.yaml]\n');
    this.#overlay(folder, team, `${more.join('\n')}\n`);
  }

  #chartHead(folder: string): void {
    this.files.set(`${folder}/Chart.yaml`, 'apiVersion: v2\nname: backups\nversion: 0.1.0\n');
  }

  #templates(folder: string, wanted: readonly Wanted[]): void {
    this.#chartHead(folder);
    this.files.set(`${folder}/values.yaml`, 'enabled: true\nlabel: x\n');
    const file = `${folder}/templates/objects.yaml`;
    const lines = ['{{- if .Values.enabled }}'];
    for (const each of wanted) {
      lines.push(
        '---',
        ...head(each.name).trimEnd().split('\n'),
        '  labels:',
        '    app: {{ .Values.label }}',
        '    {{- with .Values.more }}',
        '    more: {{ . }}',
        '    {{- end }}',
        'spec:',
        `  ${written(each)}`,
      );
      this.#made(each, each.name, '', file, lines.length);
    }
    this.files.set(file, `${lines.join('\n')}\n{{- end }}\n`);
  }

  #chart(
    folder: string,
    team: number,
    wanted: readonly Wanted[],
    from: 'file' | 'application' | 'release',
  ): void {
    const chart = `${folder}/chart`;
    const namespace = `n${team}`;
    this.#chartHead(chart);
    // The chart by itself has the other value of each.
    const own = wanted.map(
      (each) => `${each.name}:\n  ${written({ ...each, value: each.other })}\n`,
    );
    this.files.set(`${chart}/values.yaml`, own.join(''));
    const templates = wanted.map(
      ({ name }) => `---\n${head(name)}spec:\n  {{- toYaml .Values.${name} | nindent 2 }}\n`,
    );
    this.files.set(`${chart}/templates/objects.yaml`, templates.join(''));
    const values = (indent: string): string[] =>
      wanted.flatMap((each) => [
        `${indent}${each.name}:`,
        ...(each.field === 'keeps' || each.field === 'extra' ? [] : []),
        `${indent}  ${written(each)}`,
      ]);
    const file = from === 'file' ? `${folder}/prod.yaml` : `${folder}/app.yaml`;
    const before =
      from === 'release'
        ? [
            'apiVersion: helm.toolkit.fluxcd.io/v2',
            'kind: HelmRelease',
            `metadata: { name: t${team}, namespace: ${namespace} }`,
            'spec:',
            `  chart: { spec: { chart: ./${chart}, sourceRef: { kind: GitRepository, name: flux-system } } }`,
            '  values:',
          ]
        : [
            'apiVersion: argoproj.io/v1alpha1',
            'kind: Application',
            `metadata: { name: t${team}, namespace: argocd }`,
            'spec:',
            `  destination: { namespace: ${namespace} }`,
            '  source:',
            `    repoURL: ${repoURL}`,
            `    path: ${chart}`,
            '    helm:',
            ...(from === 'file' ? ['      valueFiles: [../prod.yaml]'] : ['      valuesObject:']),
          ];
    const indent = from === 'file' ? '' : from === 'release' ? '    ' : '        ';
    const above = from === 'file' ? 0 : before.length;
    const lines = from === 'file' ? values('') : [...before, ...values(indent)];
    this.files.set(file, `${lines.join('\n')}\n`);
    if (from === 'file') this.files.set(`${folder}/app.yaml`, `${before.join('\n')}\n`);
    for (const [index, each] of wanted.entries()) {
      this.#made(each, each.name, namespace, file, above + 2 * index + 2);
    }
  }

  #set(folder: string, team: number, wanted: readonly Wanted[]): void {
    this.#manifests(`${folder}/manifests/objects.yaml`, wanted, `of-t${team}`, '');
    this.files.set(
      `${folder}/set.yaml`,
      stringifyJson({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'ApplicationSet',
        metadata: { name: `t${team}` },
        spec: {
          generators: [{ list: { elements: [{ team: `t${team}` }] } }],
          template: {
            spec: {
              destination: { namespace: 'of-{{team}}' },
              source: { repoURL, path: 'teams/{{team}}/manifests' },
            },
          },
        },
      }),
    );
  }

  #flux(folder: string, team: number, wanted: readonly Wanted[]): void {
    this.#manifests(`${folder}/manifests/objects.yaml`, wanted, `n${team}`, '');
    this.files.set(
      `${folder}/flux.yaml`,
      stringifyJson({
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata: { name: `t${team}`, namespace: 'flux-system' },
        spec: {
          path: `./${folder}/manifests`,
          sourceRef: { kind: 'GitRepository', name: 'flux-system' },
          targetNamespace: `n${team}`,
        },
      }),
    );
  }

  #examples(folder: string, wanted: readonly Wanted[]): void {
    const file = `${folder}/manifests/operator.clusterserviceversion.yaml`;
    const lines = [
      'apiVersion: operators.coreos.com/v1alpha1',
      'kind: ClusterServiceVersion',
      'metadata:',
      '  name: backups.v1.0.0',
      '  annotations:',
      '    alm-examples: |-',
      '      [',
    ];
    for (const [index, each] of wanted.entries()) {
      const metadata = JSON.stringify({ name: each.name });
      lines.push(
        `        { "apiVersion": "example.com/v1", "kind": "Backup", "metadata": ${metadata},`,
        '          "spec": {',
        `            ${JSON.stringify(each.field)}: ${JSON.stringify(each.value)}`,
        `          } }${index + 1 < wanted.length ? ',' : ''}`,
      );
      this.#made(each, each.name, '', file, lines.length - 1);
    }
    lines.push('      ]', 'spec:', '  version: 1.0.0');
    this.files.set(file, `${lines.join('\n')}\n`);
  }

  #made(each: Wanted, name: string, namespace: string, file: string, line: number): void {
    const object = {
      ...{ apiVersion: 'example.com/v1', kind: 'Backup', metadata: { name } },
      spec: { [each.field]: each.value },
    };
    this.objects.push({ name, namespace, object, breaks: each.breaks, file, line });
  }
}

function head(name: string): string {
  return `apiVersion: example.com/v1\nkind: Backup\nmetadata:\n  name: ${name}\n`;
}

function written({ field, value }: Pick<Wanted, 'field' | 'value'>): string {
  return `${field}: ${JSON.stringify(value)}`;
}
