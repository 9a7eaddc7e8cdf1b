/**
 * Asks a real API server about every change that a proof calls breaking or lossy:
 * `npx tsx bench/real.ts DIR [NAME …]`. Below DIR, at any depth, each folder that holds `old` and `new`
 * is a pair of releases; both are what `check crd` reads: a file (`old.yaml`, `new.json`) or a folder of
 * files. With names, only pairs whose path holds one of them are asked about.
 *
 * The object of each finding is created under the old definition, the new one takes its place, and then
 * the server is asked: is it refused when created and when applied (server-side apply), can the stored
 * one be updated as the finding says, is it still read, and are the values gone that are said to be.
 *
 * Exit code: 0 nothing refuted, 1 something refuted, 2 nothing could be asked.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readDefinitions } from '../src/cli/options/crd-source.js';
import { isObject, own, type JsonObject, type JsonValue } from '../src/text/documents/index.js';
import { pairCrds, type ProofResult } from '../src/upgrade/index.js';
import { proveDocuments } from '../src/upgrade/proof/testing/prove-documents.js';
import { startCluster, type TestCluster } from '../test/apiserver/cluster.js';

const atOnce = 4;
const patience = 20_000;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

type Answer = 'agrees' | 'refuted' | 'not asked';

interface Row {
  readonly pair: string;
  readonly what: string;
  readonly answers: Readonly<Record<'create' | 'update' | 'read' | 'apply', string>>;
  readonly answer: Answer;
  readonly why: string;
}

interface Upgrade {
  readonly pair: string;
  readonly old: JsonObject;
  readonly next: JsonObject;
}

const [root, ...names] = process.argv.slice(2);
if (root === undefined) {
  console.error('usage: npx tsx bench/real.ts DIR [NAME …]');
  process.exit(2);
}

/** `old` or `old.yaml` in a folder, whichever is there. */
function sideOf(folder: string, side: 'old' | 'new'): string | undefined {
  const known = ['', '.yaml', '.yml', '.json'].map((end) => join(folder, `${side}${end}`));
  return known.find((path) => existsSync(path));
}

function* pairFolders(folder: string): Generator<string> {
  if (sideOf(folder, 'old') !== undefined && sideOf(folder, 'new') !== undefined) {
    yield folder;
    return;
  }
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* pairFolders(path);
  }
}

async function upgradesIn(folder: string, from: string): Promise<Upgrade[]> {
  const sources = { old: sideOf(folder, 'old') ?? '', new: sideOf(folder, 'new') ?? '' };
  const [old, next] = [await readDefinitions(sources.old), await readDefinitions(sources.new)];
  const { changed } = pairCrds(old, next, sources);
  return changed.map((pair) => ({
    pair: `${relative(from, folder)} ${pair.new.name}`,
    old: pair.old.crd.document,
    next: pair.new.crd.document,
  }));
}

/** As a server takes it that has no webhooks: what is stored is read as it is. */
function installable(definition: JsonObject): JsonObject {
  const spec = { ...(own(definition, 'spec') as JsonObject), conversion: { strategy: 'None' } };
  const metadata = own(definition, 'metadata') as JsonObject;
  const annotations = own(metadata, 'annotations');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: own(metadata, 'name') ?? '',
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec,
  };
}

interface Names {
  readonly group: string;
  readonly scope: string;
  readonly names: { readonly plural: string };
}

/** One upgrade on the server. */
class Trial {
  private readonly spec: Names;
  private readonly name: string;
  /** The server goes by the new definition. */
  private isInForce = false;

  constructor(
    private readonly cluster: TestCluster,
    private readonly upgrade: Upgrade,
  ) {
    this.spec = upgrade.old['spec'] as unknown as Names;
    this.name = (upgrade.old['metadata'] as { name: string }).name;
  }

  async run(results: readonly ProofResult[]): Promise<Row[]> {
    try {
      const refused = await this.install(installable(this.upgrade.old));
      if (refused !== undefined) return results.map((each) => this.unasked(each, refused));
      const stored = new Map<ProofResult, string>();
      const rows: Row[] = [];
      for (const [index, result] of results.entries()) {
        const object = storedBy(result);
        if (object === undefined) rows.push(this.unasked(result, 'no object is shown'));
        else {
          const text = await this.create(object, `w${index}`);
          if (text === undefined) stored.set(result, `w${index}`);
          else rows.push(this.row(result, 'refuted', `not taken before: ${text}`));
        }
      }
      const replaced = await this.replace(installable(this.upgrade.next));
      if (replaced !== undefined) {
        return [...rows, ...[...stored.keys()].map((each) => this.unasked(each, replaced))];
      }
      for (const [result, name] of stored) rows.push(await this.patient(result, name));
      return rows;
    } finally {
      await this.remove();
    }
  }

  private isServed(version: string): boolean {
    const { versions } = this.upgrade.next['spec'] as {
      versions: { name: string; served: boolean }[];
    };
    return versions.some(({ name, served }) => name === version && served);
  }

