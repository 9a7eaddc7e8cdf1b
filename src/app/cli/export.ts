/** `olm-guard export vap`: the gate's simplest questions as ValidatingAdmissionPolicies, which need no webhook. */
import { Argument, Command, Option } from 'commander';
import { readDefinition, type SchemaNode } from '../../kubernetes/index.js';
import {
  InvalidInputError,
  isObject,
  own,
  stringifyJson,
  writeYaml,
  type JsonObject,
} from '../../text/documents/index.js';
import { append } from '../../text/long-lists.js';
import { streamObjects } from '../../text/documents/object-stream.js';
import { addUse, definitionOf, type FoundCrd, type Need, policyOf } from '../../upgrade/index.js';
import { readDefinitions } from './options/crd-source.js';
import { formOf, print, printError } from './output.js';

interface Options {
  readonly objects?: string;
  readonly audit?: boolean;
  readonly denyDeletion?: boolean;
  readonly output: 'yaml' | 'json';
}

export function exportCommand(): Command {
  const vap = new Command('vap')
    .description('ValidatingAdmissionPolicies that refuse what breaks the objects of a definition')
    .addArgument(new Argument('<definitions>', 'file, folder, chart, git:REF:path or -'))
    .option('--objects <source>', 'pin only what these use: file or folder')
    .option('--audit', 'warn and audit instead of denying')
    .option('--deny-deletion', 'deny what deletes a definition with its objects, not only warn')
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices(['yaml', 'json']).default('yaml'),
    )
    .addHelpText(
      'after',
      '\nStandard error lists what the policies do not cover.\nExit code: 0 made, 2 bad input.',
    )
    .action(async (source: string, options: Options) => {
      const { crds } = await readDefinitions(source);
      if (crds.size === 0) {
        throw new InvalidInputError('E_INPUT', `${source} holds no CustomResourceDefinition`);
      }
      const uses = options.objects === undefined ? undefined : await useOf(options.objects, crds);
      const objects: JsonObject[] = [];
      for (const [name, { crd }] of crds) {
        const exported = policyOf(crd, {
          use: uses && (uses.get(name) ?? new Map()),
          isAudit: options.audit === true,
          deniesDeletion: options.denyDeletion === true,
        });
        append(objects, exported.objects);
        for (const sentence of exported.notCovered) {
          printError(`olm-guard: ${name}: not covered: ${sentence}`);
        }
      }
      const text =
        options.output === 'json'
          ? `${stringifyJson({ apiVersion: 'v1', kind: 'List', items: objects }, 2)}\n`
          : objects.map((object) => writeYaml(object)).join('---\n');
      await print(text, formOf(options.output));
    });
  return new Command('export')
    .description('write the rules of the gate for other admission control')
    .addCommand(vap);
}

type Uses = Map<string, Map<string, Map<string, Need>>>;

/** By the definition and the version of the objects. */
async function useOf(source: string, crds: ReadonlyMap<string, FoundCrd>): Promise<Uses> {
  const uses: Uses = new Map();
  const schemas = new Map<string, SchemaNode>();
  for await (const objects of streamObjects(source)) {
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
      const schema = schemas.get(key) ?? readDefinition(crd, version).schema;
      schemas.set(key, schema);
      addUse(object, schema, needs);
      uses.set(name, versions.set(version, needs));
    }
  }
  return uses;
}
