/**
 * What a kubelet would do with a pod, as processes of the test: volumes are folders, sidecars run beside the
 * other containers from their startup probe on, and paths below a mount lead to the volume's folder.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, type Ended } from '../cli/command.js';
import { freePorts, until } from './processes.js';

interface Probe {
  readonly exec: { readonly command: readonly string[] };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly restartPolicy?: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface PodSpec {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly emptyDir?: object;
    readonly configMap?: { readonly name: string };
  }[];
}

export type ConfigMaps = ReadonlyMap<string, Readonly<Record<string, string>>>;

export interface PodOptions {
  readonly configMaps: ConfigMaps;
  /** Of each container that is not olm-guard's. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A pod whose sidecars are there; to be stopped. */
export class PodProcesses {
  readonly #sidecars: { readonly container: Container; readonly child: ChildProcess }[] = [];

  private constructor(
    private readonly spec: PodSpec,
    private readonly options: PodOptions,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(spec: PodSpec, options: PodOptions): Promise<PodProcesses> {
    const [port = 0] = await freePorts(1);
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-pod-'));
    const pod = new PodProcesses(spec, options, folder, port);
    pod.#mount();
    const sidecars = [...(spec.initContainers ?? []), ...spec.containers].filter(isGuard);
    for (const container of sidecars) {
      const child = pod.#spawn(container, [
        ...(container.command ?? []),
        ...(container.args ?? []),
      ]);
      child.resume();
      pod.#sidecars.push({ container, child: child.process });
      await until(`${container.name} to be there`, async () => {
        const probe = container.startupProbe ?? container.livenessProbe;
        return (await pod.probe(container, probe)) === 0 || undefined;
      });
    }
    return pod;
  }

  /** The exit code of a probe. */
  async probe(container: Container, probe: Probe | undefined): Promise<number | null> {
    const [program = '', ...args] = probe?.exec.command ?? [];
    // The only program of the image.
    expect(program).to.equal('node');
    const child = spawn(
      process.execPath,
      args.map((each) => this.#here(each, container)),
    );
    const [code] = (await once(child, 'close')) as [number | null];
    return code;
  }

  /** Runs a container to its end, or a command in it. */
  async run(
    container: Container,
    command = [...(container.command ?? []), ...(container.args ?? [])],
  ): Promise<Ended> {
    return this.#spawn(container, command).ended;
  }

  /** @returns the exit codes of the sidecars */
  async stop(): Promise<(number | null)[]> {
    const codes = this.#sidecars.map(async ({ child }) => {
      const closed = once(child, 'close') as Promise<[number | null]>;
      child.kill('SIGTERM');
      return (await closed)[0];
    });
    const ended = await Promise.all(codes);
    rmSync(this.folder, { recursive: true });
    return ended;
  }

  #mount(): void {
    for (const { name, configMap } of this.spec.volumes ?? []) {
      const volume = join(this.folder, name);
      mkdirSync(volume);
      if (configMap === undefined) continue;
      const data = this.options.configMaps.get(configMap.name);
      if (data === undefined) throw new Error(`there is no ConfigMap ${configMap.name}`);
      for (const [file, text] of Object.entries(data)) {
        writeFileSync(join(volume, file), this.#atPort(text));
      }
    }
  }

  #spawn(container: Container, command: readonly string[]) {
    const [program = '', ...args] = command.map((each) => this.#here(each, container));
    const given = Object.fromEntries(
      (container.env ?? []).map(({ name, value }) => [name, this.#here(value, container)]),
    );
    const { env, cwd = this.folder } = this.options;
    const child = isGuard(container)
      ? spawn(process.execPath, [join(root, 'dist', 'main.js'), program, ...args])
      : spawn(program, args, { cwd, env: { PATH: process.env['PATH'], ...env, ...given } });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    const ended = once(child, 'close').then(([code]) => ({
      code: code as number | null,
      ...output,
    }));
    return { process: child, ended, resume: () => child.stdout.resume() };
  }

  /** The manifests name one port, which on this machine may be taken. */
  #atPort(text: string): string {
    return text.replaceAll('8181', String(this.port));
  }

  /** @throws Error for a path that no volume of the container has */
  #here(word: string, container: Container): string {
    const [, option, value] = /^(--[a-z-]+=)(\/.*)$/.exec(word) ?? [];
    if (option !== undefined && value !== undefined) return option + this.#here(value, container);
    if (!word.startsWith('/')) return this.#atPort(word);
    const { name, volumeMounts = [] } = container;
    const mount = volumeMounts.find(
      ({ mountPath }) => word === mountPath || word.startsWith(`${mountPath}/`),
    );
    if (mount === undefined) throw new Error(`container ${name} has nothing at ${word}`);
    return join(this.folder, mount.name, word.slice(mount.mountPath.length));
  }
}

const isGuard = ({ image }: Container): boolean => /^olm-guard:/.test(image);
