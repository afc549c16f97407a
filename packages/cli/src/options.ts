import { InvalidArgumentError } from "@commander-js/extra-typings";

/** A whole number from `least` to `most`, for commander. */
export function integer(least: number, most = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(
        most === Number.MAX_SAFE_INTEGER
          ? `A whole number from ${least} on.`
          : `A whole number from ${least} to ${most}.`,
      );
    }
    return value;
  };
}

/** A number from `least` on, for commander. */
export function number(least: number) {
  return (text: string): number => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value) || value < least) {
      throw new InvalidArgumentError(`A number from ${least} on.`);
    }
    return value;
  };
}
