/**
 * Features of CEL that the servers of each minor allow: a new expression may use those of the minor before,
 * a stored one all that the server knows.
 *
 * Source: k8s.io/apiserver/pkg/cel/environment/{base,environment}.go.
 */
import {
  FunctionTable,
  kubernetes,
  kubernetesLibraries,
  type Language,
  twoVariableMacro,
} from '../../cel/index.js';
import environment from './cel-environment.json' with { type: 'json' };
import type { ServerTraits } from './minors.js';

const languages = new Map<string, Language>();

/** @param isStored whether the old definition has the same expression */
export function languageOf(traits: ServerTraits, isStored: boolean): Language {
  const key = `${levelOf(traits, isStored)} ${traits.celGo}`;
  let language = languages.get(key);
  if (language === undefined) {
    languages.set(key, (language = makeLanguage(levelOf(traits, isStored), traits)));
  }
  return language;
}

function levelOf({ celCompatibility }: ServerTraits, isStored: boolean): number {
  return celCompatibility + (isStored ? 1 : 0);
}

/** The minors in which Kubernetes introduced its libraries, where it was after 1.28. */
const { introduced } = environment;

const introducedStrings = new Set(['format', 'strings.quote']);
const ofOptionals23 = new Set(['first', 'last', 'optional.unwrap', 'unwrapOpt']);

const withoutIntDurations = kubernetesLibraries.standard.map((each) =>
  each.name === 'duration'
    ? { ...each, overloads: each.overloads.filter(({ id }) => id !== 'int64_to_duration') }
    : each,
);

function makeLanguage(level: number, traits: ServerTraits): Language {
  const has = (library: keyof typeof introduced): boolean => level >= introduced[library];
  const { knowsFirstAndLast, checksFormatLiterals, mixesThroughoutFormats } = traits;
  const { breaksOverComputedFormats, sharesOptionals, typesSecondOfDyn, optionalType } = traits;
  const { convertsIntToDuration, readsQuotedFields, hidesDottedNames } = traits;
  const libraries = kubernetesLibraries;
  const functions = [
    convertsIntToDuration ? libraries.standard : withoutIntDurations,
    libraries.urls,
    libraries.regex,
    libraries.lists,
    libraries.authorization,
    libraries.optionals.filter(({ name }) => knowsFirstAndLast || !ofOptionals23.has(name)),
    libraries.quantities,
    libraries.strings.filter(({ name }) => has('strings') || !introducedStrings.has(name)),
    has('sets') ? libraries.sets : [],
    has('networks') ? libraries.networks : [],
    has('formats') ? libraries.formats : [],
    has('twoVariables') ? libraries.mapInsertion : [],
    has('semver') ? libraries.semver : [],
    has('lists') ? libraries.listExtensions : [],
    has('includes') ? libraries.inclusion : [],
  ];
  const isKnown = (macro: string): boolean => {
    if (macro === ':sortBy/2') return has('lists');
    return has('twoVariables') || !twoVariableMacro.test(macro);
  };
  return {
    ...kubernetes,
    functions: new FunctionTable(functions),
    macros: new Map([...kubernetes.macros].filter(([name]) => isKnown(name))),
    types: new Map(
      [...kubernetes.types]
        .filter(([name]) => has('networks') || !name.startsWith('net.'))
        .map(([name, type]) => [name === 'optional_type' ? optionalType : name, type]),
    ),
    // Before, fields whose names are keywords were only found by their escaped names.
    fieldOf: has('keywordFields') ? kubernetes.fieldOf : (fields, name) => fields.get(name),
    checksFormats: checksFormatLiterals,
    breaksOverComputedFormats,
    mixesDirectlyInFormats: !mixesThroughoutFormats,
    sharesOptionals,
    typesSecondOfDyn,
    readsQuotedFields,
    hidesDottedNames,
  };
}
