/** The promise's value, or undefined when it takes longer than so many milliseconds or fails. Never rejects. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
