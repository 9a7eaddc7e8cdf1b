/** Repositories whose author wants something of the machine that checks them: one row each. */
import { gzipSync } from 'node:zlib';
import { stringifyJson, type JsonObject } from '../../src/text/documents/index.js';

export interface HostileRepository {
  readonly name: string;
  /**
   * By their paths; a text that begins with `-> ` makes a link. `URL` is the address of a service of the
   * machine, `HOST` the same without its scheme, `BESIDE` a folder beside the repository, and `HOME` that of
   * the user.
   */
  readonly files: Readonly<Record<string, string | Archive>>;
  /** What the commands are given; the whole repository by default. */
  readonly folder?: string;
}

const head = 'apiVersion: v2\nname: c\nversion: 1.0.0\n';
const chart = { 'ch/Chart.yaml': head };

/** A custom resource whose color is quoted in a report, as its definition allows none. */
const widget = (color: string): string =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: w }\nspec: { color: ${color} }\n`;
const template = (expression: string): string => widget(`{{ ${expression} | quote }}`);

/** A definition that has what a template reads among the values of an enumeration, in pieces. */
const definitionWith = (expression: string): string => `{{- $s := ${expression} | b64enc }}
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  names: { kind: Widget, listKind: WidgetList, plural: widgets, singular: widget }
  scope: Namespaced
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
                color:
                  type: string
                  enum: [z{{ range $i := until 80 }}{{ $b := int (mul $i 60) }}{{ if gt (len $s) $b }}, "{{ substr $b (int (min (len $s) (add $b 60))) $s }}"{{ end }}{{ end }}]
`;

const both = (expression: string) => ({
  ...chart,
  'ch/templates/w.yaml': template(expression),
  'ch/templates/crd.yaml': definitionWith(expression),
});

/** What a ConfigMap holds, in a custom resource. */
const copied = `
replacements:
  - source: { kind: ConfigMap, name: leak, fieldPath: data.a }
    targets: [{ select: { kind: Widget }, fieldPaths: [spec.color] }]
