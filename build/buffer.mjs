// The Buffer of Node, for browsers; esbuild puts it where it is used.
export { Buffer } from 'buffer/';
