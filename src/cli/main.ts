/** Finds the command that argv names, runs it, and turns errors into sentences and an exit code. */
import { existsSync } from "node:fs";
import { Command, CommanderError, type Option } from "commander";
import { EXIT, UsageError } from "../outcome.js";
import { VERSION } from "../version.js";
import { addBenchCommand } from "./bench.js";
import { addCleanCommand, explainClean } from "./clean.js";
import { addCrawlCommand } from "./crawl/crawl-command.js";
import { addReportCommand } from "./corpus-report.js";
import { addFeaturesCommand } from "./features.js";
import { createSay, type Io } from "./io.js";
import { addInspectCommand } from "./inspect.js";
import { addModelsCommand } from "./models.js";
import { checkFirstWord } from "./nearest-command.js";
import { nameOption } from "./options/names-elsewhere.js";
import { addServeCommand } from "./serve/serve-command.js";
import { addShardCommand } from "./shard/shard-command.js";
import { addCompletionCommand } from "./shell/completion.js";
import { addTrainCommand } from "./train.js";
import { messageOf } from "../thrown.js";

/** Returns the exit code; never throws, never exits. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const end: { code: number; isMeant?: true } = { code: EXIT.done };
  const program = createProgram(io, {
    finish: (code) => {
      end.code = code;
    },
    stop: (code) => {
      end.code = code;
      end.isMeant = true;
    },
  });
  try {
    checkHome(argv);
    checkShort(argv);
    await program.parseAsync(readHelp(argv, program), { from: "user" });
    return io.signal.aborted && end.isMeant !== true ? EXIT.interrupted : end.code;
  } catch (error) {
    return explain(error, io);
  }
}

/** Throws UsageError for `"~/…"` and `--option=~/…`, which shells leave as they are: they would name a folder "~". */
function checkHome(argv: readonly string[]): void {
  const path = argv.find((arg) => /^(?:--[a-z-]+=)?~\//.test(arg))?.replace(/^[^~]+/, "");
  if (path === undefined) return;
  throw new UsageError(
    `the shell did not expand the ~ in ${path}; write $HOME/… instead (or ./~/… for a folder with this name)`,
  );
}

/** Throws UsageError for `-o=x.txt`, because commander would write a file of the name `=x.txt`. */
function checkShort(argv: readonly string[]): void {
  const end = argv.indexOf("--");
  const word = argv.slice(0, end === -1 ? argv.length : end).find((arg) => /^-[a-z]=/i.test(arg));
  if (word === undefined) return;
  const [flag, value] = [word.slice(0, 2), word.slice(3)];
  throw new UsageError(
    `write ${flag} ${value || "VALUE"}, without = behind a short option (or ${flag} ./=${value} for a file of this name)`,
  );
}

/**
 * Returns `help shard plan` and `shard help plan` as `shard plan --help`, and other words as they are. Throws UsageError
 * for help on a command that does not exist, for which commander would print the help of another one.
 */
function readHelp(argv: readonly string[], program: Command): string[] {
  const [first, second] = argv;
  const isOuter = program.commands.some((one) => one.name() === first && one.commands.length > 0);
  const at = isOuter && second === "help" ? 1 : 0;
  if (argv[at] !== "help") return [...argv];
  const path = argv.toSpliced(at, 1);
  let { commands } = program;
  for (const word of path) {
    const names = commands.map((one) => one.name());
    if (names.length > 0 && !names.includes(word)) checkFirstWord(word, names);
    commands = commands.find((one) => one.name() === word)?.commands ?? [];
  }
  return [...path, "--help"];
}

interface Ends {
  readonly finish: (code: number) => void;
  /** Sets the exit code of a command that runs until it is stopped: an abort is its normal end. */
  readonly stop: (code: number) => void;
}

/** Creates the program with its commands and options; `finish` gets the exit code of the command that runs. */
export function createProgram(io: Io, { finish, stop }: Ends): Command {
  const program = new Command("thresher")
    .description("Turns web pages, and badly extracted text, into clean text.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    });
  const clean = addCleanCommand(program, io, finish);
  clean.configureOutput({
    outputError: (message, write) => {
      write(nameOption(message));
    },
  });
  addCrawlCommand(program, io, finish);
  addShardCommand(program, io, finish);
  addServeCommand(program, io, stop);
  addReportCommand(program, io, finish);
  addInspectCommand(program, io, stop);
  addBenchCommand(program, io, finish);
  addTrainCommand(program, io, finish);
  addFeaturesCommand(program, io, finish);
  addModelsCommand(program, io, finish);
  addCompletionCommand(program, io, finish);
  pointToHelp(program, program.name());
  // `clean` may be left out, so the program's help begins with the help of `clean`.
  program.helpInformation = () =>
    `${withVersion(clean.helpInformation()).replace("thresher clean", "thresher [clean]")}${listCommands(program)}${explainClean()}`;
  return program;
}

/** After an error in an option, the message names the command that lists the options. */
function pointToHelp(command: Command, path: string, program = command): void {
  sayNearest(command, program);
  refuseOptionsAsValues(command);
  command.showHelpAfterError(`(${path} --help lists the options)`);
  for (const inner of command.commands)
    pointToHelp(inner, inner.name() === "clean" ? path : `${path} ${inner.name()}`, program);
}

type WithComplaints = Command & {
  optionMissingArgument: (option: Option) => void;
  unknownOption: (flag: string) => void;
  missingMandatoryOptionValue: (option: Option) => void;
};

/**
 * Finds the nearest option of `--option=value`, too, because commander compares it with the value. Says how to name a
 * file that looks like an option, and which commands have an option that this one lacks. Complains about an unknown
 * option before a missing one, which it may be, misspelt.
 */
function sayNearest(command: Command, program: Command): void {
  const asked = command as WithComplaints; // commander has these methods but does not declare them
  const complain = asked.unknownOption.bind(command);
  asked.unknownOption = (flag) => {
    if (existsSync(flag))
      command.error(`error: unknown option '${flag}'; write ./${flag} for the file of this name`);
    const name = flag.replace(/=.*/s, "");
    if (command.options.some(({ long }) => long === name))
      command.error(`error: option '${name}' takes no value`);
    const owners = listOwners(name, program);
    if (owners.length > 0)
      command.error(`error: unknown option '${name}': it is an option of ${owners.join(", ")}`);
    complain(name);
  };
  const complainOfMissing = asked.missingMandatoryOptionValue.bind(command);
  asked.missingMandatoryOptionValue = (option) => {
    const unknown = command.args.find((arg) => /^-./.test(arg));
    if (unknown !== undefined) asked.unknownOption(unknown);
    complainOfMissing(option);
  };
}

/** Returns the full names of the commands that have an option. */
function listOwners(flag: string, command: Command, path = command.name()): string[] {
  const isOwner = command
    .createHelp()
    .visibleOptions(command)
    .some(({ long, short }) => [long, short].includes(flag));
  const inner = command.commands.flatMap((one) => listOwners(flag, one, `${path} ${one.name()}`));
  return isOwner ? [path, ...inner] : inner;
}

/** Refuses an option in the place of a value: with `-o --quiet`, commander would write to a file of this name. */
function refuseOptionsAsValues(command: Command): void {
  const asked = command as WithComplaints; // commander has this method but does not declare it
  for (const option of command.options.filter(({ required }) => required))
    command.on(`option:${option.name()}`, (value: string) => {
      if (command.options.some(({ long, short }) => value === long || value === short))
        asked.optionMissingArgument(option);
    });
}

/** Adds `--version`, which only the program has, on its own line above `--help`. */
function withVersion(help: string): string {
  return help.replace(/^ {2}-h, --help +/m, (option) => {
    const version = "  -V, --version".padEnd(option.length);
    return `${version}print the version\n${option}`;
  });
}

function listCommands(program: Command): string {
  const rows = program.commands.map(
    (command) => `  ${command.name().padEnd(10)} ${command.summary() || command.description()}\n`,
  );
  return `\nCommands (COMMAND --help tells more):\n${rows.join("")}`;
}

function explain(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  // Compares names, not classes, because the benchmark is compiled separately and has its own classes.
  const name = error instanceof Error ? error.name : "";
  if (name === "ClosedPipe") return EXIT.done;
  const say = createSay(io);
  if (io.signal.aborted) {
    say("interrupted");
    return EXIT.interrupted;
  }
  say(messageOf(error));
  if (name === "OutputError") return EXIT.cannotWrite;
  if (name === "UsageError") return EXIT.usage;
  if (error instanceof Error && error.stack !== undefined)
    io.stderr.write(`${error.stack}\nThis is a bug; please report it.\n`);
  return EXIT.nothing;
}
