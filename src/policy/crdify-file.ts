/** `crdify.yaml`, read as crdify reads it: what to enforce by which of its validations. */
import {
  type InvalidInputError,
  invalidInput,
  isObject,
  own,
  parseDocuments,
  type JsonObject,
  type JsonValue,
  type Path,
} from '../text/documents/index.js';
import { propertyRulesOf } from '../upgrade/index.js';
import { didYouMean } from '../text/nearest.js';
import type { Mode, Policy } from './policy.js';

const modeOf: ReadonlyMap<JsonValue | undefined, Mode> = new Map([
  ['Error', 'deny'],
  ['Warn', 'warn'],
  ['None', 'audit'],
]);

const validations = [
  ...['scope', 'existingFieldRemoval', 'storedVersionRemoval'],
  ...propertyRulesOf['olm-v1.10'].map(({ id }) => id),
];

/** Options of the validations that have some; left out they disallow, which only for enum is not OLM's default. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  enum: ['additionPolicy'],
  pattern: ['removalPolicy'],
  nullable: ['additionPolicy', 'removalPolicy'],
  oneOf: ['additionPolicy', 'removalPolicy'],
};

/** @throws InvalidInputError `E_YAML` or `E_INPUT`, with file and line, for what crdify does not know either */
export function withCrdifyFile(policy: Policy, text: string, file: string): Policy {
  const [document] = parseDocuments(text, { file, dialect: 'core' });
  const refuse = (path: Path, message: string): InvalidInputError =>
    invalidInput(message, document?.placeOf(path) ?? { file });
  const value = document?.value ?? {};
  if (!isObject(value)) throw refuse([], 'must be a mapping with validations');
  const known = (object: JsonObject, names: readonly string[], path: Path): void => {
    for (const name of Object.keys(object)) {
      if (names.includes(name)) continue;
      throw refuse([...path, name], `there is no field "${name}" here${didYouMean(name, names)}`);
    }
  };
  known(value, ['validations', 'unhandledEnforcement', 'conversion'], []);
  const modes = new Map<string, Mode>();
  const options: Record<string, JsonValue> = { enum: {} };
  const enforce = (name: string, enforcement: JsonValue | undefined, path: Path): void => {
    const mode = modeOf.get(enforcement);
    if (mode === undefined)
      throw refuse(
        path,
        `configuring ${name}: unknown enforcement policy; use Error, Warn or None`,
      );
    modes.set(name, mode);
  };
  const listed = own(value, 'validations') ?? [];
  if (!Array.isArray(listed)) throw refuse(['validations'], 'validations must be a list');
  for (const [index, each] of listed.entries()) {
    const path = ['validations', index];
    if (!isObject(each)) throw refuse(path, 'must be a mapping with name and enforcement');
    known(each, ['name', 'enforcement', 'configuration'], path);
    const name = own(each, 'name');
    if (typeof name !== 'string' || !validations.includes(name)) {
      const meant = typeof name === 'string' ? didYouMean(name, validations) : '';
      throw refuse(
        path,
        `configuring validation ${JSON.stringify(name ?? '')}: unknown validation${meant}`,
      );
    }
    enforce(name, own(each, 'enforcement'), path);
    const configuration = own(each, 'configuration') ?? {};
    if (!isObject(configuration)) throw refuse([...path, 'configuration'], 'must be a mapping');
    known(configuration, optionsOf[name] ?? [], [...path, 'configuration']);
    for (const [option, choice] of Object.entries(configuration)) {
      if (choice === 'Allow' || choice === 'Disallow') continue;
      throw refuse([...path, 'configuration', option], `${option} must be Allow or Disallow`);
    }
    if (name in optionsOf) options[name] = configuration;
  }
  const unhandled = own(value, 'unhandledEnforcement');
  if (unhandled !== undefined) enforce('unhandled', unhandled, ['unhandledEnforcement']);
  const conversion = own(value, 'conversion');
  if (conversion !== undefined && conversion !== 'None')
    throw refuse(
      ['conversion'],
      'conversion can only be None here: served versions are always compared',
    );
  const profile = 'oneOf' in options ? 'olm-v1.10' : 'crdify';
  return { ...policy, profile, crdify: options, modes };
}
