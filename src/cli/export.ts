/** `olm-guard export` and `vap sync`: the gate's simplest questions as ValidatingAdmissionPolicies. */
import { readFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { readDefinition, type SchemaNode } from '../kubernetes/index.js';
import {
  invalidInput,
  isObject,
  own,
  stringifyJson,
  writeYaml,
  type JsonObject,
} from '../text/documents/index.js';
import { append } from '../text/long-lists.js';
import { streamObjects } from '../text/documents/object-stream.js';
import { addUse, type Need, policyOf, staticWebhooks, useInCluster } from '../gate/index.js';
import { definitionOf, type FoundCrd } from '../upgrade/index.js';
import { isCertificate } from '../text/platform.js';
import {
  openCluster,
  openDefault,
  type ClusterOptions,
  withConnection,
} from './options/cluster-option.js';
import { readDefinitions } from './options/crd-source.js';
import { ObjectSources } from './options/object-sources.js';
import { formOf, print, printError } from './output.js';
import { join, resolve } from 'node:path';
import { firstNames } from '../text/shortened.js';
import { groupBy } from '../text/group.js';
import { plural } from '../text/plural.js';
import { flags, withFlags, several, required, type Flags } from './options/flags.js';

interface SharedOptions extends ClusterOptions {
  readonly objects: readonly string[];
  readonly audit?: boolean;
  readonly denyDeletion?: boolean;
}

interface PrintedOptions extends SharedOptions {
  readonly output: 'yaml' | 'json';
}

export function exportCommand(): Command {
  const vap = new Command('vap').description(
    'write ValidatingAdmissionPolicies that deny what breaks the objects of a definition',
  );
  withFlags(vap, { ...policiesFlags, ...flags.output(['yaml', 'json']) })
    .addHelpText('after', notCoveredHelp)
    .action(async (source: string, options: PrintedOptions) => {
      const objects = await policiesOf(source, options, false);
      const text =
        options.output === 'json'
          ? `${stringifyJson({ apiVersion: 'v1', kind: 'List', items: objects }, 2)}\n`
          : yamlOf(objects);
      await print(text, formOf(options.output));
    });
  const files = new Command('static').description(
    'write them, and the webhooks, as files that an API server (1.37) reads before its first request',
  );
  withFlags(files, {
    ...policiesFlags,
    '--to <folder>': required('where to write them: the same folder on each control plane'),
    '--webhooks <file>': 'a ValidatingWebhookConfiguration, as installed or rendered',
    '--url <url>': 'https://HOST:PORT of the gate, which API servers reach without a Service',
    '--ca <file>': 'the CA of the gate (default: the caBundle of the webhooks)',
  })
    .addHelpText('after', notCoveredHelp)
    .action(writeStatic);
  return new Command('export')
    .description('write the rules as ValidatingAdmissionPolicies')
    .addCommand(vap)
    .addCommand(files);
}

const notCoveredHelp = '\nStandard error lists what the policies do not cover.';

const policiesFlags: Flags = {
  '<definitions>': 'file, folder, chart, git:REF:path or -',
  '--objects <source>': several(
    'pin only what these use: a file, folder, kustomization, chart, git:REF:path, - or cluster',
  ),
  ...flags.kubeconfig('the cluster of --objects cluster (default: as kubectl)'),
  '--audit': 'warn and audit instead of denying',
  '--deny-deletion':
    'with --objects: deny deleting a definition that has objects, instead of warning',
};

async function policiesOf(
  source: string,
  options: SharedOptions,
  isStatic: boolean,
): Promise<JsonObject[]> {
  const { crds } = await readDefinitions(source);
  if (crds.size === 0) throw invalidInput(`${source} holds no CustomResourceDefinition`);
  const uses = options.objects.length === 0 ? undefined : await useOf(options, crds);
  const objects: JsonObject[] = [];
  const notCovered: NotCovered[] = [];
  for (const [name, { crd }] of crds) {
    const exported = policyOf(crd.document, {
      use: uses && (uses.get(name) ?? new Map()),
      isAudit: options.audit === true,
      deniesDeletion: options.denyDeletion === true,
      isStatic,
    });
    append(objects, exported.objects);
    append(
      notCovered,
      exported.notCovered.map((sentence) => ({ name, sentence })),
    );
  }
  for (const line of notCoveredLines(notCovered, crds.size)) printError(`olm-guard: ${line}`);
  return objects;
}

function yamlOf(objects: readonly JsonObject[]): string {
  return objects.map((object) => writeYaml(object)).join('---\n');
}

interface StaticOptions extends SharedOptions {
  readonly to: string;
  readonly webhooks?: string;
  readonly url?: string;
  readonly ca?: string;
}

async function writeStatic(source: string, options: StaticOptions): Promise<void> {
  const { webhooks, url, ca } = options;
  if ((webhooks === undefined) !== (url === undefined)) {
    throw invalidInput('--webhooks and --url go together');
  }
  if (webhooks === undefined && ca !== undefined) {
    throw invalidInput('--ca needs --webhooks');
  }
  if (url !== undefined && (!URL.canParse(url) || new URL(url).protocol !== 'https:')) {
    throw invalidInput(`--url must be https://HOST:PORT, not ${url}`);
  }
  const policies = await policiesOf(source, options, true);
  const registration =
    webhooks === undefined || url === undefined
      ? undefined
      : staticWebhooks(await configurationIn(webhooks), {
          url,
          authority: ca === undefined ? undefined : await authorityIn(ca),
        });
  const written = await writeStaticFiles(options.to, {
    policies: yamlOf(policies),
    webhooks: registration && yamlOf([registration]),
  });
  await print(written.map((file) => `wrote ${file}\n`).join(''));
}

async function configurationIn(file: string): Promise<JsonObject> {
  for await (const objects of streamObjects(file)) {
    for (const object of objects) {
      if (isObject(object) && own(object, 'kind') === 'ValidatingWebhookConfiguration') {
        return object;
      }
    }
  }
  throw invalidInput(`${file} holds no ValidatingWebhookConfiguration`);
}

async function authorityIn(file: string): Promise<string> {
  const pem = await readFile(file, 'utf8').catch((error: unknown) => {
    throw invalidInput(`${file} cannot be read: ${(error as Error).message}`);
  });
  if (!isCertificate(pem)) {
    throw invalidInput(`${file} holds no certificate in PEM`);
  }
  return pem;
}

type Uses = Map<string, Map<string, Map<string, Need>>>;

/** By the definition and the version of the objects. @throws InvalidInputError where some cannot be read */
async function useOf(options: SharedOptions, crds: ReadonlyMap<string, FoundCrd>): Promise<Uses> {
  const sources = new ObjectSources(options.objects);
  const uses = sources.hasCluster ? await usesInCluster(options, crds) : (new Map() as Uses);
  const schemas = new Map<string, SchemaNode>();
  const unread: string[] = [];
  for await (const objects of sources.read((sentence) => unread.push(sentence))) {
    for (const object of objects) {
      const apiVersion = isObject(object) ? own(object, 'apiVersion') : undefined;
      if (!isObject(object) || typeof apiVersion !== 'string') continue;
      const found = definitionOf(object, crds);
      if (found === undefined) continue;
      const { name, crd } = found;
      const [, version = ''] = apiVersion.split('/');
      const versions = uses.get(name) ?? new Map<string, Map<string, Need>>();
      const needs = versions.get(version) ?? new Map<string, Need>();
      const key = `${name} ${version}`;
      const schema = schemas.get(key) ?? readDefinition(crd.document, version).schema;
      schemas.set(key, schema);
      addUse(object, schema, needs);
      uses.set(name, versions.set(version, needs));
    }
  }
  const [first] = unread;
  if (first === undefined) return uses;
  const more = unread.length > 1 ? ` (and ${unread.length - 1} more)` : '';
  throw invalidInput(`not all objects can be read: ${first}${more}`);
}

async function usesInCluster(
  options: ClusterOptions,
  crds: ReadonlyMap<string, FoundCrd>,
): Promise<Uses> {
  const { view, close } = (await openCluster(options)) ?? (await openDefault(options));
  try {
    const uses: Uses = new Map();
    for (const [name, { crd }] of crds) uses.set(name, await useInCluster(crd.document, view));
    return uses;
  } finally {
    close();
  }
}

interface StaticManifests {
  readonly policies: string;
  readonly webhooks?: string | undefined;
}

const configApi = 'apiserver.config.k8s.io/v1';

/** Each plugin of an API server reads a folder of its own, which holds nothing else. */
async function writeStaticFiles(
  folder: string,
  { policies, webhooks }: StaticManifests,
): Promise<string[]> {
  const root = resolve(folder);
  const plugins = [
    {
      name: 'ValidatingAdmissionPolicy',
      kind: 'ValidatingAdmissionPolicyConfiguration',
      folder: join(root, 'policies'),
      text: policies,
    },
    {
      name: 'ValidatingAdmissionWebhook',
      kind: 'WebhookAdmissionConfiguration',
      folder: join(root, 'webhooks'),
      text: webhooks,
    },
  ].filter(({ text }) => text !== undefined);
  const configuration: JsonObject = {
    apiVersion: configApi,
    kind: 'AdmissionConfiguration',
    plugins: plugins.map(({ name, kind, folder: staticManifestsDir }) => ({
      name,
      configuration: { apiVersion: configApi, kind, staticManifestsDir },
    })),
  };
  const written: string[] = [];
  const write = async (place: string, name: string, text: string): Promise<void> => {
    await mkdir(place, { recursive: true });
    const file = join(place, name);
    // An API server may read the folder meanwhile; it takes no file of this ending.
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
    written.push(file);
  };
  for (const plugin of plugins) await write(plugin.folder, 'olm-guard.yaml', plugin.text ?? '');
  await write(root, 'olm-guard-admission.yaml', writeYaml(configuration));
  return written;
}

/** How many definitions one line names. */
const maxNamed = 3;

/** Why policies of a definition do not cover some of its changes. */
interface NotCovered {
  readonly name: string;
  readonly sentence: string;
}

export function notCoveredLines(found: readonly NotCovered[], definitions: number): string[] {
  return [...groupBy(found, ({ sentence }) => sentence)].map(([sentence, about]) => {
    const names = about.map(({ name }) => name);
    return `${subjectOf(names, definitions)}: not covered: ${sentence}`;
  });
}

function subjectOf(names: readonly string[], definitions: number): string {
  if (names.length === definitions && definitions > 1) return `all ${definitions} definitions`;
  return firstNames(names, maxNamed);
}

interface SyncCommandOptions extends ClusterOptions {
  readonly audit?: boolean;
  readonly denyDeletion?: boolean;
  readonly dryRun?: boolean;
}

export function vapCommand(): Command {
  const sync = new Command('sync').description(
    'update the policies of a cluster to its definitions and what their objects use',
  );
  withFlags(sync, {
    '[definitions...]': 'their names (default: all)',
    ...{ ...flags.kubeconfig(), ...flags.inCluster },
    '--audit': 'warn and audit instead of denying',
    '--deny-deletion': 'deny deleting a definition that has objects, instead of warning',
    '--dry-run': 'let the API server try each write, but store nothing',
  })
    .addHelpText('after', notCoveredHelp)
    .action(run);
  return new Command('vap')
    .description('manage the ValidatingAdmissionPolicies of a cluster')
    .addCommand(sync);
}

async function run(names: string[], options: SyncCommandOptions): Promise<void> {
  const { syncPolicies } = await import('../gate/policy-sync/sync.js');
  const stopMessage = 'was stopped; the same command goes on';
  await withConnection(options, stopMessage, async (connection, signal) => {
    const result = await syncPolicies(connection, {
      names,
      isAudit: options.audit === true,
      deniesDeletion: options.denyDeletion === true,
      isDryRun: options.dryRun === true,
      signal,
    });
    for (const line of notCoveredLines(result.notCovered, result.definitions)) {
      printError(`olm-guard: ${line}`);
    }
    for (const { name, reason } of result.left) {
      printError(`olm-guard: ${name}: its policies stay as they were: ${reason}`);
    }
    const removed = result.removed.map((each) => `removed ${each}\n`).join('');
    await print(
      `${removed}${plural(result.definitions, 'definition')}: ${result.written} policies and bindings written\n`,
    );
    process.exitCode = result.left.length > 0 ? 1 : 0;
  });
}
