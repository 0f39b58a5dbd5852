/**
 * Lists the names of programming languages as pages write them, in a class of the highlighter or in the bar above the
 * code.
 */

export const CODE_LANGUAGES: readonly string[] = (
  "bash c clojure cpp csharp css dart diff dockerfile elixir elm erlang go graphql haskell html http ini java javascript js json jsx julia kotlin " +
  "latex lua markdown matlab nginx nix ocaml perl php powershell prolog protobuf py python r ruby rust sass scala scss sh shell sql svelte swift toml ts tsx typescript vue xml yaml zig zsh"
).split(" ");
