/** Defines `thresher completion SHELL`, which prints the shell script that completes commands, options and values. */
import { Argument, type Command } from "commander";
import { EXIT } from "../../outcome.js";
import type { Io } from "../io.js";
import { formatBash } from "./bash.js";
import { describeCommands } from "./describe.js";
import { formatFish } from "./fish.js";
import { formatZsh } from "./zsh.js";

const SHELLS = { bash: formatBash, zsh: formatZsh, fish: formatFish } as const;
type Shell = keyof typeof SHELLS;

const NOTES = `
How to install it:
  source <(thresher completion bash)                                       in ~/.bashrc
  source <(thresher completion zsh)                                        in ~/.zshrc, after compinit
  thresher completion fish > ~/.config/fish/completions/thresher.fish
`;

export function addCompletionCommand(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command("completion")
    .summary("print the script that completes commands and options in a shell")
    .description("Prints the script that completes commands, options and their values in a shell.")
    .usage("bash|zsh|fish")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SHELLS)))
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", NOTES)
    // commander has checked the choices.
    .action((shell: Shell) => {
      io.stdout.write(SHELLS[shell](describeCommands(program)));
      finish(EXIT.done);
    });
}
