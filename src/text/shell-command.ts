/** Commands that we print for a person to run: names in them come from files, catalogs and clusters. */
import { invalidInput } from './documents/index.js';

/** Every option of the commands that we print; anything else that begins with a dash is user input. */
const options =
  /^(?:-|-[Rfknop]|--(?:against|all-namespaces|catalog|channel|context|from|kube-context|kubeconfig|kubernetes|leaving|network|objects|policy|server-side|state|subscribe|type)|--(?:for|timeout)=.*)$/s;

/** For a shell and as arguments. @throws InvalidInputError for a word that would be taken for an option */
export function shellCommand(...words: readonly string[]): string {
  return words
    .map((word: string): string => {
      if (word.startsWith('-') && !options.test(word)) {
        const message = `${JSON.stringify(word)} begins with "-": a command with it would take it for an option; name it otherwise`;
        throw invalidInput(message);
      }
      return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
    })
    .join(' ');
}

/** In the working directory. @throws InvalidInputError for a name that would lead elsewhere */
export function fileNamedAfter(name: string): string {
  if (/^[a-z0-9][a-z0-9.-]*$/.test(name)) return `${name}.yaml`;
  const message = `${JSON.stringify(name)} is no name of a CustomResourceDefinition: lower case letters, digits, "-" and "."`;
  throw invalidInput(message);
}
