/** `12,345` */
export function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}

/** `1 step`, `2 steps` */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
