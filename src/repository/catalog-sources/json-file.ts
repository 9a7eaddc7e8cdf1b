/** Reads a file of JSON objects piece by piece into a catalog. */
import type { FileHandle } from 'node:fs/promises';
import { type CatalogBuilder, type Meta, readMeta } from '../../olm/index.js';
import {
  defaultLimits,
  InvalidInputError,
  parseJson,
  type JsonValue,
} from '../../text/documents/index.js';
import {
  JsonCutter,
  type JsonSlice,
  LineSplitter,
  type Piece,
} from '../../text/documents/json-cutter.js';

/** How much of one object is held in memory at once. */
const objectLimits = { ...defaultLimits, maxBytes: 64 * 1024 * 1024 };
const chunkBytes = 1024 * 1024;

/** `stopped`: behind at most one object it may be YAML after all, so the reader must start anew. */
export type JsonFileResult = 'done' | 'stopped';

export interface JsonStreamOptions {
  readonly file: string;
  readonly onBytes?: (bytes: number) => void;
}

/** Reads in constant memory. @throws InvalidInputError where no JSON object follows behind more than one */
export async function addJsonStream(
  builder: CatalogBuilder,
  chunks: AsyncIterable<Buffer>,
  { file, onBytes }: JsonStreamOptions,
): Promise<JsonFileResult> {
  const adder = new ObjectAdder(builder, file);
  const splitter = new LineSplitter(objectLimits.maxBytes);
  try {
    for await (const chunk of chunks) {
      for (const piece of splitter.push(chunk)) if (!adder.addPiece(piece)) return 'stopped';
      onBytes?.(chunk.length);
    }
    const rest = splitter.finish();
    if (rest !== undefined && !adder.addPiece(rest)) return 'stopped';
    return adder.finish() ? 'done' : 'stopped';
  } catch (error) {
    throw error instanceof InvalidInputError ? error.at({ file }) : error;
  }
}

class ObjectAdder {
  /** The first objects wait until it is certain that this is JSON. */
  private readonly waiting: { meta: Meta; line: number }[] = [];
  private count = 0;
  /** Set while pieces do not parse on their own: objects that are cut elsewhere than at lines. */
  private cutter: JsonCutter | undefined;

  constructor(
    private readonly builder: CatalogBuilder,
    private readonly file: string,
  ) {}

  /** False when this is no JSON stream after all. */
  addPiece(piece: Piece): boolean {
    if (this.cutter === undefined) {
      const value = parseWhole(piece.bytes);
      if (value !== undefined) return this.addValue(value, piece.line);
      this.cutter = new JsonCutter({ ...objectLimits, line: piece.line });
    }
    return this.cutter.push(piece.bytes).every((slice) => this.addSlice(slice));
  }

  finish(): boolean {
    const rest = this.cutter?.finish();
    if (rest !== undefined && !this.addSlice(rest)) return false;
    this.flush();
    return true;
  }

  private addSlice(slice: JsonSlice): boolean {
    let value: JsonValue;
    try {
      value = parse(slice, this.file);
    } catch (error) {
      if (this.count <= 1 && !(error instanceof InvalidInputError && error.code === 'E_LIMIT'))
        return false;
      throw error;
    }
    return this.addValue(value, slice.line);
  }

  private addValue(value: JsonValue, line: number): boolean {
    const place = { file: this.file, line };
    let meta: Meta;
    try {
      meta = readMeta(value);
    } catch (error) {
      if (this.count <= 1) return false;
      throw error instanceof InvalidInputError ? error.at(place) : error;
    }
    this.count++;
    if (this.count > 2) {
      this.builder.add(meta, place);
    } else {
      this.waiting.push({ meta, line });
      if (this.count === 2) this.flush();
    }
    return true;
  }

  private flush(): void {
    for (const { meta, line } of this.waiting.splice(0)) {
      this.builder.add(meta, { file: this.file, line });
    }
  }
}

/** The same buffer again and again: what is needed longer is copied by the splitter. */
export async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Undefined for what is not one whole value. Numbers of a catalog are doubles to the reference. */
function parseWhole(bytes: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(bytes.toString('utf8')) as JsonValue;
  } catch {
    return undefined;
  }
}

function parse({ text, line }: JsonSlice, file: string): JsonValue {
  try {
    return parseJson(text, { ...objectLimits, file });
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const { where } = error;
    throw new InvalidInputError(error.code, error.message, {
      ...where,
      file,
      line: line + (where.line ?? 1) - 1,
    });
  }
}