`;
const kustomization = (text: string, more: HostileRepository['files'] = {}) => ({
  'k/kustomization.yaml': `resources: [w.yaml]\n${text}`,
  'k/w.yaml': widget('none'),
  ...more,
});

function builtin(kind: string, fields: JsonObject): JsonObject {
  return { apiVersion: 'builtin', kind, metadata: { name: 'leak' }, ...fields };
}
const configMap = (file: string): JsonObject =>
  builtin('ConfigMapGenerator', { files: [`a=${file}`] });
const inline = (...configurations: readonly JsonObject[]): string =>
  stringifyJson(configurations.map((each) => stringifyJson(each)));

function applied(apiVersion: string, kind: string, spec: JsonObject): string {
  return stringifyJson({ apiVersion, kind, metadata: { name: 'a', namespace: 'a' }, spec });
}
const application = (source: JsonObject): string =>
  applied('argoproj.io/v1alpha1', 'Application', { source });
const sourceRef = { kind: 'GitRepository', name: 'flux-system' };
const fluxKustomization = (spec: JsonObject): string =>
  applied('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', { path: 'k', sourceRef, ...spec });
const helmRelease = (spec: JsonObject, chartSpec: JsonObject = {}): string =>
  applied('helm.toolkit.fluxcd.io/v2', 'HelmRelease', {
    chart: { spec: { chart: 'ch', sourceRef, ...chartSpec } },
    ...spec,
  });

/** Files in an archive, as `tar` writes it. */
export class Archive {
  constructor(readonly files: Readonly<Record<string, string>>) {}
}

/** @param filled what becomes of each text */
export function packed({ files }: Archive, filled: (text: string) => string): Buffer {
  const blocks = Object.entries(files).flatMap(([name, written]) => {
    const text = filled(written);
    const header = Buffer.alloc(512);
    const isLink = text.startsWith('-> ');
    const content = isLink ? Buffer.alloc(0) : Buffer.from(text);
    const put = (at: number, value: string): number => header.write(value, at, 'latin1');
    put(0, name);
    put(100, '0000644\0');
    put(124, `${content.length.toString(8).padStart(11, '0')}\0`);
    put(136, '00000000000\0');
    put(148, '        ');
    put(156, isLink ? '2' : '0');
    if (isLink) put(157, text.slice(3));
    put(257, 'ustar\x0000');
    const sum = header.reduce((all, byte) => all + byte, 0);
    put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const schema = (fields: JsonObject): string => stringifyJson({ type: 'object', ...fields });
const readingAll = '{{ range $p, $b := .Files.Glob "**" }}{{ $p }} {{ $b | toString }}{{ end }}';

export const hostileRepositories: readonly HostileRepository[] = [
  // Charts.
  {
    name: 'a link to the environment, in slices',
    files: { ...both('.Files.Get "leak"'), 'ch/leak': '-> /proc/self/environ' },
  },
  {
    name: 'a link to a link',
    files: { ...both('.Files.Get "leak"'), 'ch/leak': '-> ../l', l: '-> HOME/credentials' },
  },
  {
    name: 'a hidden link',
    files: { ...both('.Files.Get ".leak"'), 'ch/.leak': '-> BESIDE/secret.yaml' },
  },
  {
    name: 'a file behind a link to a folder',
    files: { ...both('.Files.Get "files/credentials"'), 'ch/files': '-> HOME' },
  },
  {
    name: 'a file behind a link to a folder with a link',
    files: { ...both('.Files.Get "f/leak"'), 'ch/f': '-> ../f', 'f/leak': '-> HOME/credentials' },
  },
  {
    name: "a link to git's configuration",
    files: { ...both('.Files.Get "leak"'), 'ch/leak': '-> ../.git/config' },
  },
  {
    name: "git's configuration, by a chart at the top",
    files: {
      'Chart.yaml': head,
      'templates/crd.yaml': definitionWith('.Files.Get ".git/config"'),
      'templates/w.yaml': template('.Files.Get ".git/config"'),
      '.helmignore': '',
    },
    folder: '.',
  },
  {
    name: 'all files, by a chart at the top',
    files: {
      'Chart.yaml': head,
      'templates/w.yaml': widget(`'${readingAll}'`),
      'files/leak': '-> ../../beside/secret.yaml',
    },
    folder: '.',
  },
  {
    name: 'its values are a link',
    files: { ...both('.Values.secret'), 'ch/values.yaml': '-> HOME/credentials' },
  },
  {
    name: 'its definitions are a link',
    files: { ...both('"a"'), 'ch/crds/crd.yaml': '-> BESIDE/secret.yaml' },
  },
  { name: 'its templates are a link', files: { ...chart, 'ch/templates': '-> BESIDE' } },
  {
    name: 'a template that includes a link',
    files: {
      ...chart,
      'ch/templates/_leak.tpl': '-> HOME/credentials',
      'ch/templates/w.yaml': template('tpl (.Files.Get "templates/_leak.tpl") .'),
    },
  },
  {
    name: 'its head is a link',
    files: { 'ch/Chart.yaml': '-> HOME/credentials', 'ch/templates/w.yaml': template('"a"') },
  },
  {
    name: 'values of an Application behind a comma',
    files: {
      ...both('.Values.secret'),
      'a.yaml': application({ path: 'ch', helm: { valueFiles: ['v,HOME/credentials'] } }),
      'ch/v,HOME/credentials': 'a: b\n',
      'ch/v': 'a: b\n',
    },
  },
  {
    name: 'values of an Application at an address behind a comma',
    files: {
      ...both('.Values.secret'),
      'a.yaml': application({ path: 'ch', helm: { valueFiles: ['v,URL'] } }),
      'ch/v,URL': 'a: b\n',
      'ch/v': 'a: b\n',
    },
  },
  {
    name: 'values of an Application that are a link',
    files: {
      ...both('.Values.secret'),
      'a.yaml': application({ path: 'ch', helm: { valueFiles: ['v.yaml'] } }),
      'ch/v.yaml': '-> HOME/credentials',
    },
  },
  {
    name: 'values of a HelmRelease outside',
    files: {
      ...both('.Values.secret'),
      'r.yaml': helmRelease({}, { valuesFiles: ['../beside/secret.yaml', 'BESIDE/secret.yaml'] }),
    },
  },
  {
    name: 'options in the name of a release',
    files: {
      ...both('"a"'),
      'a.yaml': application({ path: 'ch', helm: { releaseName: '--post-renderer=./run.sh' } }),
      'r.yaml': helmRelease({ releaseName: '--values=HOME/credentials' }),
      'run.sh': '#!/bin/sh\necho ran >> BESIDE/ran\ncat\n',
    },
  },
  {
    name: 'a schema of its values at an address',
    files: { ...both('"a"'), 'ch/values.schema.json': schema({ $ref: 'URL/schema' }) },
  },
  {
    name: 'a schema of its values below an address',
    files: {
      ...both('"a"'),
      'ch/values.schema.json': schema({ $id: 'URL/', properties: { a: { $ref: 'a.json' } } }),
    },
  },
  {
    name: 'a schema of its values by an address',
    files: { ...both('"a"'), 'ch/values.schema.json': schema({ $schema: 'URL/schema' }) },
  },
  {
    name: 'a schema of its values in a file',
    files: {
      ...both('"a"'),
      'ch/values.schema.json': schema({ $ref: 'file://BESIDE/secret.json' }),
    },
  },
  {
    name: 'a schema in the archive of a chart in it, and a link there',
    files: {
      ...both('"a"'),
      'ch/charts/s-1.0.0.tgz': new Archive({
        's/Chart.yaml': 'apiVersion: v2\nname: s\nversion: 1.0.0\n',
        's/values.schema.json': schema({ $ref: 'URL/schema' }).replace('$ref', '\\u0024ref'),
        's/leak': '-> /proc/self/environ',
        's/templates/w.yaml': template('.Files.Get "leak"'),
      }),
    },
  },
  {
    name: 'functions that ask the machine',
    files: {
      ...both('(getHostByName "localhost")'),
      'ch/templates/e.yaml': template('env "HOME"'),
    },
  },
  {
    name: 'a dependency at an address',
    files: {
      ...both('"a"'),
      'ch/Chart.yaml': `${head}dependencies: [{ name: d, version: 1.0.0, repository: "URL" }]\n`,
    },
  },
  // Kustomizations.
  { name: 'a resource at an address', files: kustomization('bases: [URL/a.yaml]\n') },
  { name: 'a resource at an ADDRESS', files: kustomization('bases: ["HTTP://HOST/a.yaml"]\n') },
  { name: 'a resource by git', files: kustomization('Bases: ["git::URL/a.git"]\n') },
  { name: 'a resource by ssh', files: kustomization('bases: ["ssh://git@HOST/a.git"]\n') },
  { name: 'a repository beside it', files: kustomization('bases: ["file://BESIDE/git"]\n') },
  { name: 'a component at an address', files: kustomization('components: [URL/a.git]\n') },
  { name: 'a definition at an address', files: kustomization('crds: [URL/a.yaml]\n') },
  { name: 'a configuration at an address', files: kustomization('configurations: [URL/a.yaml]\n') },
  { name: 'OpenAPI at an address', files: kustomization('openapi: { path: URL/a.json }\n') },
  { name: 'a validator at an address', files: kustomization('validators: [URL/a.yaml]\n') },
  { name: 'a patch at an address', files: kustomization('patches: [{ Path: "URL/a.yaml" }]\n') },
  {
    name: 'a merged patch at an address',
    files: kustomization('patchesStrategicMerge: ["URL/a.yaml"]\n'),
  },
  {
    name: 'a patch at an address as kustomize 2 had it',
    files: kustomization('patches: ["URL/a.yaml"]\n'),
  },
  {
    name: 'a JSON patch at an address',
    files: kustomization(
      'patchesJson6902: [{ target: { version: v1, kind: Widget, name: w }, path: "URL/a.yaml" }]\n',
    ),
  },
  {
    name: 'a replacement at an address',
    files: kustomization('replacements: [{ path: "URL/a.yaml" }]\n'),
  },
  {
    name: 'a generator with a line break in its key',
    files: kustomization(
      `configMapGenerator: [{ name: leak, files: ["a=HOME/credentials", "b\\nc=URL/a"] }]\n`,
    ),
  },
  {
    name: 'a generator of an address',
    files: kustomization(`configMapGenerator: [{ name: leak, files: ["a=URL/a"] }]\n${copied}`),
  },
  {
    name: 'a generator of a variable of the environment',
    files: kustomization('secretGenerator: [{ name: leak, envs: ["HOME/credentials"] }]\n'),
  },
  {
    name: 'a generator of a file beside the repository',
    files: kustomization(
      `configMapGenerator: [{ name: leak, files: ["a=../../beside/secret.yaml"] }]\n${copied}`,
    ),
  },
  {
    name: 'a generator of a link',
    files: kustomization(`configMapGenerator: [{ name: leak, files: [a] }]\n${copied}`, {
      'k/a': '-> HOME/credentials',
    }),
  },
  {
    name: "a generator of git's configuration",
    files: {
      'kustomization.yaml': `resources: [w.yaml]\nconfigMapGenerator: [{ name: leak, files: ["a=.git/config"] }]\n${copied}`,
      'w.yaml': widget('none'),
    },
    folder: '.',
  },
  {
    name: 'a generator in a list',
    files: kustomization(
      `generators: ${inline({ apiVersion: 'v1', kind: 'List', items: [configMap('URL/a')] })}\n${copied}`,
    ),
  },
  {
    name: 'a generator in a list in a file',
    files: kustomization(`generators: [g.yaml]\n${copied}`, {
      'k/g.yaml': stringifyJson({ apiVersion: 'a/v1', kind: 'AList', items: [configMap('URL/a')] }),
    }),
  },
  {
    name: 'a generator in a list that is none by its second kind',
    files: kustomization(`generators: [g.yaml]\n`, {
      'k/g.yaml': `apiVersion: builtin\nkind: AList\nkind: LabelTransformer\nmetadata: { name: a }\nitems: [${stringifyJson(configMap('URL/a'))}]\n`,
    }),
  },
  {
    name: 'a generator with files twice',
    files: kustomization(`generators: [g.yaml]\n`, {
      'k/g.yaml': `${stringifyJson(configMap('URL/a')).slice(0, -1)}, files: [w.yaml]}\n`,
    }),
  },
  {
    name: 'a generator that an inline patch completes',
    files: kustomization(`generators: [g]\n${copied}`, {
      'k/g/kustomization.yaml': stringifyJson({
        resources: ['g.yaml'],
        patches: [
          {
            target: { kind: 'ConfigMapGenerator' },
            patch: stringifyJson([{ op: 'replace', path: '/files/0', value: 'a=URL/a' }]),
          },
        ],
      }),
      'k/g/g.yaml': stringifyJson(configMap('w.yaml')),
    }),
  },
  {
    name: 'a transformer that an inline patch completes',
    files: kustomization('transformers: [t]\n', {
      'k/t/kustomization.yaml': stringifyJson({
        resources: ['t.yaml'],
        patchesStrategicMerge: [stringifyJson(builtin('PatchTransformer', { path: 'URL/a' }))],
      }),
      'k/t/t.yaml': stringifyJson(builtin('PatchTransformer', { path: 'w.yaml' })),
    }),
  },
  {
    name: 'a generator that replacements complete from an annotation',
    files: kustomization(`generators: [g]\n${copied}`, {
      'k/g/kustomization.yaml': stringifyJson({
        resources: ['g.yaml'],
        replacements: [
          {
            source: { kind: 'ConfigMapGenerator', fieldPath: 'metadata.annotations.a' },
            targets: [{ select: { kind: 'ConfigMapGenerator' }, fieldPaths: ['files.0'] }],
          },
        ],
      }),
      'k/g/g.yaml': stringifyJson({
        ...configMap('w.yaml'),
        metadata: { name: 'leak', annotations: { a: 'a=URL/a' } },
      }),
    }),
  },
  {
    name: 'a generator that another generator makes',
    files: kustomization(`generators: [g]\n`, {
      'k/g/kustomization.yaml': stringifyJson({ generators: ['g.yaml'] }),
      'k/g/g.yaml': stringifyJson(configMap('URL/a')),
    }),
  },
  {
    name: 'a chart that kustomize inflates',
    files: kustomization(
      `generators: ${inline(builtin('HelmChartInflationGenerator', { repo: 'URL', version: '1.0.0', releaseName: 'a' }))}\n`,
    ),
  },
  {
    name: 'charts of a kustomization',
    files: kustomization('helmCharts: [{ name: a, repo: "URL", version: 1.0.0 }]\n'),
  },
  {
    name: 'a transformer that is a program',
    files: kustomization('transformers: [t.yaml]\n', {
      'k/t.yaml': stringifyJson({
        ...{ apiVersion: 'a/v1', kind: 'A' },
        metadata: {
          name: 'a',
          annotations: { 'config.kubernetes.io/function': 'exec: { path: ./run.sh }' },
        },
      }),
      'k/run.sh': '#!/bin/sh\necho ran >> BESIDE/ran\n',
    }),
  },
  {
    name: 'a folder behind a link',
    files: kustomization('bases: [b]\n', { 'k/b': '-> BESIDE/base' }),
  },
  { name: 'a folder beside the repository', files: kustomization('bases: [../../beside/base]\n') },
  // What Argo CD and Flux apply.
  {
    name: 'a Kustomization of Flux with a patch at an address',
    files: {
      ...kustomization(''),
      'f.yaml': fluxKustomization({ patches: [{ Path: 'URL/a' }], namePrefix: 'a-' }),
    },
  },
  {
    name: 'a Kustomization of Flux with a component at an address',
    files: { ...kustomization(''), 'f.yaml': fluxKustomization({ components: ['URL/a.git'] }) },
  },
  {
    name: 'variables of Flux',
    files: {
      ...kustomization('', { 'k/w.yaml': widget('"${GH_TOKEN} ${HOME} ${secret}"') }),
      'f.yaml': fluxKustomization({
        postBuild: { substituteFrom: [{ kind: 'ConfigMap', name: 'leak' }] },
      }),
      'c.yaml': '-> HOME/credentials',
    },
  },
  {
    name: 'an Application with a component outside',
    files: {
      ...kustomization(''),
      'a.yaml': application({ path: 'k', kustomize: { components: ['../../beside/base', 'URL'] } }),
    },
  },
  {
    name: 'an Application of a folder outside',
    files: { ...kustomization(''), 'a.yaml': application({ path: '../beside/base' }) },
  },
  {
    name: 'an ApplicationSet of a file that is a link',
    files: {
      ...kustomization(''),
      'leak.json': '-> HOME/credentials',
      's.yaml': applied('argoproj.io/v1alpha1', 'ApplicationSet', {
        generators: [{ git: { files: [{ path: '*.json' }] } }],
        template: {
          metadata: { name: '{{secret}}' },
          spec: { source: { path: 'k', kustomize: { namePrefix: '{{secret}}-' } } },
        },
      }),
    },
  },
  // git.
  {
    name: 'attributes with filters, and a submodule',
    files: {
      ...kustomization(''),
      '.gitattributes': '* filter=leak diff=leak\n',
      '.gitmodules': '[submodule "a"]\n\tpath = a\n\turl = URL/a.git\n',
    },
  },
];
