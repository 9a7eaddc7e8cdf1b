/** `check objects` says of the manifests of a repository what a real API server says to a dry run of each. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { parseYaml, stringifyJson } from '../../src/text/documents/index.js';
import { ensurePrograms } from '../apiserver/binaries.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { run } from '../cli/command.js';
import { definitions } from './widgets.js';

const crd = `apiVersion: apiextensions.k8s.io/v1
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
          required: [spec]
          properties:
            spec:
              type: object
              required: [schedule]
              x-kubernetes-validations: [{ rule: "!has(self.keep) || self.keep > 0", message: keep must be positive }]
              properties:
                schedule: { type: string, pattern: "^[0-9* ]+$" }
                keep: { type: integer, maximum: 30 }
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

/** Lines of a spec, and below each what looks like it and is fine. */
const specs: readonly (readonly [breaks: string, looksAlike: string])[] = [
  ['{}', '{ schedule: "* * *" }'],
  ['{ schedule: 5 }', '{ schedule: "5" }'],
  ['{ schedule: daily }', '{ schedule: "0 3 *" }'],
  ['{ schedule: "*", keep: 31 }', '{ schedule: "*", keep: 30 }'],
  ['{ schedule: "*", keep: 0 }', '{ schedule: "*", keep: 1 }'],
  ['{ schedule: "*", keep: 1.5 }', '{ schedule: "*", keep: 1.0 }'],
  ['{ schedule: "*", keep: "3" }', '{ schedule: "*", keep: 3 }'],
  ['{ schedule: "*", target: tape }', '{ schedule: "*", target: disk }'],
  ['{ schedule: "*", labels: { a: 1 } }', '{ schedule: "*", labels: { a: "1" } }'],
  ['{ schedule: "*", labels: { a: yes } }', '{ schedule: "*", labels: { a: "yes" } }'],
  [
    '{ schedule: "*", volumes: [{ size: 1 }] }',
    '{ schedule: "*", volumes: [{ name: a, size: 1 }] }',
  ],
  [
    '{ schedule: "*", volumes: [{ name: a }, { name: a }] }',
    '{ schedule: "*", volumes: [{ name: a }, { name: b }] }',
  ],
  [
    '{ schedule: "*", volumes: [{ name: a, size: 1.5 }] }',
    '{ schedule: "*", volumes: [{ name: a, size: 1Gi }] }',
  ],
  ['{ schedule: "*", volumes: {} }', '{ schedule: "*", volumes: [] }'],
  ['[]', '{ schedule: "1" }'],
];

/** What kubectl refuses, and other tools apply without. */
const unknown: readonly (readonly [breaks: string, looksAlike: string])[] = [
  ['{ schedule: "*", keeps: 3 }', '{ schedule: "*", extra: { keeps: 3 } }'],
  [
    '{ schedule: "*", volumes: [{ name: a, path: /a }] }',
    '{ schedule: "*", labels: { path: /a } }',
  ],
];

interface Answer {
  readonly results: readonly {
    readonly name: string;
    readonly verdict: {
      readonly allowed: boolean;
      readonly findings: readonly { rule: string; path?: string }[];
    };
    readonly places: readonly { readonly file?: string; readonly line?: number }[];
  }[];
  readonly counts: Readonly<Record<string, number>>;
}

