/** The texts of findings: a rule lists its messages, and each finding names one with its values. */
import { firstNames } from '../text/shortened.js';
import { quote } from '../text/go/index.js';

/** `{name}` is a place for a value, `"{name}"` for a quoted one; a list of values is joined by commas. */
export type Messages = Readonly<Record<string, string>>;

export type MessageValue = string | number | readonly string[];
export type MessageData = Readonly<Record<string, MessageValue | undefined>>;

type PlacesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlacesIn<Rest>
  : never;

type DataOf<Text extends string> = [PlacesIn<Text>] extends [never]
  ? { readonly data?: MessageData }
  : { readonly data: Readonly<Record<PlacesIn<Text>, MessageValue>> & MessageData };

/** One of the messages, with a value for each of its places. */
export type MessageOf<Of extends Messages> = {
  [Id in keyof Of & string]: { readonly id: Id } & DataOf<Of[Id]>;
}[keyof Of & string];

/** A list names no more values than these. */
const shown = 5;

/** @throws Error for a placeholder without a value */
export function renderMessage(text: string, data: MessageData = {}): string {
  return text.replaceAll(
    /"\{(\w+)\}"|\{(\w+)\}/g,
    (_place, quoted: string | undefined, plain: string) => {
      const name = quoted ?? plain;
      const value = data[name];
      if (value === undefined) throw new Error(`the message "${text}" has no value for ${name}`);
      const list = typeof value === 'object' ? value : [value];
      const values = list.map((each) =>
        quoted === undefined ? String(each) : quote(String(each)),
      );
      return firstNames(values, shown);
    },
  );
}
