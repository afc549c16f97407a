import { CommandLine } from "../../parts/command-line.tsx";

/** No loops yet: the first commands. */
export function Empty() {
  return (
    <div className="mx-auto flex max-w-xl flex-col gap-6 px-4 py-14 sm:py-20">
      <div>
        <h1 className="text-title font-semibold">No loops yet</h1>
        <p className="mt-1 text-soft">
          A loop gives one task to a coding agent, again and again in fresh sessions, each in a branch of its own, until
          the work is done. Start one in a terminal; it appears here by itself.
        </p>
      </div>
      <div className="flex flex-col gap-2">
        <h2 className="font-medium">See one at work</h2>
        <p className="text-soft">
          A made-up project, the real agent, a scripted model: no key, no network. It opens a dashboard of its own.
        </p>
        <CommandLine command="bin/ralpher demo --keep" />
      </div>
      <div className="flex flex-col gap-2">
        <h2 className="font-medium">Run one on your repository</h2>
        <p className="text-soft">In the repository's folder. Your checkout is not touched.</p>
        <CommandLine command={'bin/ralpher loop run --dir . --prompt "Make every test pass"'} />
      </div>
    </div>
  );
}
