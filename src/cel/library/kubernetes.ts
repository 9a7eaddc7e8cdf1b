/** The CEL of Kubernetes 1.35: k8s.io/apiserver/pkg/cel/environment/base.go. */
import type { Language } from '../language.js';
import { FunctionTable, type CelFunction } from '../overloads.js';
import { kubernetesMacros } from '../syntax/macros.js';
import { listOfType, mapOfType, opaqueType, types, type CelType } from '../types.js';
import { authorizationFunctions } from './authorization.js';
import { conversionFunctions } from './conversions.js';
import { inclusion, kubernetesLists, listFunctions, mapInsertion, sets } from './list-functions.js';
import { formatFunctions, semverFunctions } from './named-formats.js';
import { networkFunctions, urlFunctions } from './network-functions.js';
import { operators } from './operators.js';
import { optionalFunctions } from './optional-functions.js';
import { quantityFunctions } from './quantity.js';
import { regexFunctions, standardStrings, stringFunctions } from './string-functions.js';
import { timeFunctions } from './time-functions.js';

export const standardFunctions: readonly CelFunction[] = [
  ...operators,
  ...conversionFunctions,
  ...standardStrings,
  ...timeFunctions,
];

export const standardTypes: ReadonlyMap<string, CelType> = new Map(
  [
    types.bool,
    types.bytes,
    types.double,
    types.duration,
    types.int,
    listOfType(types.dyn),
    mapOfType(types.dyn, types.dyn),
    types.null,
    types.string,
    types.timestamp,
    types.type,
    types.uint,
  ].map((type) => [type.name, type]),
);

/** By the name under which Kubernetes introduced them. `inclusion` came after 1.35. */
export const kubernetesLibraries = {
  standard: standardFunctions,
  urls: urlFunctions,
  regex: regexFunctions,
  lists: kubernetesLists,
  authorization: authorizationFunctions,
  optionals: optionalFunctions,
  quantities: quantityFunctions,
  strings: stringFunctions,
  sets,
  networks: networkFunctions,
  formats: formatFunctions,
  mapInsertion,
  semver: semverFunctions,
  listExtensions: listFunctions,
  inclusion,
} satisfies Record<string, readonly CelFunction[]>;

export const kubernetes = {
  functions: new FunctionTable(
    Object.values(kubernetesLibraries).filter((library) => library !== inclusion),
  ),
  macros: kubernetesMacros,
  hasOptionals: true,
  types: new Map([
    ...standardTypes,
    ...['optional_type', 'net.IP', 'net.CIDR'].map((name) => [name, opaqueType(name)] as const),
  ]),
  fieldOf: (fields: ReadonlyMap<string, CelType>, name: string) =>
    fields.get(name) ?? fields.get(`__${name}__`),
  checksLiterals: true,
  checksFormats: true,
  foldsLiterals: true,
} satisfies Language;
