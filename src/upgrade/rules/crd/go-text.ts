/**
 * A value as Go's `%v` prints it. A type with a `String` method is printed by that method, unless the
 * value is in a map, or in a list of such values. Of a pointer to a number, a text or a flag the address
 * is printed.
 */
import { fieldName } from './go-change.js';
import type { GoValue } from './go-value.js';

/** Ends the writing of a text that is long enough. */
const enough = Symbol('enough');

/** Stands for an address, which is another one each time. */
const address = '0x…';

/** Prints a value, no longer than `most` characters and an ellipsis. */
export function goText(value: GoValue, most: number): string {
  const printer = new Printer(most);
  try {
    printer.print(value, false);
    return printer.text;
  } catch (error) {
    if (error !== enough) throw error;
    return `${printer.text.slice(0, most)}…`;
  }
}

class Printer {
  text = '';

  constructor(private readonly most: number) {}

  print(value: GoValue, isPlain: boolean): void {
    switch (value.kind) {
      case 'nil':
        this.#write(isPlain ? value.plainly : value.text);
        return;
      case 'leaf':
        this.#write(value.text);
        return;
      case 'bytes':
        this.#write(this.#bytes(value.text, isPlain));
        return;
      case 'pointer':
        if (value.hasMethod || !isPlain) this.#write(value.hasMethod ? '&' : '*');
        if (value.hasMethod || !isPlain) this.print(value.to, false);
        else this.#write(address);
        return;
      case 'list':
        this.#list(value, isPlain || value.type === 'string');
        return;
      case 'struct':
        this.#struct(value, isPlain);
        return;
      case 'map':
        this.#map(value, isPlain);
    }
  }

  #write(part: string): void {
    this.text += part;
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- caught above
    if (this.text.length > this.most) throw enough;
  }

  #bytes(text: string, isPlain: boolean): string {
    const bytes = `[${Buffer.from(text.slice(0, this.most)).join(' ')}]`;
    return isPlain ? bytes : text === '' ? 'nil' : `*${bytes}`;
  }

  #list({ type, items }: GoValue & { kind: 'list' }, isPlain: boolean): void {
    this.#write(isPlain ? '[' : `[]${type}{`);
    items.forEach((item, index) => {
      if (isPlain && index > 0) this.#write(' ');
      this.print(item, isPlain);
      if (!isPlain) this.#write(',');
    });
    this.#write(isPlain ? ']' : '}');
  }

  #struct({ type, members }: GoValue & { kind: 'struct' }, isPlain: boolean): void {
    this.#write(isPlain ? '{' : `${type}{`);
    members.forEach(([key, member], index) => {
      if (isPlain) this.#write(index > 0 ? ' ' : '');
      else this.#write(`${fieldName(key)}:`);
      this.print(member, isPlain);
      if (!isPlain) this.#write(',');
    });
    this.#write('}');
  }

  #map({ type, members }: GoValue & { kind: 'map' }, isPlain: boolean): void {
    this.#write(isPlain ? 'map[' : `${type}{`);
    members.forEach(([key, member], index) => {
      if (isPlain) this.#write(index > 0 ? ' ' : '');
      this.#write(isPlain ? `${key}:` : `${key}: `);
      this.print(member, true);
      if (!isPlain) this.#write(',');
    });
    this.#write(isPlain ? ']' : '}');
  }
}