  private path(version: string): string {
    const { group, scope, names: of } = this.spec;
    return `/apis/${group}/${version}/${scope === 'Cluster' ? '' : 'namespaces/default/'}${of.plural}`;
  }

  private as(object: JsonObject, version: string, name: string): JsonObject {
    const metadata = { ...(own(object, 'metadata') as JsonObject | undefined), name };
    for (const own of [
      'uid',
      'resourceVersion',
      'managedFields',
      'creationTimestamp',
      'generation',
    ])
      Reflect.deleteProperty(metadata, own);
    return { ...object, apiVersion: `${this.spec.group}/${version}`, metadata };
  }

  private async create(object: JsonObject, name: string): Promise<string | undefined> {
    const [, version = ''] = (object['apiVersion'] as string).split('/');
    const url = this.path(version);
    const { code, body } = await this.cluster.request('POST', url, this.as(object, version, name));
    if (code !== 201) return body.message ?? String(code);
    const status = own(object, 'status');
    if (status === undefined || own(body as JsonObject, 'status') !== undefined) return undefined;
    await this.cluster.request('POST', url, this.as(object, version, `${name}s`));
    const written = await this.writeStatus(`${url}/${name}`, body as JsonObject, status, '');
    return written < 400 ? undefined : `its status is refused: ${written}`;
  }

  /** What a create leaves out where the status is a resource of its own. */
  private async writeStatus(
    url: string,
    object: JsonObject,
    status: JsonValue,
    query: string,
  ): Promise<number> {
    return (await this.cluster.request('PUT', `${url}/status${query}`, { ...object, status })).code;
  }

