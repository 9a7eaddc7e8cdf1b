/** Findings for a reader who may not learn of other objects than the one under review. */
import { olmRules } from '../../olm/index.js';
import type { Finding } from '../../rule/index.js';
import { metaOf, own, type JsonObject } from '../../text/documents/index.js';
import { objectAt, objectsAt, textAt, textsAt } from '../../text/documents/fields.js';
import { firstNames } from '../../text/shortened.js';
import { withholdDetails } from './disclosure.js';

interface Withheld {
  readonly why: string;
  /** Under review. */
  readonly object: JsonObject;
  readonly fix: string;
}

/** All else is a sentence that names no other object. @param withhold why, by the rule that looked at them */
export async function withholdNames(
  findings: readonly Finding[],
  shown: readonly Finding[],
  withhold: (rule: string) => Promise<Withheld>,
): Promise<(finding: Finding) => Finding> {
  const texts = new Set(shown.map(textOf));
  const hidden = new Set(findings.map(textOf).filter((text) => !texts.has(text)));
  const withheld = new Map<string, Withheld>();
  for (const { rule } of findings.filter((each) => hidden.has(textOf(each)))) {
    if (!withheld.has(rule)) withheld.set(rule, await withhold(rule));
  }
  return (finding) => {
    const words = hidden.has(textOf(finding)) ? withheld.get(finding.rule) : undefined;
    return words === undefined ? finding : withoutNames(finding, words);
  };
}

/** A message is worth less where the severity is. */
export function textOf({ rule, path, message, severity }: Finding): string {
  return JSON.stringify([rule, path, message, severity]);
}

/** One whole sentence about the object, then what its author knows of it, then why no other one is named. */
function withoutNames(finding: Finding, { why, fix, object }: Withheld): Finding {
  const named = [...new Set([finding.rule, finding.foundBy ?? finding.rule])];
  const rules = named.map((name) => olmRules.find(({ id }) => id === name));
  const sentences = rules.map(
    (rule, index) =>
      rule?.withoutNames ??
      `it is against a rule: ${(rule?.checks ?? named[index] ?? '').replace(/\.$/, '')}`,
  );
  const message = [sentences.join(': '), ...ownFacts(object)].join('. ');
  // `instead` is written for every cluster, so it names no object of this one.
  const remedy = rules.at(-1)?.instead.replace(/\.$/, '') ?? [];
  return {
    ...withholdDetails(finding, `${message}. No other object is named: ${why}; ${fix}`),
    fix: [remedy, fix].flat().join('; '),
  };
}

/** The parts of an object that such findings are about. */
function ownFacts(object: JsonObject): string[] {
  const listed = (values: readonly string[]): string => firstNames(values, 5);
  switch (own(object, 'kind')) {
    case 'OperatorGroup': {
      const targets = textsAt(object, 'spec', 'targetNamespaces');
      const apis = metaOf(object).annotation('olm.providedAPIs') ?? '';
      const others = objectAt(object, 'spec', 'selector')
        ? 'what its selector matches'
        : 'all namespaces';
      return [
        `It targets ${targets.length > 0 ? listed(targets) : others}`,
        ...(apis === '' ? [] : [`It provides ${listed(apis.split(','))}`]),
      ];
    }
    case 'ClusterServiceVersion': {
      const owned = objectsAt(object, 'spec', 'customresourcedefinitions', 'owned');
      const names = owned.flatMap((each) => textAt(each, 'name') ?? []);
      return names.length === 0 ? [] : [`It owns ${listed(names)}`];
    }
    default:
      return [];
  }
}
