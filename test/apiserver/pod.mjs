/**
 * Loaded into a process before anything else (`--import`): it finds what one in a pod finds. The files of
 * its service account are in the folder POD_FOLDER, and the names of Services lead to this machine.
 */
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';

const mounted = '/var/run/secrets/kubernetes.io/serviceaccount/';
const here = (file) =>
  typeof file === 'string' && file.startsWith(mounted)
    ? join(process.env['POD_FOLDER'], basename(file))
    : file;

const { lookup } = dns;
const { readFileSync } = fs;
fs.readFileSync = (file, ...rest) => readFileSync(here(file), ...rest);
dns.lookup = (name, ...rest) => lookup(name.endsWith('.svc') ? '127.0.0.1' : name, ...rest);
syncBuiltinESMExports();
