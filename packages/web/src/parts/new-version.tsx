/** The code of a page did not come: the server is away, or was replaced by a newer one since the dashboard was opened. */
export function NewVersion() {
  return (
    <div role="alert" className="mx-auto flex max-w-lg flex-col items-start gap-3 px-4 py-16">
      <h1 className="text-title font-semibold">This page did not load</h1>
      <p className="text-soft">
        The server does not answer, or was replaced by a newer one. Load the dashboard again when it is there.
      </p>
      <a href={location.href} className="rounded-sm underline underline-offset-2">
        Load again
      </a>
    </div>
  );
}
