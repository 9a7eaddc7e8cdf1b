/** `olm-guard completion SHELL`: a script that completes commands, options and the values they take. */
import { Argument, Command } from 'commander';
import { print } from './output.js';

/** Words that may follow a command, and values of its options. */
export interface Completions {
  /** Names behind the program's, e.g. `check crd`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly string[];
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const scripts: Readonly<Record<string, (all: readonly Completions[]) => string>> = {
  bash: bashScript,
  zsh: (all) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(all)}`,
  fish: fishScript,
  kubectl: kubectlScript,
};

const install = `
Put it where the shell finds it:
  bash  olm-guard completion bash > ~/.local/share/bash-completion/completions/olm-guard
  zsh   echo 'source <(olm-guard completion zsh)' >> ~/.zshrc
  fish  olm-guard completion fish > ~/.config/fish/completions/olm-guard.fish
As a plugin, beside it on the PATH and executable, for the shell in which kubectl completes:
  kubectl olm-guard completion kubectl > ~/.local/bin/kubectl_complete-olm_guard`;

/** @param everyCommand loads all that the program has */
export function completionCommand(everyCommand: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .description('print a shell script that completes commands, options and values')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', install)
    .action(async (shell: string) => {
      const all = completionsOf(await everyCommand());
      await print(scripts[shell]?.(all) ?? '');
    });
}

function completionsOf(commands: readonly Command[]): Completions[] {
  const below = (command: Command, path: string): Completions[] => [
    {
      path,
      words: [
        ...command.commands.map((each) => each.name()),
        ...command.options.flatMap(({ long }) => long ?? []),
        '--help',
      ],
      values: new Map(
        command.options.flatMap(({ long, short, argChoices }) =>
          [long, short].flatMap((name) =>
            typeof name !== 'string' || argChoices === undefined
              ? []
              : [[name, argChoices] as const],
          ),
        ),
      ),
    },
    ...command.commands.flatMap((each) => below(each, `${path} ${each.name()}`)),
  ];
  const names = commands.map((each) => each.name());
  return [
    { path: '', words: [...names, '--help', '--version'], values: new Map() },
    ...commands.flatMap((each) => below(each, each.name())),
  ];
}

/** Words that are no option's value and no option name the command; files complete where no word does. */
function bashScript(all: readonly Completions[]): string {
  const cases = all.map(({ path, words, values }) => {
    const choices = [...values].map(
      ([option, of]) => `      ${option}) words=${quoted(of.join(' '))} ;;\n`,
    );
    return [
      `    ${quoted(path)})\n      words=${quoted(words.join(' '))}\n`,
      choices.length === 0 ? '' : `      case $previous in\n${choices.join('')}      esac\n`,
      '      ;;\n',
    ].join('');
  });
  const paths = all.map(({ path }) => quoted(path)).filter((path) => path !== "''");
  return `_olm_guard() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path= word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${paths.join('|')}) path=\${path:+$path }$word ;;
    esac
  done
  case $path in
${cases.join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _olm_guard olm-guard kubectl-olm_guard
`;
}

/** The program that kubectl asks: words so far as arguments, a word a line, and a directive of cobra's last. */
function kubectlScript(all: readonly Completions[]): string {
  return `#!/usr/bin/env bash
${bashScript(all)}COMP_WORDS=(olm-guard "$@")
COMP_CWORD=$#
_olm_guard
[ \${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "\${COMPREPLY[@]}"
# Where no word fits, a file does.
echo :0
`;
}

function fishScript(all: readonly Completions[]): string {
  const lines = all.flatMap(({ path, words, values }) => {
    const names = path.split(' ').filter((name) => name !== '');
    const condition =
      names.length === 0
        ? '__fish_use_subcommand'
        : names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
    return words.map((word) => {
      if (!word.startsWith('--')) return `complete -c olm-guard -f -n '${condition}' -a ${word}`;
      const of = values.get(word);
      const choices = of === undefined ? '' : ` -x -a ${quoted(of.join(' '))}`;
      return `complete -c olm-guard -n '${condition}' -l ${word.slice(2)}${choices}`;
    });
  });
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text}'`;
}
