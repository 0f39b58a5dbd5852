/** Writes the completion script for zsh: a file `_thresher` on the fpath, or a script to source after `compinit`. */
import type { CommandFacts, OptionFacts, Value } from "./describe.js";

export function formatZsh(commands: readonly CommandFacts[]): string {
  const names = commands.map(({ name }) => name);
  return `#compdef thresher
_thresher() {
  local command=clean
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe -t commands command commands
  elif (( CURRENT > 2 )) && [[ $words[2] == (${names.join("|")}) ]]; then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  fi
  case $command in
${commands.map(formatCommand).join("\n")}
  esac
}
if [[ $funcstack[1] == _thresher ]]; then _thresher "$@"; else compdef _thresher thresher; fi
`;
}

function formatCommand({ name, options, argument }: CommandFacts): string {
  const version =
    name === "clean" ? [quote("(- *)"), "{-V,--version}", quote("[print the version]")].join("") : "";
  const specs = [...options.map(formatOption), ...(version === "" ? [] : [version])];
  const steps = argument.kind === "steps" ? [quote(`1:step:(${argument.names.join(" ")})`)] : [];
  const rest = argument.kind === "none" ? [] : [...steps, quote(`*:${name}:${act(argument)}`)];
  return `    ${name})\n      _arguments -S \\\n${[...specs, ...rest].map((spec) => `        ${spec}`).join(" \\\n")}\n      ;;`;
}

/** Formats "--focus=[where the cut is]:value:(precision balanced recall)"; the star lets an option be repeated. */
function formatOption({ names, says, value }: OptionFacts): string {
  const told = `[${says.replace(/[\\[\]:]/g, "\\$&")}]`;
  const isLong = (name: string): boolean => name.startsWith("--");
  const words = names.map((name) => (value.kind === "none" ? name : `${name}${isLong(name) ? "=" : "+"}`));
  const action = value.kind === "none" ? "" : `:value:${act(value)}`;
  const [only = ""] = words;
  if (words.length === 1) return quote(`*${only}${told}${action}`);
  return `"*"{${words.join(",")}}${quote(`${told}${action}`)}`;
}

function act(value: Value): string {
  if (value.kind === "choices") return `(${value.choices.join(" ")})`;
  return value.kind === "path" || value.kind === "steps" ? "_files" : " ";
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