  /** The new schema comes into force a moment after it is stored. */
  private async patient(result: ProofResult, name: string): Promise<Row> {
    const end = Date.now() + (this.isInForce ? patience / 20 : patience);
    for (;;) {
      const row = await this.ask(result, name);
      if (row.answer !== 'refuted') this.isInForce = true;
      if (row.answer !== 'refuted' || Date.now() > end) return row;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  private async ask(result: ProofResult, name: string): Promise<Row> {
    const { version, effect, stored } = result;
    const url = this.path(version);
    const read = await this.cluster.request('GET', `${url}/${name}`);
    if (read.code === 404) {
      const why = `${version} is not served`;
      return this.isServed(version) ? this.row(result, 'refuted', why) : this.unasked(result, why);
    }
    if (effect === 'data-loss') {
      const lost = /values lost: (.*?)(?:; |$)/.exec(result.reason)?.[1]?.split(', ') ?? [];
      const kept = lost.filter((path) => valueAt(read.body as JsonObject, path) !== undefined);
      const isGone = read.code === 200 && lost.length > 0 && kept.length === 0;
      const answers = { create: '-', update: '-', apply: '-', read: isGone ? 'lost' : 'kept' };
      return this.row(result, isGone ? 'agrees' : 'refuted', kept.join(', '), answers);
    }
    const witness = result.witness as JsonObject;
    const after = own(witness, 'new');
    const bodies = [storedBy(result) as JsonObject, read.body as unknown as JsonObject];
    const refusedAs = async (send: (object: JsonObject) => Promise<number>): Promise<boolean> => {
      for (const object of bodies) if ((await send(object)) >= 400) return true;
      return false;
    };
    const patch = { metadata: { annotations: { changed: 'yes' } } };
    const updated = await this.cluster.request('PATCH', `${url}/${name}?dryRun=All`, patch, {
      contentType: 'application/merge-patch+json',
    });
    const isCreateRefused = await refusedAs(async (object) => {
      const body = this.as(object, version, 'again');
      const { code } = await this.cluster.request('POST', `${url}?dryRun=All`, body);
      const status = own(witness, 'status');
      if (code >= 400 || status === undefined) return code;
      // Of an object that has none yet: what is stored the server tolerates.
      const bare = await this.cluster.request('GET', `${url}/${name}s`);
      return this.writeStatus(`${url}/${name}s`, bare.body as JsonObject, status, '?dryRun=All');
    });
    const isApplyRefused = await refusedAs(async (object) => {
      const body = this.as(object, version, 'again');
      const path = `${url}/again?fieldManager=real&dryRun=All`;
      const contentType = 'application/apply-patch+yaml';
      return (await this.cluster.request('PATCH', path, body, { contentType })).code;
    });
    const answers = {
      create: isCreateRefused ? 'refused' : 'taken',
      apply: isApplyRefused ? 'refused' : 'taken',
      update:
        updated.code === 200 ? 'updatable' : updated.code === 422 ? 'stuck' : String(updated.code),
      read: read.code === 200 ? 'read' : String(read.code),
    };
    const update = stored?.update === 'refused' ? 'stuck' : 'updatable';
    const isStoredAs = stored === undefined || answers.update === update;
    if (after !== undefined) {
      const body = this.as(after as JsonObject, version, name);
      const metadata = {
        ...(body['metadata'] as JsonObject),
        ...versionOf(read.body as JsonObject),
      };
      const { code } = await this.cluster.request('PUT', `${url}/${name}?dryRun=All`, {
        ...body,
        metadata,
      });
      const isShown = code === 422 && isStoredAs;
      return this.row(result, isShown ? 'agrees' : 'refuted', `update: ${code}`, answers);
    }
    // Applied without its subresource, a status is left out as well.
    const isApplied = isApplyRefused || own(witness, 'status') !== undefined;
    const isShown = isCreateRefused && isApplied && isStoredAs && read.code === 200;
    return this.row(result, isShown ? 'agrees' : 'refuted', '', answers);
  }

  private async install(definition: JsonObject): Promise<string | undefined> {
    const { code, body } = await this.cluster.request('POST', definitions, definition);
    if (code !== 201) return `the old definition is refused: ${body.message ?? code}`;
    const { versions } = this.upgrade.old['spec'] as {
      versions?: { name: string; served: boolean }[];
    };
    const served = versions?.find((version) => version.served)?.name ?? '';
    return this.until('the old definition is not served', async () => {
      return (await this.cluster.request('GET', this.path(served))).code === 200;
    });
  }

  private async replace(definition: JsonObject): Promise<string | undefined> {
    for (;;) {
      const { body } = await this.cluster.request('GET', `${definitions}/${this.name}`);
      const metadata = {
        ...(definition['metadata'] as JsonObject),
        ...versionOf(body as JsonObject),
      };
      const answer = await this.cluster.request('PUT', `${definitions}/${this.name}`, {
        ...definition,
        metadata,
      });
      if (answer.code === 200) return undefined;
      if (answer.code !== 409)
        return `the new definition is refused: ${answer.body.message ?? answer.code}`;
    }
  }

  private async remove(): Promise<void> {
    await this.cluster.request('DELETE', `${definitions}/${this.name}`);
    await this.until('', async () => {
      return (await this.cluster.request('GET', `${definitions}/${this.name}`)).code === 404;
    });
  }

  private async until(
    otherwise: string,
    holds: () => Promise<boolean>,
  ): Promise<string | undefined> {
    const end = Date.now() + patience;
    while (!(await holds())) {
      if (Date.now() > end) return otherwise;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return undefined;
  }

  private unasked(result: ProofResult, why: string): Row {
    return this.row(result, 'not asked', why);
  }

  private row(
    { version, from, path, effect }: ProofResult,
    answer: Answer,
    why: string,
    answers: Row['answers'] = { create: '-', update: '-', read: '-', apply: '-' },
  ): Row {
    const read = from === undefined ? version : `${from} -> ${version}`;
    return { pair: this.upgrade.pair, what: `${effect} ${read} ${path}`, answers, answer, why };
  }
}

function storedBy({ witness = null }: ProofResult): JsonObject | undefined {
  if (!isObject(witness)) return undefined;
  return (own(witness, 'old') ?? witness) as JsonObject;
}

function versionOf(object: JsonObject): JsonObject {
  const { resourceVersion = '' } = object['metadata'] as JsonObject;
  return { resourceVersion };
}

function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of path.split(/[.[\]]+/).filter((each) => each !== '')) {
    const name = decodeURIComponent(step);
    if (Array.isArray(value)) value = value[Number(name)];
    else value = value !== undefined && isObject(value) ? own(value, name) : undefined;
  }
  return value;
}

const cluster = await startCluster();
const rows: Row[] = [];
let asked = 0;
try {
  const queues = new Map<string, Upgrade[]>();
  for (const folder of pairFolders(root)) {
    if (names.length > 0 && !names.some((name) => folder.includes(name))) continue;
    for (const upgrade of await upgradesIn(folder, root)) {
      const name = (upgrade.old['metadata'] as { name: string }).name;
      queues.set(name, [...(queues.get(name) ?? []), upgrade]);
    }
  }
  // Two upgrades of one definition do not meet on the server.
  const waiting = [...queues.values()];
  const work = async (): Promise<void> => {
    for (let queue = waiting.shift(); queue !== undefined; queue = waiting.shift()) {
      for (const upgrade of queue) {
        asked++;
        const results = proveDocuments(upgrade.old, upgrade.next).results.filter(
          ({ effect }) => effect === 'breaking' || effect === 'data-loss',
        );
        if (results.length === 0) continue;
        const told = await new Trial(cluster, upgrade).run(results);
        rows.push(...told);
        for (const { pair, what, answers, answer, why } of told) {
          const { create, apply, update, read } = answers;
          console.log([answer, pair, what, create, apply, update, read, why].join('\t'));
        }
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
} finally {
  await cluster.stop();
}
const count = (answer: Answer): number => rows.filter((row) => row.answer === answer).length;
console.log(
  `\n${asked} upgrades, ${rows.length} findings that deny: ${count('agrees')} confirmed, ${count('refuted')} refuted, ${count('not asked')} not asked`,
);
process.exitCode = count('refuted') > 0 ? 1 : asked === 0 ? 2 : 0;
