/** By UTF-16 code units; `compareBytes` is the order of Go. */
export function compareText(a: string, b: string): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}
