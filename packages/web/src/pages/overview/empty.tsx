import Plus from "lucide-react/icons/plus";
import { Link } from "wouter";
import { buttonLook } from "../../parts/button.tsx";
import { CommandLine } from "../../parts/command-line.tsx";

/** No loops yet: the first steps. */
export function Empty() {
  return (
    <div className="mx-auto flex max-w-xl flex-col gap-7 px-4 py-14 sm:py-20">
      <div>
        <h1 className="text-title font-semibold">No loops yet</h1>
        <p className="mt-1 text-soft">
          A loop gives one task to a coding agent, again and again in fresh sessions, each in a branch of its own, until
          the work is done. It appears here by itself, wherever it was started.
        </p>
        <Link href="/new" className={`${buttonLook("filled")} mt-4`}>
          <Plus aria-hidden="true" />
          New loop
        </Link>
      </div>
      <div className="flex flex-col gap-2">
        <h2 className="font-medium">Or in a terminal, in the repository's folder</h2>
        <p className="text-soft">Your checkout is not touched.</p>
        <CommandLine command={'bin/ralpher loop run --dir . --prompt "Make every test pass"'} />
      </div>
      <div className="flex flex-col gap-2">
        <h2 className="font-medium">See one at work</h2>
        <p className="text-soft">
          A made-up project, the real agent, a scripted model: no key, no network. It opens a dashboard of its own.
        </p>
        <CommandLine command="bin/ralpher demo --keep" />
      </div>
    </div>
  );
}
