/** Kinds of files that programs are written in, by their ends. */
const codeEnds = new Set(
  (
    "astro bash c cc cjs clj cljs cpp cs cts cxx dart elm erl ex exs f90 fs fsx go gleam groovy h hpp hrl hs html ipynb java jl js " +
    "jsx kt kts lisp lua m mjs ml mli mm mts nim nix pas php pl pm py pyi r rb rs scala sh sol sql svelte swift tf ts tsx v " +
    "vb vue zig zsh"
  ).split(" "),
);

/** Files that say what a project is made of and how it is built. */
const manifestNames = new Set([
  "package.json",
  "deno.json",
  "deno.jsonc",
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "requirements.txt",
  "Pipfile",
  "Cargo.toml",
  "go.mod",
  "mix.exs",
  "build.gradle",
  "build.gradle.kts",
  "pom.xml",
  "build.sbt",
  "Gemfile",
  "composer.json",
  "CMakeLists.txt",
  "meson.build",
  "Makefile",
  "Package.swift",
  "build.zig",
  "dune-project",
  "pubspec.yaml",
  "stack.yaml",
]);
const manifestEnds = /\.(csproj|fsproj|sln|cabal|gemspec)$/;

/** Folders with what is generated, or somebody else's; and whatever begins with a dot. */
const foreign = new Set([
  "node_modules",
  "bower_components",
  "target",
  "dist",
  "build",
  "out",
  "coverage",
  "vendor",
  "third_party",
  "venv",
  "env",
  "site-packages",
  "__pycache__",
  "Pods",
  "DerivedData",
  "deps",
  "_build",
]);

const testFolders = new Set(["test", "tests", "__tests__", "spec", "specs", "e2e"]);
const testNames = [
  /[._](test|spec)\.[^.]+$/,
  /(^|[._])test_[^/]*\.py$/,
  /_test\.[^.]+$/,
  /_spec\.rb$/,
  /[a-z0-9](Test|Tests|Spec|IT)\.(java|kt|kts|scala|groovy|cs|fs|vb|swift|php)$/,
];

export const isForeign = (folder: string): boolean => folder.startsWith(".") || foreign.has(folder);

export const isManifest = (name: string): boolean => manifestNames.has(name) || manifestEnds.test(name);

/** Of the kinds that programs are written in; settings of tools, which have the same ends, are none. */
export function isCode(name: string): boolean {
  const dot = name.lastIndexOf(".");
  if (dot < 1 || !codeEnds.has(name.slice(dot + 1).toLowerCase())) return false;
  return !name.startsWith(".") && !/\.config\.[cm]?[jt]s$/.test(name) && !isManifest(name);
}

/** `folders`: those it lies in, from the project's folder on. Only asked of code. */
export function isTest(name: string, folders: readonly string[]): boolean {
  return testNames.some((pattern) => pattern.test(name)) || folders.some((folder) => testFolders.has(folder));
}
