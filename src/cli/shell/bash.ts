/** Writes the completion script for bash. It needs no other package. */
import type { CommandFacts, Value } from "./describe.js";

const HEAD = `_thresher() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=clean
  COMPREPLY=()
  # "--focus=recall" is three words.
  if [[ $cur == "=" ]]; then cur=
  elif [[ $prev == "=" ]] && (( COMP_CWORD > 2 )); then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
`;

/** Returns the script. Without a command, `clean` is meant, and the first word may be an input or a command. */
export function formatBash(commands: readonly CommandFacts[]): string {
  const names = commands.map(({ name }) => name);
  return `${HEAD}  if (( COMP_CWORD > 1 )); then
    case \${COMP_WORDS[1]} in ${names.join("|")}) command=\${COMP_WORDS[1]} ;; esac
  fi
  case $command:$prev in
${commands.flatMap(formatOptions).join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case $command in
${commands.map(formatNames).join("\n")}
    esac
    (( COMP_CWORD == 1 )) && COMPREPLY+=($(compgen -W "-V --version" -- "$cur"))
    return
  fi
  (( COMP_CWORD == 1 )) && COMPREPLY=($(compgen -W "${names.join(" ")}" -- "$cur"))
  case $command in
${commands.map(({ name, argument }) => `    ${name}) ${complete(argument)} ;;`).join("\n")}
  esac
}
_thresher_files() {
  local file
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$1")
}
complete -F _thresher thresher
`;
}

function formatOptions({ name: command, options }: CommandFacts): string[] {
  return options
    .filter(({ value }) => value.kind !== "none")
    .map(({ names, value }) => {
      const patterns = names.map((name) => `${command}:${name}`).join("|");
      return `    ${patterns}) ${complete(value)}; return ;;`;
    });
}

function formatNames({ name, options }: CommandFacts): string {
  const names = options.flatMap((option) => option.names).join(" ");
  return `      ${name}) COMPREPLY=($(compgen -W "${names}" -- "$cur")) ;;`;
}

function complete(value: Value): string {
  if (value.kind === "choices") return `COMPREPLY+=($(compgen -W "${value.choices.join(" ")}" -- "$cur"))`;
  if (value.kind === "steps") {
    const steps = `COMPREPLY+=($(compgen -W "${value.names.join(" ")}" -- "$cur"))`;
    return `if (( COMP_CWORD == 2 )); then ${steps}; else _thresher_files "$cur"; fi`;
  }
  return value.kind === "path" ? '_thresher_files "$cur"' : ":";
}
