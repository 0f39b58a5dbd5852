/** Writes the completion script for fish. */
import type { CommandFacts, OptionFacts, Value } from "./describe.js";

export function formatFish(commands: readonly CommandFacts[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const lines = commands.flatMap((command) => [
    `complete -c thresher -n __thresher_first -a ${command.name} -d ${quote(command.summary)}`,
    ...formatArgument(command),
    ...command.options.map((option) => formatOption(command.name, option)),
  ]);
  return `function __thresher_command
    set -l words (commandline -opc)
    if set -q words[2]; and contains -- $words[2] ${names}
        echo $words[2]
    else
        echo clean
    end
end
function __thresher_in
    test (__thresher_command) = $argv[1]
end
function __thresher_first
    test (count (commandline -opc)) -eq 1
end
complete -c thresher -e
complete -c thresher -n __thresher_first -s V -l version -d 'print the version'
${lines.join("\n")}
`;
}

function formatArgument({ name, argument }: CommandFacts): string[] {
  if (argument.kind === "path") return [];
  if (argument.kind === "steps") {
    const isFirst = `__thresher_in ${name}; and test (count (commandline -opc)) -eq 2`;
    return [`complete -c thresher -n '${isFirst}' -f -a ${quote(argument.names.join(" "))}`];
  }
  const only = `complete -c thresher -n '__thresher_in ${name}' -f`;
  return [argument.kind === "choices" ? `${only} -a ${quote(argument.choices.join(" "))}` : only];
}

function formatOption(command: string, { names, says, value }: OptionFacts): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return `complete -c thresher -n '__thresher_in ${command}' ${flags.join(" ")}${take(value)} -d ${quote(says)}`;
}

function take(value: Value): string {
  if (value.kind === "choices") return ` -x -a ${quote(value.choices.join(" "))}`;
  if (value.kind === "none") return "";
  return value.kind === "path" ? " -r -F" : " -x";
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