describe('manifests in Git and a real API server', function () {
  this.timeout(240_000);
  const cluster = useCluster();
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-manifests-'));
  /** The text of each object by its name, with the line of its file on which it begins. */
  const written = new Map<string, { file: string; line: number; text: string }>();

  before(async () => {
    writeFileSync(join(folder, 'crd.yaml'), crd);
    const all = [...specs, ...unknown].flatMap(([breaks, fine], index) => [
      [`breaks-${index}`, breaks] as const,
      [`fine-${index}`, fine] as const,
    ]);
    // Several documents a file, in nested folders, with comments and without namespaces.
    for (let at = 0; at < all.length; at += 5) {
      const name = `apps/team-${at}/objects.yaml`;
      let text = '# of this team\n';
      for (const [each, spec] of all.slice(at, at + 5)) {
        const object = `apiVersion: example.com/v1\nkind: Backup\nmetadata:\n  name: ${each}\nspec: ${spec}\n`;
        written.set(each, { file: name, line: text.split('\n').length, text: object });
        text += `${object}---\n`;
      }
      mkdirSync(join(folder, 'apps', `team-${at}`), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const { code, text } = await cluster().request(
      'POST',
      definitions,
      stringifyJson(parseYaml(crd)),
    );
    expect(code, text).to.equal(201);
    await until('backups to be served', async () => {
      const list = await cluster().request('GET', '/apis/example.com/v1/backups');
      return list.code === 200 ? true : undefined;
    });
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  async function judged(...args: string[]): Promise<Answer> {
    const { stdout, stderr } = await run(['check', 'objects', folder, ...args, '-o', 'json']);
    expect(stdout, stderr).to.match(/^\{/);
    return JSON.parse(stdout) as Answer;
  }

  it('agree about each object, and each finding stands in its own document', async () => {
    const { results, counts } = await judged();
    const denied = new Set(
      results.filter(({ verdict }) => !verdict.allowed).map(({ name }) => name),
    );
    const dropped = new Set(
      results
        .filter(({ verdict }) => verdict.findings.some(({ rule }) => rule === 'UnknownField'))
        .map(({ name }) => name),
    );
    expect(counts['allowed'] ?? 0).to.be.above(0);
    for (const [name, { file, line, text }] of written) {
      const object = parseYaml(text);
      const dryRun = async (validation: string): Promise<number> =>
        (
          await cluster().request(
            'POST',
            `/apis/example.com/v1/namespaces/default/backups?dryRun=All&fieldValidation=${validation}`,
            stringifyJson(object),
          )
        ).code;
      const isRefused = (await dryRun('Ignore')) >= 400;
      expect(denied.has(`Backup ${name}`), `${name}: ${text}`).to.equal(isRefused);
      const isStrict = (await dryRun('Strict')) >= 400;
      expect(
        denied.has(`Backup ${name}`) || dropped.has(`Backup ${name}`),
        `${name}, strict: ${text}`,
      ).to.equal(isStrict);
      expect(isStrict, name).to.equal(name.startsWith('breaks'));
      const places = results.find((each) => each.name === `Backup ${name}`)?.places ?? [];
      for (const place of places) {
        expect(place.file, name).to.equal(join(folder, file));
        expect(place.line, name).to.be.within(line, line + 5);
      }
    }
  });

  it('agree about what a kustomization makes of them, and name the line that was written', async () => {
    const overlay = join(folder, 'overlays', 'production');
    mkdirSync(overlay, { recursive: true });
    const base = join(folder, 'apps', 'team-0');
    writeFileSync(join(base, 'kustomization.yaml'), 'resources: [objects.yaml]\n');
    writeFileSync(
      join(overlay, 'kustomization.yaml'),
      'namespace: production\nresources: [../../apps/team-0]\n',
    );
    const kubectl = (await ensurePrograms(['kubectl'])).get('kubectl') ?? '';
    const { stdout, stderr } = await run(
      ['check', 'objects', overlay, '--crds', join(folder, 'crd.yaml'), '-o', 'json'],
      { env: { PATH: `${dirname(kubectl)}:${process.env['PATH'] ?? ''}` } },
    );
    expect(stdout, stderr).to.match(/^\{/);
    expect(stderr).not.to.include('kustomize is here');
    const { results } = JSON.parse(stdout) as Answer;
    expect(results.map(({ verdict }) => verdict.allowed))
      .to.include(false)
      .and.include(true);
    const files = new Set(results.flatMap(({ places }) => places.map(({ file }) => file)));
    expect([...files]).to.deep.equal([join(base, 'objects.yaml')]);
  });

  it('name the patch that has changed a value', async () => {
    const overlay = join(folder, 'overlays', 'patched');
    mkdirSync(overlay, { recursive: true });
    writeFileSync(
      join(overlay, 'objects.yaml'),
      'apiVersion: example.com/v1\nkind: Backup\nmetadata: { name: patched }\nspec:\n  schedule: "*"\n  keep: 3\n  target: tape\n',
    );
    writeFileSync(
      join(overlay, 'kustomization.yaml'),
      'resources: [objects.yaml]\npatches:\n  - target: { kind: Backup }\n    patch: |\n      - { op: replace, path: /spec/keep, value: 99 }\n',
    );
    const kubectl = (await ensurePrograms(['kubectl'])).get('kubectl') ?? '';
    const { stdout, stderr } = await run(
      ['check', 'objects', overlay, '--crds', join(folder, 'crd.yaml'), '-o', 'json'],
      { env: { PATH: `${dirname(kubectl)}:${process.env['PATH'] ?? ''}` } },
    );
    expect(stdout, stderr).to.match(/^\{/);
    const { results } = JSON.parse(stdout) as Answer;
    const told = results[0]?.verdict.findings.map(
      ({ path }, index) => `${path} at ${results[0]?.places[index]?.file}`,
    );
    expect(told).to.include.members([
      `spec.keep at ${join(overlay, 'kustomization.yaml')}`,
      `spec.target at ${join(overlay, 'objects.yaml')}`,
    ]);
  });

  it('agree about objects that the server names', async () => {
    const generated = join(folder, 'generated');
    mkdirSync(generated, { recursive: true });
    for (const prefix of ['of-today-', 'Of-Today-', `${'long'.repeat(60)}-`]) {
      const object = { generateName: prefix };
      const text = `apiVersion: example.com/v1\nkind: Backup\nmetadata: ${JSON.stringify(object)}\nspec: { schedule: "*" }\n`;
      writeFileSync(join(generated, 'objects.yaml'), text);
      const { code } = await cluster().request(
        'POST',
        '/apis/example.com/v1/namespaces/default/backups?dryRun=All',
        stringifyJson(parseYaml(text)),
      );
      const { stdout } = await run([
        'check',
        'objects',
        generated,
        '--crds',
        join(folder, 'crd.yaml'),
        '-o',
        'json',
      ]);
      const [result] = (JSON.parse(stdout) as Answer).results;
      expect(result?.verdict.allowed, prefix).to.equal(code < 400);
      expect(result?.name).to.equal(`Backup ${prefix}…`);
    }
  });
});
