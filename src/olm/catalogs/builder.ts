/** Collects the objects of a catalog as they are read. Rule: `fbcBuilder` of operator-registry's declcfg. */
import {
  type Document,
  InvalidInputError,
  isObject,
  NumberText,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import {
  type BlobProblem,
  type BundleInstallation,
  type Catalog,
  type CatalogBundle,
  type CatalogChannel,
  type CatalogDeprecation,
  type CatalogPackage,
  type ChannelEntry,
  channelHeads,
  type ObjectPlace,
  type OtherObject,
  type Property,
} from './catalog.js';
import { blobProblems, type Meta, valueOf } from './blob-schema.js';
import { imageReferenceProblem } from '../../text/formats/image-reference.js';
import { lifecycleSchema } from './lifecycle.js';
import { invalid } from './model.js';
import {
  bundleObjectProblem,
  carriedCsvSpec,
  packageProperties,
  propertyProblem,
  skipRangeAnnotation,
  textField,
} from './properties.js';
import { bundleShape, channelShape, deprecationShape, packageShape } from './shapes.js';
import { type Shape, encodeJson, field, mismatch, quote } from '../../text/go/index.js';

type Kept = 'all' | 'graph' | ReadonlySet<string>;

export interface LoadOptions {
  /**
   * `graph` leaves out bulky values and other objects' bodies once checked: nine tenths of a catalog. A
   * set keeps them for these packages alone.
   */
  readonly keep?: Kept;
}

/** The detail of an error that has the kind of an object which is none of a catalog; empty for none. */
export const ofNoSchema = 'ofNoSchema';

/** Bulky properties that are dropped, each replaced by one object for all. */
const bulky: ReadonlyMap<string, Property> = new Map(
  ['olm.bundle.object', 'olm.csv.metadata'].map((type) => [type, { type, value: undefined }]),
);

/** Finding a place in the text takes time, and a channel may have thousands of heads. */
const headsPlaced = 100;

export class CatalogBuilder {
  private readonly packages: CatalogPackage[] = [];
  private readonly channels: CatalogChannel[] = [];
  private readonly bundles: CatalogBundle[] = [];
  private readonly deprecations: CatalogDeprecation[] = [];
  private readonly others: OtherObject[] = [];
  private readonly blobProblems: BlobProblem[] = [];
  private readonly keep: Kept;
  /** Types and packages repeat from object to object: one copy of each keeps large catalogs small. */
  private readonly names = new Map<string, string>();
  private readonly installations = new Map<string, BundleInstallation>();

  constructor(options: LoadOptions = {}) {
    this.keep = options.keep ?? 'all';
  }

  /** @throws InvalidInputError `E_CATALOG` in the reference's words, with the object's place. */
  add(meta: Meta, place: ObjectPlace, placeOf?: Document['placeOf']): void {
    switch (meta.schema) {
      case 'olm.package':
        this.packages.push(this.readPackage(meta.object, place));
        break;
      case 'olm.channel':
        this.channels.push(this.readChannel(meta.object, place, placeOf));
        break;
      case 'olm.bundle':
        this.bundles.push(this.readBundle(meta.object, place));
        break;
      case 'olm.deprecations':
        this.deprecations.push(this.readDeprecation(meta.object, place));
        break;
      case '': {
        const blob = meta.empty === true ? '' : `${encodeJson(meta.object)}\n`;
        const message = `object '${blob}' is missing root schema field`;
        const details = { [ofNoSchema]: textField(meta.object, 'kind') };
        throw new InvalidInputError('E_CATALOG', message, place, details);
      }
      default:
        this.others.push({
          schema: meta.schema,
          package: meta.package,
          name: meta.name,
          value: this.keep === 'all' || meta.schema === lifecycleSchema ? meta.object : undefined,
          place,
        });
    }
    const { schema, name } = meta;
    for (const problem of blobProblems(meta)) {
      this.blobProblems.push({ schema, name, problem, place });
    }
  }

  build(): Catalog {
    const { packages, channels, bundles, deprecations, others, blobProblems: found } = this;
    return {
      packages,
      channels,
      bundles,
      deprecations,
      others,
      ...(found.length > 0 && { blobProblems: found }),
    };
  }

  private readPackage(object: JsonObject, place: ObjectPlace): CatalogPackage {
    demand(object, packageShape, 'parse package', place);
    const icon = field(object, 'icon');
    return {
      name: textField(object, 'name'),
      defaultChannel: textField(object, 'defaultChannel'),
      description: textField(object, 'description'),
      ...(isObject(icon) && {
        icon: {
          base64data: textField(icon, 'base64data'),
          mediatype: textField(icon, 'mediatype'),
        },
      }),
      place,
    };
  }

  private readChannel(
    object: JsonObject,
    place: ObjectPlace,
    placeOf?: Document['placeOf'],
  ): CatalogChannel {
    demand(object, channelShape, 'parse channel', place);
    const entries = items(object, 'entries').map(readEntry);
    const heads = channelHeads(entries);
    return {
      package: this.name(object, 'package'),
      name: textField(object, 'name'),
      entries,
      place,
      ...(heads.length > 1 &&
        placeOf !== undefined && {
          headPlaces: new Map(
            heads
              .slice(0, headsPlaced)
              .map((head) => [head.name, placeOf(['entries', entries.indexOf(head)])]),
          ),
        }),
    };
  }

  private readBundle(object: JsonObject, place: ObjectPlace): CatalogBundle {
    demand(object, bundleShape, 'parse bundle', place);
    const packageName = this.name(object, 'package');
    const name = textField(object, 'name');
    const properties = this.properties(object, packageName);
    const objectProblem = bundleObjectProblem(properties);
    if (objectProblem !== undefined) {
      throw invalid(
        `read bundle objects: package ${quote(packageName)}, bundle ${quote(name)}: ${objectProblem}`,
        place,
      );
    }
    const problem = propertyProblem(properties);
    const annotated = skipRangeAnnotation(properties);
    const { relatedImages, relatedImageProblem } = this.relatedImages(object);
    return {
      package: packageName,
      name,
      image: textField(object, 'image'),
      properties: this.keepsAllOf(packageName)
        ? properties
        : properties.map((each) => bulky.get(each.type) ?? each),
      relatedImages,
      relatedImageProblem,
      packageProperties: problem === undefined ? packageProperties(properties) : [],
      propertyProblem: problem,
      objectCount: properties.filter(({ type }) => type === 'olm.bundle.object').length,
      skipRangeAnnotation: annotated,
      installation: this.installation(properties),
      place,
    };
  }

  private readDeprecation(object: JsonObject, place: ObjectPlace): CatalogDeprecation {
    demand(object, deprecationShape, 'parse deprecation', place);
    return {
      package: this.name(object, 'package'),
      entries: items(object, 'entries').map((entry) => {
        const reference = isObject(entry) ? field(entry, 'reference') : undefined;
        return {
          schema: textField(reference, 'schema'),
          name: textField(reference, 'name'),
          message: textField(entry, 'message'),
        };
      }),
      place,
    };
  }

  private relatedImages(
    object: JsonObject,
  ): Pick<CatalogBundle, 'relatedImages' | 'relatedImageProblem'> {
    const related = items(object, 'relatedImages');
    for (const [index, item] of related.entries()) {
      const image = textField(item, 'image');
      const problem = image === '' ? undefined : imageReferenceProblem(image);
      if (problem === undefined) continue;
      const relatedImageProblem = `relatedImages[${index}].image: invalid image pull spec ${quote(image)}: ${problem}`;
      return { relatedImages: [], relatedImageProblem };
    }
    const kept = this.keep === 'all' ? related : [];
    return {
      relatedImages: kept.map((item) => ({
        name: textField(item, 'name'),
        image: textField(item, 'image'),
      })),
    };
  }

  private keepsAllOf(packageName: string | undefined): boolean {
    return typeof this.keep === 'string'
      ? this.keep === 'all'
      : packageName !== undefined && this.keep.has(packageName);
  }

  private properties(object: JsonObject, packageName: string): Property[] {
    return items(object, 'properties').map((property) => {
      const type = this.name(property, 'type');
      const value = isObject(property) ? valueOf(property) : undefined;
      // A dropped property is checked by its shape alone, whatever its numbers look like.
      const isKept = !bulky.has(type) || this.keepsAllOf(packageName);
      return { type, value: isKept && value !== undefined ? doubles(value) : value };
    });
  }

  /** Few are different: one copy of each is kept. */
  private installation(properties: readonly Property[]): BundleInstallation | undefined {
    const metadata =
      properties.find(({ type }) => type === 'olm.csv.metadata')?.value ??
      carriedCsvSpec(properties);
    if (metadata === undefined) return undefined;
    const modes = items(metadata, 'installModes').flatMap((mode) =>
      isObject(mode) && field(mode, 'supported') === true ? [textField(mode, 'type')] : [],
    );
    const services = isObject(metadata) ? field(metadata, 'apiServiceDefinitions') : undefined;
    const ownsApiServices = items(services ?? null, 'owned').length > 0;
    const minKubeVersion = textField(metadata, 'minKubeVersion');
    const key = [ownsApiServices, minKubeVersion, ...modes].join(' ');
    const known = this.installations.get(key) ?? {
      ...{ modes, ownsApiServices },
      ...(minKubeVersion !== '' && { minKubeVersion }),
    };
    this.installations.set(key, known);
    return known;
  }

  private name(value: JsonValue | undefined, key: string): string {
    return this.intern(textField(value, key));
  }

  private intern(text: string): string {
    if (text === '') return '';
    const known = this.names.get(text);
    if (known !== undefined) return known;
    this.names.set(text, text);
    return text;
  }
}

function readEntry(entry: JsonValue): ChannelEntry {
  return {
    name: textField(entry, 'name'),
    replaces: textField(entry, 'replaces'),
    skips: items(entry, 'skips').map((item) => (typeof item === 'string' ? item : '')),
    skipRange: textField(entry, 'skipRange'),
  };
}

function demand(object: JsonObject, shape: Shape, action: string, place: ObjectPlace): void {
  const problem = mismatch(object, shape);
  if (problem !== undefined) throw invalid(`${action}: ${problem}`, place);
}

function items(object: JsonValue, key: string): JsonValue[] {
  const value = isObject(object) ? field(object, key) : undefined;
  return Array.isArray(value) ? value : [];
}

/** Numbers are doubles, as the reference keeps them: 4.20 becomes 4.2. Changes the value in place. */
function doubles(root: JsonValue): JsonValue {
  if (root instanceof NumberText) return root.value;
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null || value instanceof NumberText) continue;
    const parent = value as Record<string | number, JsonValue>;
    const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
    for (const key of keys) {
      const item = parent[key];
      if (item instanceof NumberText) parent[key] = item.value;
      else if (typeof item === 'object' && item !== null) open.push(item);
    }
  }
  return root;
}
