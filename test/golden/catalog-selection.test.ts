/** Which catalogs OLM v1 looks into for a ClusterExtension, and what it chooses there. */
import { expect } from 'chai';
import { loadCatalog } from '../../src/olm/catalogs/load.js';
import { outcomeOf, type ExtensionOutcome } from '../../src/olm/objects/extension-outcome.js';
import { IndexedView } from '../../src/olm/objects/indexed-view.js';
import { metaOf, type JsonObject } from '../../src/text/documents/index.js';
import { goldenRows } from './golden.js';

interface Question {
  readonly extension: JsonObject;
  readonly catalogs: readonly {
    readonly object: JsonObject;
    readonly files: Readonly<Record<string, string>>;
    /** Known here, and not on the cluster. */
    readonly isAbsent?: true;
  }[];
  readonly installed?: JsonObject;
}

function outcomeOfRow({ extension, catalogs, installed }: Question): ExtensionOutcome | undefined {
  const there = catalogs.filter(({ isAbsent }) => isAbsent !== true);
  const knownCatalogs = catalogs.map(({ object, files }) => ({
    name: metaOf(object).name,
    priority: 0,
    catalog: loadCatalog(
      Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) })),
    ).catalog,
  }));
  const settings = {
    globalCatalogNamespace: null,
    kubernetesVersion: null,
    unknownKinds: new Set<string>(),
    knownCatalogs,
  };
  const view = new IndexedView(
    settings,
    there.map(({ object }) => object),
  );
  const status: JsonObject = installed === undefined ? {} : { install: { bundle: installed } };
  return outcomeOf({ object: { ...extension, status }, oldObject: null, view });
}

function answerOf({ outcome }: ExtensionOutcome): JsonObject {
  return outcome.kind === 'resolved'
    ? { error: null, bundle: outcome.resolution.chosen.name }
    : { error: outcome.message };
}

describe('golden: catalogs-olm-v1', () => {
  for (const row of goldenRows('catalogs-olm-v1')) {
    const question = row['input'] as unknown as Question;

    it(row.id, () => {
      const found = outcomeOfRow(question);
      if (question.catalogs.length === 0) {
        // Nobody told what there is to choose from: nothing is said.
        expect(found).to.equal(undefined);
      } else if (found !== undefined && found.assumed.length > 0) {
        // Of a catalog that is not on the cluster, what would be chosen is told with that reserve.
        expect(question.catalogs.some(({ isAbsent }) => isAbsent)).to.equal(true);
        expect(found.assumed.join()).to.match(/there will be a ClusterCatalog/);
      } else if (found !== undefined) {
        expect(answerOf(found)).to.deep.equal(row['expect']);
      } else {
        expect.fail('nothing is said');
      }
    });
  }
});
